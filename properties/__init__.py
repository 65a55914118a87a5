"""What to check: trials, generators, clauses as predicates, mutants."""
