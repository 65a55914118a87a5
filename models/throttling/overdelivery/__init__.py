"""Theorems and graphs about `reference/throttling/overdelivery.py`, a module for each claim."""
