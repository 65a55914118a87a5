"""Recorded logs of ownership events: reading them, and judging them here or on Spark."""
