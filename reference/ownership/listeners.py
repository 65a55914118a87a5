"""The addresses that lookups are answered with (OWN-56, OWN-57, OWN-60, OWN-67)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import Enum

from evenkeel.reference.edition import Edition
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.errors import Breakage


@dataclass(frozen=True, slots=True)
class Address:
    """What a lookup is given: the address of a listener, or with null the broker's default one;
    nothing if `found` is false. A `listener` without a name: an answer in which no address is.
    """

    found: bool
    listener: str | None


class Arrival(Enum):
    """What arrives at a broker that starts, before it has its name and its addresses: a `lookup` of
    the bundle that names no listener, or a `notice` of the metadata store that policies changed.
    """

    LOOKUP = "lookup"
    NOTICE = "notice"


@states("OWN-57", "OWN-67")
def given_early(starting: Sequence[Arrival], edition: Edition) -> tuple[Address, ...]:
    """What lookups get that arrive while the broker starts. What it learns of then is ignored."""
    if edition.early_notices_end_brokers and Arrival.NOTICE in starting:
        raise Breakage("a broker without a name")
    return tuple(Address(False, None) for one in starting if one is Arrival.LOOKUP)


@states("OWN-56", "OWN-60")
def give_address(advertised: Collection[str], listener: str | None) -> Address:
    """What a broker that owns the bundle answers, or is about to."""
    if listener is None or listener in advertised:
        return Address(True, listener)
    return Address(False, None)


@states("OWN-56", "OWN-57")
def given_together(
    advertised: Collection[str], listeners: Sequence[str | None], edition: Edition
) -> tuple[Address, ...]:
    """What lookups are given that wait for one owner; in 4.0 all the first one's answer."""
    if edition.locks_join_readers:
        return tuple(give_address(advertised, listeners[0]) for _ in listeners)
    return tuple(give_address(advertised, listener) for listener in listeners)
