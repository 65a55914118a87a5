"""Balancers that teach how one is written for evenkeel."""
