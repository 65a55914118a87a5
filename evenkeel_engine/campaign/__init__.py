"""Campaigns: many seeded trials fanned out over Spark, and the tables of what they found.

Importing this package must not need anything but the standard library: Spark workers use it.
"""
