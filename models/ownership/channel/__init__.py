"""Theorems and graphs about `reference/ownership/channel.py`, a module for each claim."""
