"""The common parts of all questions: the forms of messages and of observations.

Followed: the pages' ground rules and "observation" (wire, "The conversation").
"""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]

LAST_HASH = 0xFFFFFFFF


class Refusal(Exception):
    """The input is rejected on purpose, and nothing has changed."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(detail or reason)
        self.reason = reason
        self.detail = detail


class Skip(Exception):
    """This balancer does not support the setting or interprets it otherwise."""


def span(lower: int, upper: int) -> Json:
    """A hash range in the form of answers: only the last hash belongs to its range."""
    return {"lower": lower, "upper": upper, "upper_included": upper == LAST_HASH}


def done() -> Json:
    """The answer to a command without a result."""
    return {"do": "done"}


def refuse(reason: str) -> Json:
    """The answer to one command of a list that was rejected."""
    return {"do": "refused", "reason": reason}
