"""All clauses of the chapter *load*: importing the files below fills the book."""

from __future__ import annotations

from evenkeel.properties.load import (
    clauses_averages,
    clauses_history,
    clauses_leader,
    clauses_report,
    clauses_top,
    clauses_top_report,
    clauses_usage,
)
from evenkeel.properties.load.book import CLAUSES

__all__ = [
    "CLAUSES",
    "clauses_averages",
    "clauses_history",
    "clauses_leader",
    "clauses_report",
    "clauses_top",
    "clauses_top_report",
    "clauses_usage",
]
