"""Theorems and graphs about `reference/splitting/algorithms.py`, a module for each claim."""
