"""Placement: which brokers may get a bundle, and which of them gets it."""
