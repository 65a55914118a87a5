"""All clauses of the chapter *throttling*: importing the files below fills the book."""

from __future__ import annotations

from evenkeel.properties.throttling import (
    clauses_bucket,
    clauses_loop,
    clauses_policy,
    clauses_quota,
    clauses_reading,
    clauses_sizing,
    clauses_subscribing,
)
from evenkeel.properties.throttling.book import CLAUSES

__all__ = [
    "CLAUSES",
    "clauses_bucket",
    "clauses_loop",
    "clauses_policy",
    "clauses_quota",
    "clauses_reading",
    "clauses_sizing",
    "clauses_subscribing",
]
