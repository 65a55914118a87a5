"""Theorems and graphs about `reference/splitting/life.py`, a module for each claim."""
