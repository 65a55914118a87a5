"""Releases of Apache Pulsar: the adapter that asks their classes."""
