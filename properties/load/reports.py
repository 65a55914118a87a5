"""What the trials about reports share.

Time is virtual, in whole seconds: `after` is how many pass before a command.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Final

from evenkeel.properties.load.numbers import require_settings
from evenkeel.properties.trial import require
from evenkeel.reference.load.report import ReportRules

LONGEST_PAUSE: Final = 10**6


def require_after(after: int) -> None:
    """A pause of up to a million seconds."""
    require(0 <= after <= LONGEST_PAUSE, "after", "must be from 0 to 10^6")


def require_rules(rules: ReportRules) -> None:
    """Rules as a configuration can hold them."""
    require_settings("rules", rules)
    require_settings("rules.weights", rules.weights)


class BundleState(StrEnum):
    """The states of a bundle that a broker hears of."""

    RELEASING = "releasing"
    SPLITTING = "splitting"
    OWNED = "owned"
    ASSIGNING = "assigning"


@dataclass(frozen=True, slots=True)
class Heard:
    """The broker hears that some bundle changed its state.

    `after`: so many seconds pass before. `source`, `destination`: whether it is itself the one or
    the other. `failed`: the change could
    not be handled. `store_fails`: the store fails to remove a report.
    """

    DO: ClassVar[str] = "heard"
    after: int
    state: BundleState
    source: bool
    destination: bool
    failed: bool
    store_fails: bool

    def __post_init__(self) -> None:
        require_after(self.after)

    @property
    def concerns(self) -> bool:
        """Whether the broker gains or loses a bundle by this (LOA-46)."""
        if self.failed:
            return False
        if self.state is BundleState.OWNED:
            return self.destination
        return self.source and self.state in (BundleState.RELEASING, BundleState.SPLITTING)
