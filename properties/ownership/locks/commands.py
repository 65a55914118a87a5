"""The commands of `ownership.locks`: one list of them is one interleaving.

`broker` and `bundle` may be any number from 0 on: they are taken modulo what there is. A lookup or
an unload is known by the place of its command in the list, from 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from evenkeel.properties.trial import Index, Tagged, require

LARGEST = 2**31


def require_index(place: str, value: int) -> None:
    """Indices are taken modulo what there is."""
    require(0 <= value < LARGEST, place, "must be 0 or more, below 2^31")


@dataclass(frozen=True, slots=True)
class OfBroker(Tagged):
    """What the commands about one broker have in common."""

    broker: Index


@dataclass(frozen=True, slots=True)
class OfBundle(OfBroker):
    """What the commands about one bundle at one broker have in common."""

    bundle: Index


@dataclass(frozen=True, slots=True)
class Lookup(OfBundle):
    """A client asks a broker for a bundle's owner. `authoritative`: somebody has decided that this
    broker is to take the bundle if nobody has it, and it need not ask the leader.

    `preferred`: the broker that the load manager picks, if it is asked and that one is there.

    A broker that has crashed answers FAILED at once.
    """

    authoritative: bool
    read_only: bool
    preferred: Index


@dataclass(frozen=True, slots=True)
class Answer(OfBundle):
    """The store carries out the broker's oldest operation on the bundle's node and answers.

    The operation fails if the broker is not connected.
    """


@dataclass(frozen=True, slots=True)
class Fail(OfBundle):
    """The broker's oldest operation on the bundle's node fails for want of connection.

    `done`: the store did carry it out, if the broker is connected.
    """

    done: bool


@dataclass(frozen=True, slots=True)
class Notify(OfBundle):
    """The broker is told of the oldest change of the bundle's node that it has not been told of."""


@dataclass(frozen=True, slots=True)
class Unload(OfBundle):
    """An operator asks a broker to unload a bundle."""


class Closing(Enum):
    """How the closing of a bundle's topics came to its end."""

    CLOSED = "closed"
    TIMED_OUT = "timed out"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Closed(OfBundle):
    """The topics of the broker's oldest unload of the bundle are closed, or not in time."""

    how: Closing


@dataclass(frozen=True, slots=True)
class Retry(OfBroker):
    """The broker tries the oldest re-validation again that failed for want of connection."""


@dataclass(frozen=True, slots=True)
class Disconnect(OfBroker):
    """The broker's connection to the store breaks. Notifications under way are lost."""


@dataclass(frozen=True, slots=True)
class Expire(OfBroker):
    """The broker's session ends, and its nodes are deleted; the broker knows at once, and is not
    connected until it reconnects. After a crash and a restart it is the session of the crashed
    process, of several the oldest.
    """


@dataclass(frozen=True, slots=True)
class Reconnect(OfBroker):
    """The broker is connected again, in a new session if the old one has ended."""


@dataclass(frozen=True, slots=True)
class Crash(OfBroker):
    """The process is gone, with all that it asked and was asked. Its session stays for now."""


@dataclass(frozen=True, slots=True)
class Restart(OfBroker):
    """A new process takes a crashed broker's place, in a new session."""


@dataclass(frozen=True, slots=True)
class Stop(OfBroker):
    """The broker begins to stop: it is no longer registered, and unloads what it serves."""


@dataclass(frozen=True, slots=True)
class Elect(OfBroker):
    """The broker takes `leader` for the leader from now on; null: it knows of none."""

    leader: Index | None


@dataclass(frozen=True, slots=True)
class Settle(Tagged):
    """The sessions of crashed processes end, the other brokers are connected, the first that is
    not stopping leads, and all that waits is carried out, in turns, until nothing does.
    """


@dataclass(frozen=True, slots=True)
class Find(OfBundle):
    """After settling, a client looks a bundle up, at first at this broker, until it is served.

    It follows redirects, taking their flag along, and asks an owner that does not serve the bundle
    again; 8 lookups at most.
    """

    preferred: Index


@dataclass(frozen=True, slots=True)
class Views(Tagged):
    """After settling, every running broker is asked for a bundle's owner, read-only."""

    bundle: Index


LocksCommand = (
    Lookup
    | Answer
    | Fail
    | Notify
    | Unload
    | Closed
    | Retry
    | Disconnect
    | Expire
    | Reconnect
    | Crash
    | Restart
    | Stop
    | Elect
    | Settle
    | Find
    | Views
)
