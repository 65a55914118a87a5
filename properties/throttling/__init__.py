"""Chapter *throttling*: trials, generators, clauses and mutants."""
