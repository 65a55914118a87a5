"""Chapter *splitting*: its questions, clauses and planted defects."""
