"""What all trials have in common: a trial that could not exist cannot be constructed."""

from __future__ import annotations

from dataclasses import fields
from typing import Any


class BadTrial(ValueError):
    """A trial that could not exist: `place` is the field, `reason` one sentence."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}")
        self.place = place
        self.reason = reason


def require(condition: bool, place: str, reason: str) -> None:
    """Raise `BadTrial` for the field `place` unless the condition holds."""
    if not condition:
        raise BadTrial(place, reason)


def require_bounds(settings: Any) -> None:
    """Raise `BadTrial` for a setting outside the bounds that its field has, ends included."""
    for one in fields(settings):
        bounds = one.metadata.get("bounds")
        if bounds is not None:
            least, most = bounds
            inside = least <= getattr(settings, one.name) <= most
            require(inside, one.name, f"must be {least} to {most}")
