"""Theorems and graphs about `reference/splitting/due.py`, a module for each claim."""
