"""Stored trials with their right and wrong answers, a file for each question."""
