"""Stored cases: trials with answers and verdicts, in files."""
