"""What all trials have in common: a trial that could not exist cannot be constructed."""

from __future__ import annotations

from typing import Any

from evenkeel.reference.settings import out_of_bounds


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
    """Raise `BadTrial` for a setting that is not within its bounds."""
    for name, sentence in out_of_bounds(settings):
        raise BadTrial(f"config.{name}", sentence)
