"""Theorems and graphs about `reference/balancing/oscillation.py`, a module for each claim."""
