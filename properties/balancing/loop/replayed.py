"""A run held against the strategies with the same open choices (BAL-11).

The reference runs the trial again, and wherever a strategy leaves a choice open it does what the
subject chose. A choice that was not open, and whatever then differs, is an error. What is shed
is for the clauses of the shedding strategy to judge (`watched`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from evenkeel.properties.balancing.loop.trial import BalancingTrial
from evenkeel.properties.balancing.loop.watched import Watched
from evenkeel.properties.clause import Violation
from evenkeel.properties.judging.tolerance import SINGLE, Tolerance, tolerance_of
from evenkeel.properties.plain import plain
from evenkeel.reference.balancing import loop, strategies
from evenkeel.reference.balancing.balancer import Alone, Balancer, Choice, Hire, Placement
from evenkeel.reference.balancing.curves import Steady
from evenkeel.reference.balancing.history import Gauge, History, Moment
from evenkeel.reference.balancing.leader import View
from evenkeel.reference.balancing.settings import Strategy
from evenkeel.reference.edition import Edition
from evenkeel.reference.errors import Breakage
from evenkeel.reference.shedding.cluster import BrokerId, BundleName, Millis

BY_WEIGHT: Final = frozenset(
    f"SHD-{number}"
    for number in (12, 13, 21, 22, 23, 24, 25, 31, 33, 35, 36, 41, 81, 84, 85, 86, 88, 97, 100)
)
"""Clauses of the modular shedders by which it matters what bundles weigh. Where their load changes
it is not told how a leader averages it, and the documents do not say (LOA-20 and after).
"""


class Chooser:
    """Makes the choices that can be seen in a history."""

    def __init__(self, history: History) -> None:
        self._placed: dict[tuple[Millis, BundleName], BrokerId] = {}
        self._destined: dict[tuple[Millis, BundleName], BrokerId | None] = {}
        self._up: dict[Millis, set[BrokerId]] = {}
        for moment in history.moments:
            at = moment.at
            self._placed |= {(at, placed.bundle): placed.broker for placed in moment.placed}
            self._destined |= {(at, move.bundle): move.destination for move in moment.moves}
            self._up[at] = {gauge.broker for gauge in moment.gauges}

    def __call__(self, choice: Choice) -> BrokerId:
        """What the subject chose; what it must have chosen where nothing came of it."""
        key = (choice.now, choice.bundle)
        if choice.source is not None:
            seen = self._destined.get(key, choice.source)
        else:
            seen = self._placed.get(key)
        if seen in choice.allowed and seen is not None:
            return seen
        up = self._up.get(choice.now, set())
        dead = [broker for broker in choice.allowed if broker not in up]
        return dead[0] if dead and choice.source is None else choice.allowed[0]


class AsPlaced:
    """A placement that places as the subject did. By the documents it is for BAL-22, BAL-26 and
    BAL-27 to say where bundles go; who departs there is not to blame for what follows from it.

    `elsewhere`: what the strategy does not allow, as far as it is known.
    """

    def __init__(self, inner: Placement, observed: History, elsewhere: list[Violation]) -> None:
        self._inner, self._elsewhere = inner, elsewhere
        self._placed = {
            (moment.at, placed.bundle): placed.broker
            for moment in observed.moments
            for placed in moment.placed
        }
        self._up = {m.at: {gauge.broker for gauge in m.gauges} for m in observed.moments}

    def allowed(self, bundle: BundleName, view: View) -> Sequence[BrokerId]:
        """Whom the strategy allows; or else where the bundle went, if that broker is there. If it
        went nowhere, one may have been chosen that is gone, and is not known to be.
        """
        found = self._inner.allowed(bundle, view)
        seen = self._placed.get((view.now, bundle))
        if seen is None:
            up = self._up.get(view.now, set())
            return (*found, *(b for b in view.active if b not in found and b not in up))
        if seen in found or seen not in view.active:
            return found
        wanted = " or ".join(found) or "nobody"
        sentence = f"at {view.now} ms {bundle} goes to {seen}, must go to {wanted}"
        self._elsewhere.append(Violation(sentence, "elsewhere"))
        return (seen,)

    def chosen(self, bundle: BundleName, broker: BrokerId, view: View) -> None:
        """For the strategy, too, it is the chosen one."""
        self._inner.chosen(bundle, broker, view)


def replayed(trial: BalancingTrial, observed: History, edition: Edition, hire: Hire) -> History:
    """The run of these balancers, with the choices of an observed one wherever they are open."""
    return loop.run(trial.scenario, hire, Chooser(observed), edition)


def equal_moments(trial: BalancingTrial, observed: History, edition: Edition, hire: Hire) -> int:
    """How many moments are the reference's with the same open choices."""
    right = replayed(trial, observed, edition, hire)
    pairs = zip(observed.moments, right.moments, strict=False)
    tolerance = tolerance_of(edition)
    return sum(difference(seen, known, tolerance) is None for seen, known in pairs)


