"""Sweeps of this specification alone, which run after those of the engine."""
