"""Balancing: the closed loop of load, shedding and placement."""
