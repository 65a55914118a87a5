"""Chapter *splitting*: its questions, clauses and mutants."""
