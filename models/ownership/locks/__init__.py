"""Theorems and graphs about `reference/ownership/locks.py`, a module for each claim."""
