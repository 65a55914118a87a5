"""Theorems and graphs about `reference/ownership/channel/commands.py`, a module for each claim."""
