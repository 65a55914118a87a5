"""Theorems and graphs about `reference/splitting/applying.py`, a module for each claim."""
