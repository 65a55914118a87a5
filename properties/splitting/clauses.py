"""All clauses of the chapter *splitting* as checks."""

from evenkeel.properties.splitting import (
    clauses_due,
    clauses_life,
    clauses_manual,
    clauses_positions,
)
from evenkeel.properties.splitting.book import CLAUSES

__all__ = ["CLAUSES", "clauses_due", "clauses_life", "clauses_manual", "clauses_positions"]
