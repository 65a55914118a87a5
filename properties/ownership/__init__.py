"""Ownership of bundles: the channel and its records, the locks, recorded logs."""
