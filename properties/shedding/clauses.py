"""All clauses of the chapter *shedding*: importing the files below fills the book."""

from __future__ import annotations

from evenkeel.properties.shedding import (
    clauses_avg,
    clauses_common,
)
from evenkeel.properties.shedding.book import CLAUSES

__all__ = [
    "CLAUSES",
    "clauses_avg",
    "clauses_common",
]
