"""Chapter *bundles*: its questions, clauses and planted defects."""
