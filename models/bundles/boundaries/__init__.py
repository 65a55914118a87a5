"""Theorems and graphs about `reference/bundles/boundaries.py`, a module for each claim."""
