"""What a balancer is to the loop: a shedder and a placement, each with a memory of its own.

The strategies of the other chapters become balancers in `strategies`; so can any other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from evenkeel.reference.balancing.leader import Sent, View
from evenkeel.reference.load.usage import Weights
from evenkeel.reference.shedding.cluster import BrokerId, BundleName, Millis


@dataclass(frozen=True, slots=True)
class Shed:
    """A bundle should leave its owner, for this destination if the shedder names one."""

    bundle: BundleName
    source: BrokerId
    destination: BrokerId | None
    reason: str


@dataclass(frozen=True, slots=True)
class Alone:
    """What a broker without another one gives up, to take it again when clients look it up: the
    children of a split, what the shedder names. The documents leave both open.
    """

    children: bool = False
    sheds: bool = False


class Shedder(Protocol):
    """Decides once in a round of shedding."""

    def decide(self, view: View) -> Sequence[Shed]:
        """What should move now."""


class Placement(Protocol):
    """Finds a broker for a bundle."""

    def list_allowed(self, bundle: BundleName, view: View) -> Sequence[BrokerId]:
        """The brokers of which one is chosen, each as likely as another; none: no broker."""

    def note_choice(self, bundle: BundleName, broker: BrokerId, view: View) -> None:
        """This broker was chosen."""


def ignore_report(sent: Sent) -> None:
    """A report that changes nothing on its way."""


@dataclass(frozen=True, slots=True)
class Balancer:
    """A shedder and a placement as one leader has them.

    `transfers`: ownership goes straight to the destination (the extensible manager), instead of
    the bundle being unloaded and looked up (the modular one). `sends` is called for every report
    of a broker.
    """

    shedder: Shedder
    placement: Placement
    transfers: bool
    weights: Weights
    grace_minutes: int
    alone: Alone = Alone()
    sends: Callable[[Sent], None] = ignore_report


Hire = Callable[[], Balancer]
"""Makes the balancer of a new leader, without memory."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice that a strategy leaves open: which of the allowed brokers, given by id.

    `source` is the owner of a bundle that is being shed, None where clients look a bundle up.
    """

    now: Millis
    bundle: BundleName
    source: BrokerId | None
    allowed: tuple[BrokerId, ...]


Choose = Callable[[Choice], BrokerId]
"""Makes choices."""
