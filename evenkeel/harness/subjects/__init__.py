"""Subjects: whatever answers trials."""
