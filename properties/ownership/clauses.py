"""All clauses of the chapter *ownership*: importing the files below fills the book."""

from __future__ import annotations

from evenkeel.properties.ownership import clauses_channel, clauses_locks
from evenkeel.properties.ownership.book import CLAUSES

__all__ = ["CLAUSES", "clauses_channel", "clauses_locks"]