@dataclass(frozen=True, slots=True)
class Reading:
    """What the documents leave open. `alone`: what a broker does that is alone;
    `last_moment_free`: a bundle may go at the last moment of its grace period.
    """

    alone: Alone
    last_moment_free: bool = False


def unlike_strategies(
    trial: BalancingTrial,
    observed: History,
    edition: Edition,
    reading: Reading,
    elsewhere: list[Violation],
) -> Violation | None:
    """What the strategies, so read, do not allow of an observed run; `elsewhere` gets what their
    placements do not, where they are followed all the same.
    """
    hire, watched = strategies.hiring(trial.balancer, edition), list[Watched]()
    tolerance = tolerance_of(edition)
    steady = all(isinstance(bundle.curve, Steady) for bundle in trial.scenario.every_bundle)
    excused = frozenset() if tolerance.exact or steady else BY_WEIGHT

    def watch() -> Balancer:
        balancer = hire()
        seen = (trial.balancer, observed, edition, reading.last_moment_free, excused)
        watched.append(Watched(balancer.shedder, *seen))
        if not tolerance.exact:
            followed = AsPlaced(balancer.placement, observed, elsewhere)
            balancer = replace(balancer, placement=followed)
        return replace(balancer, shedder=watched[-1], alone=reading.alone)

    try:
        right = replayed(trial, observed, edition, watch)
    except Breakage as breakage:
        return Violation(f"must break: {breakage}", "no breakage")
    if len(right.moments) != len(observed.moments):
        return Violation(f"{len(observed.moments)} moments, not {len(right.moments)}", "shape")
    objections = (one.objection() for one in watched)
    open_ = not tolerance.exact and trial.balancer.strategy is Strategy.AVG
    compared = told_nobody if open_ else as_told
    differences = (
        difference(compared(seen), compared(known), tolerance)
        for seen, known in zip(observed.moments, right.moments, strict=True)
    )
    return next(filter(None, objections), None) or next(filter(None, differences), None)


def alike(gauge: Gauge, known: Gauge, tolerance: Tolerance) -> bool:
    """The same numbers, but for rounding: sums in another order may round a usage, which is in
    single precision, the other way in every edition.
    """
    return (
        abs(gauge.usage - known.usage) <= SINGLE * max(1.0, abs(known.usage))
        and same_sum(gauge.msg_rate, known.msg_rate, tolerance)
        and same_sum(gauge.throughput, known.throughput, tolerance)
    )


def same_sum(one: float, other: float, tolerance: Tolerance) -> bool:
    """Whether two sums can be the same but for the order of adding."""
    return one == other or tolerance.as_sum(one).may_equal(tolerance.as_sum(other))


def as_told(moment: Moment) -> Moment:
    """The moment as it is."""
    return moment


def told_nobody(moment: Moment) -> Moment:
    """The moment without where moves are to go: AvgShedder may say for whom it sheds, or not. What
    it says is held against where the bundle goes (BAL-27).
    """
    return replace(moment, moves=tuple(replace(one, destination=None) for one in moment.moves))


def in_words(moves: Iterable[object]) -> str:
    """Moves in words, in a fixed order."""
    return "; ".join(sorted(map(str, map(plain, moves)))) or "nothing"


def difference(seen: Moment, known: Moment, tolerance: Tolerance) -> Violation | None:
    """What is not as it must be at a moment."""
    if seen == known:
        return None
    if set(seen.placed) != set(known.placed):
        wrong = f"at {seen.at} ms placed: must be {plain(known.placed)}, not {plain(seen.placed)}"
        return Violation(wrong, "placed")
    same = len(seen.gauges) == len(known.gauges) and all(
        one.broker == other.broker and alike(one, other, tolerance)
        for one, other in zip(seen.gauges, known.gauges, strict=True)
    )
    if not same:
        return Violation(
            f"at {seen.at} ms: must be {plain(known.gauges)}, not {plain(seen.gauges)}", "gauges"
        )
    wanted = {(move.bundle, move.source, move.destination, move.transfer) for move in known.moves}
    moved = {(move.bundle, move.source, move.destination, move.transfer) for move in seen.moves}
    if moved != wanted:
        right, given = in_words(wanted - moved), in_words(moved - wanted)
        return Violation(f"at {seen.at} ms moved: must be {right}, not {given}", "moved")
    return None
