"""Ownership: who serves a bundle, by locks and by the channel of records."""
