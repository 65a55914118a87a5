"""Chapter *scaling*: its questions, clauses and mutants."""
