"""Theorems and state graphs: how they are checked."""
