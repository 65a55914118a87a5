"""Graph: brokers race for one stored record, every interleaving of their reads and writes (SPL-25).

Each broker wants one cut in one bundle of the created namespace. It reads the record, applies its
cut to what it read (`apply_positions` of the reference), and writes if the version is still the one
that it read; otherwise it begins again, with one attempt fewer. Another writer touches the record a
few times. A broker gives up if its bundle is removed. Brokers are alike: races that differ only in
their order are one.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from itertools import combinations_with_replacement, pairwise, permutations
from typing import Final, NamedTuple

from evenkeel.reference.bundles.boundaries import check_boundaries
from evenkeel.reference.bundles.ranges import TOP_HASH, HashRange
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.splitting.applying import apply_positions
from evenkeel_engine.frame.errors import Refusal
from evenkeel_engine.proofs.graph import Broken, Graph, Move, Size

Division = tuple[int, ...]
CREATED: Final[Division] = (0, 4, TOP_HASH)

CUTS: Final = (2, 3, 6)
"""Two cuts in the first bundle and one in the second: some races are for the same bundle."""

WANTS, READ, DONE, REMOVED, TIRED = "wants", "has read", "done", "removed", "tired"
ENDED: Final = (DONE, REMOVED, TIRED)


class Broker(NamedTuple):
    """What a broker is to do and its stage. The view is empty unless it has read."""

    cut: int
    stage: str
    view: Division
    seen: int
    attempts: int


class Race(NamedTuple):
    """The stored record, the touches that are still to come, and the brokers."""

    boundaries: Division
    version: int
    touches: int
    brokers: tuple[Broker, ...]


@cache
def after_cut(boundaries: Division, cut: int) -> Division | None:
    """The reference's boundaries after the cut, or None where it refuses."""
    try:
        return apply_positions(boundaries, target_of(cut), (cut,), DOCUMENTED)
    except Refusal:
        return None


def target_of(cut: int) -> HashRange:
    """The bundle of the created namespace in which a cut lies."""
    return next(HashRange(low, up) for low, up in pairwise(CREATED) if low < cut < up)


def starts(brokers: int, attempts: int, touches: int) -> Iterator[Race]:
    """Every choice of cuts."""
    for cuts in combinations_with_replacement(CUTS, brokers):
        yield Race(CREATED, 0, touches, tuple(Broker(cut, WANTS, (), 0, attempts) for cut in cuts))


def reorder(race: Race) -> Iterator[Race]:
    """The race with its brokers in every order."""
    for brokers in permutations(race.brokers):
        yield race._replace(brokers=brokers)


def moves(checked: bool, race: Race) -> Iterator[Move[Race]]:
    """One broker reads or writes, or another writer touches the record."""
    for index, broker in enumerate(race.brokers):
        if broker.stage == WANTS:
            yield f"{index} reads", with_broker(race, index, after_reading(race, broker))
        elif broker.stage == READ:
            yield f"{index} writes", after_writing(checked, race, index)
    if race.touches:
        yield "touch", race._replace(version=race.version + 1, touches=race.touches - 1)


def with_broker(race: Race, index: int, broker: Broker) -> Race:
    """The race with one broker changed."""
    return race._replace(brokers=(*race.brokers[:index], broker, *race.brokers[index + 1 :]))


def after_reading(race: Race, broker: Broker) -> Broker:
    """The broker knows the record, or finds its bundle removed."""
    if after_cut(race.boundaries, broker.cut) is None:
        return broker._replace(stage=REMOVED)
    return broker._replace(stage=READ, view=race.boundaries, seen=race.version)


def after_writing(checked: bool, race: Race, index: int) -> Race:
    """The broker's view with its cut is stored, or it has one attempt fewer."""
    broker = race.brokers[index]
    idle = broker._replace(view=(), seen=0, attempts=broker.attempts - 1)
    if checked and broker.seen != race.version:
        return with_broker(race, index, idle._replace(stage=WANTS if idle.attempts else TIRED))
    cut = after_cut(broker.view, broker.cut) or broker.view
    stored = race._replace(boundaries=cut, version=race.version + 1)
    return with_broker(stored, index, idle._replace(stage=DONE))


def wrong(race: Race) -> str | None:
    """The record is legal and holds the creation and the cuts that were reported as done."""
    try:
        check_boundaries(race.boundaries, DOCUMENTED)
    except Refusal as refusal:
        return str(refusal)
    done = [broker.cut for broker in race.brokers if broker.stage == DONE]
    if lost := {*CREATED, *done} - set(race.boundaries):
        return f"the split at {min(lost)} was done and is lost"
    strange = set(race.boundaries) - {*CREATED, *done}
    return f"no broker has cut at {min(strange)}" if strange else None


def wrong_end(race: Race) -> str | None:
    """In the end every broker is done, or its bundle was removed, or its attempts were used up."""
    waiting = [broker for broker in race.brokers if broker.stage not in ENDED]
    return f"a broker {waiting[0].stage} for ever" if waiting else None


def race_of(brokers: int, attempts: int, touches: int, size: Size | None = None) -> Graph[Race]:
    """The race of n brokers with this number of attempts each."""
    return Graph(
        name=f"race-{brokers}-{attempts}-{touches}",
        chapter="splitting",
        clauses=("SPL-18", "SPL-21", "SPL-25", "SPL-83"),
        statement="However reads and writes interleave, no split that was reported as done is "
        "lost, nothing else is stored, and every broker comes to an end.",
        bound=f"{brokers} brokers with {attempts} attempts each, {touches} other writes, 3 cuts in "
        "2 bundles",
        initial=partial(starts, brokers, attempts, touches),
        moves=partial(moves, True),
        wrong=wrong,
        final=wrong_end,
        broken=Broken(
            "no-version-check",
            "A write is taken whatever has been written since its broker read.",
            partial(moves, False),
        ),
        size=size,
        images=reorder,
    )


GRAPHS: Final = (
    race_of(2, 3, 2, Size(1_157, 1_902)),
    race_of(3, 3, 1, Size(4_274, 7_836)),
    race_of(4, 2, 1, Size(27_832, 66_792)),
)
