"""Placement: which broker a bundle is given to."""
