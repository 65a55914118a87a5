"""Shedding: which bundles a broker gives away."""
