"""All clauses of the chapter *placement*: importing the files below fills the book."""

from __future__ import annotations

from evenkeel.properties.placement import (
    clauses_candidates,
    clauses_policy,
    clauses_strategies,
    clauses_turns,
)
from evenkeel.properties.placement.book import CLAUSES

__all__ = [
    "CLAUSES",
    "clauses_candidates",
    "clauses_policy",
    "clauses_strategies",
    "clauses_turns",
]
