"""Mutants that need no operator: every switch of an edition the other way."""
