"""Chapter *bundles*: its questions, clauses and mutants."""
