"""`evenkeel campaign`: many trials on Spark."""

from __future__ import annotations

