"""Theorems and graphs about `reference/ownership/locks/protocol.py`, a module for each claim."""
