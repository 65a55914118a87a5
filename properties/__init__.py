"""What to check: trials, generators, clauses as predicates, planted defects."""
