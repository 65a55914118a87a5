"""Balancers written from the documents alone: right, and unlike the reference."""
