"""Load, operations and faults on a running cluster, from a seed, and a verdict at rest."""
