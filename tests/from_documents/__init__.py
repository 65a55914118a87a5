"""Balancers that somebody wrote who had only the documents: right, and unlike the reference."""
