"""Theorems and graphs about `reference/balancing/loop.py`, a module for each claim."""
