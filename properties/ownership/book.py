"""The chapter's book of clauses, into which the files `clauses_*.py` write their checks."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.clause import ClauseBook

CLAUSES: Final = ClauseBook("ownership")
check = CLAUSES.check
