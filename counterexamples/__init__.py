"""Replayable counterexamples, by chapter: examples, errata of the documents, divergences."""
