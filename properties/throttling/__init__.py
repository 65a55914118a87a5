"""Chapter *throttling*: trials, generators, clauses and planted defects."""
