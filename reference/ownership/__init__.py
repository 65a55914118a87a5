"""Ownership: which broker serves a bundle, by locks and by the channel of records."""
