"""Releases of Apache Pulsar: its adapter, and how often each answers as its edition."""
