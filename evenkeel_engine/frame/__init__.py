"""What a reference is written with: editions, switches, settings, clauses, and how a rule says no.

This is all of the engine that a reference imports. It needs nothing but the standard library.
"""
