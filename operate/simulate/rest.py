"""Whether a run comes to rest: nothing moves any more, however long it continues.

A quiet stretch is no rest: bundles under a grace period stay until it is over, and averages need
rounds to follow the load. So a run is continued beyond its end until its whole state recurs: the
cluster, what the leader knows, and what the balancer remembers, with times as ages. What follows is
then the same again. If nothing moved in between, nothing ever will; if something did, and no choice
was open, bundles move without end. Where no state recurs, all that is known is that the run is not
at rest within the time looked at.

Averages only ever approach a limit; they are compared to nine digits.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, field, replace
from typing import Any, Final

from evenkeel.properties.balancing.loop.trials import BalancingTrial
from evenkeel.reference.balancing import loop, placements, shedders, strategies
from evenkeel.reference.balancing.balancer import Balancer, Choice, Choose, Hire, Placement
from evenkeel.reference.balancing.curves import DAY, Curve, Daily, Drift, Replay, Spike
from evenkeel.reference.balancing.history import History, Moment
from evenkeel.reference.balancing.leader import Leader, Sent, View
from evenkeel.reference.balancing.loop import State
from evenkeel.reference.balancing.scenario import Crash, DelayReports, LoseReports, Scenario, Slow
from evenkeel.reference.balancing.settings import Settings
from evenkeel.reference.edition import EDITIONS, Edition
from evenkeel.reference.load.averages import Average
from evenkeel.reference.shedding.cluster import MINUTE, BrokerId, BundleName, Millis

DIGITS: Final = 9
"""Averages that are equal to this many significant digits are taken for equal."""
SECOND: Final[Millis] = 1000
DAYS: Final = 3
"""How many days are looked at where traffic follows the day."""


@dataclass(frozen=True, slots=True)
class Rest:
    """`since`: from when on nothing moves any more and everything is served, None if that was not
    found. `looked`: how far the run was continued. `endless`: the state recurs, bundles move in
    between, and no choice was open. `known`: the balancer's memory can be compared; that of a
    subject cannot.
    """

    since: Millis | None
    looked: Millis
    endless: bool = False
    known: bool = True

    @property
    def unrest(self) -> str:
        """What is known where it does not rest, after "it"."""
        if self.endless:
            return "moves bundles without end"
        if not self.known:
            return "has a memory that cannot be compared, so whether it rests is not known"
        return f"is not at rest within {self.looked / MINUTE:g} min"


def carried_out(trial: BalancingTrial, edition: Edition) -> tuple[History, Rest]:
    """The run until its end, and whether it comes to rest."""
    scenario, settings = trial.scenario, trial.balancer.settings
    asked = CountedChoices(loop.seed_choices(trial.seed))
    steps = loop.walk(
        scenario, asked.wrap_hire(strategies.hiring(trial.balancer, edition)), asked.choose, edition
    )
    return follow_to_rest(scenario, settings, steps, asked)


def carried_out_all(tasks: Iterable[Sequence[Any]]) -> Iterator[tuple[int, History, Rest]]:
    """Runs with the numbers of their tasks, (number, trial, edition's name): a worker's job."""
    for number, trial, edition in tasks:
        yield number, *carried_out(trial, EDITIONS[edition])


def follow_to_rest(
    scenario: Scenario,
    settings: Settings,
    steps: Iterator[tuple[State, Moment]],
    asked: CountedChoices,
) -> tuple[History, Rest]:
    """The moments until the end, and whether the steps come to rest."""
    end, begin = scenario.timing.end, settled_at(scenario)
    # A day and some grace periods after the last change of traffic: not by the run's end, so that a
    # longer run gives the same answer.
    days = DAYS if is_daily(scenario) else 1
    limit = max(end, begin + days * DAY + 4 * settings.grace_minutes * MINUTE)
    moments: list[Moment] = []
    watch = Watch(asked)
    found: Rest | None = None
    for state, moment in steps:
        if moment.at <= end:
            moments.append(moment)
        if found is None:
            watch.step(moment)
            if moment.at >= begin:
                found = watch.recurs(moment.at, state_key(state, scenario, settings, moment.at))
        if moment.at >= end and (found is not None or moment.at >= limit):
            break
    return History(tuple(moments)), found or Rest(None, limit)


@dataclass(slots=True)
class Watch:
    """Looks for a state that recurs."""

    asked: CountedChoices
    quiet_since: Millis | None = None
    last_restless: int = -1
    index: int = -1
    seen: dict[int, tuple[int, int]] = field(default_factory=dict)
    whole: dict[int, tuple[int, int]] = field(default_factory=dict)

    def step(self, moment: Moment) -> None:
        """A step was taken."""
        self.index += 1
        if moment.moves or moment.away:
            self.quiet_since, self.last_restless = None, self.index
        elif self.quiet_since is None:
            self.quiet_since = moment.at

    def recurs(self, now: Millis, key: tuple[Hashable, Hashable]) -> Rest | None:
        """What follows if this state was there before. None: it was not, or a choice was open.

        `key` is the state without what only placement looks at, and that. The former is enough
        where placement was not consulted in between.
        """
        part, whole = hash(key[0]), hash(key)
        index, placements = self.seen.get(part, (-1, -1))
        if index > self.last_restless and placements == self.asked.placements:
            return Rest(self.quiet_since, now)
        index, choices = self.whole.get(whole, (-1, -1))
        if choices == self.asked.choices:
            quiet = index > self.last_restless
            return Rest(self.quiet_since, now) if quiet else Rest(None, now, endless=True)
        self.seen[part] = self.index, self.asked.placements
        self.whole[whole] = self.index, self.asked.choices
        return None


class CountedChoices:
    """Counts how often placement was consulted, and how often a choice was open."""

    def __init__(self, choose: Choose) -> None:
        self._choose = choose
        self.choices = 0
        self.placements = 0

    def choose(self, choice: Choice) -> BrokerId:
        """An open choice."""
        self.choices += 1
        return self._choose(choice)

    def wrap_hire(self, hire: Hire) -> Hire:
        """Balancers with placements that are counted."""

        def hire_counted() -> Balancer:
            balancer = hire()
            return replace(balancer, placement=CountedPlacement(balancer.placement, self))

        return hire_counted


@dataclass(frozen=True, slots=True)
class CountedPlacement:
    """A placement that is counted."""

    inner: Placement
    asked: CountedChoices

    def list_allowed(self, bundle: BundleName, view: View) -> Sequence[BrokerId]:
        """As the placement allows."""
        self.asked.placements += 1
        return self.inner.list_allowed(bundle, view)

    def note_choice(self, bundle: BundleName, broker: BrokerId, view: View) -> None:
        """The placement is informed."""
        self.inner.note_choice(bundle, broker, view)


# -------------------------------------------------------------------------- changes from outside


def settled_at(scenario: Scenario) -> Millis:
    """From when on nothing changes from outside, but for the time of day."""
    ends = [0]
    for event in scenario.events:
        match event:
            case Slow(at=at, lasts=lasts) | LoseReports(at=at, lasts=lasts):
                ends.append(at + lasts)
            case DelayReports(at=at, by=by, lasts=lasts):
                ends.append(at + lasts + by)
            case Crash(at=at):
                ends.append(at + max(scenario.timing.session, scenario.timing.reconnect))
            case _:
                ends.append(event.at)
    ends += [changes_until(bundle.curve) for bundle in scenario.every_bundle]
    return max(ends)


def changes_until(curve: Curve) -> Millis:
    """When a curve has become steady, or follows the day."""
    match curve:
        case Drift(until=until):
            return until
        case Spike(end=end):
            return end
        case Replay(rows=rows):
            return rows[-1].at
        case _:
            return 0


def is_daily(scenario: Scenario) -> bool:
    """Whether some bundle's traffic follows the day."""
    return any(isinstance(bundle.curve, Daily) for bundle in scenario.every_bundle)


# -------------------------------------------------------------------------------- states


def round_significant(value: float) -> float:
    """A number to `DIGITS` significant digits."""
    return float(f"{value:.{DIGITS - 1}e}")


def averages_of(average: Average) -> tuple[float, ...]:
    """A running average; of how many samples it is shows in how it changes."""
    return tuple(map(round_significant, astuple(average.traffic)))


def state_key(
    state: State, scenario: Scenario, settings: Settings, now: Millis
) -> tuple[Hashable, Hashable]:
    """A state with ages for times: without what only placement looks at, and that."""
    world, leader, timing = state.world, state.leader, scenario.timing
    cluster = (
        now % timing.shedding,
        now % DAY if is_daily(scenario) else 0,
        world.up,
        tuple((broker, at - now) for broker, at in world.dying.items()),
        frozenset(world.owner.items()),
        tuple((name, one.back_at - now, one.destination) for name, one in world.away.items()),
    )
    bundles = leader.known.bundles
    for_placement = (
        tuple((name, averages_of(one.long_term)) for name, one in bundles.items()),
        tuple(leader.preallocated.items()),
        tuple(leader.planned.items()),
        leader.relieving,
        placement_memory(state.balancer.placement, now),
    )
    known = tuple((name, averages_of(one.short_term)) for name, one in bundles.items())
    memory = shedder_memory(state.balancer, leader, settings)
    return (cluster, known, leader_key(leader, settings, now), memory), for_placement


def leader_key(leader: Leader, settings: Settings, now: Millis) -> Hashable:
    """What the leader knows but for averages. A cool-down counts while it lasts (SHD-50)."""
    delay, oldest = settings.delay_seconds * SECOND, (settings.ttl_seconds + 1) * SECOND
    return (
        tuple((broker, min(now - sent.sent_at, oldest)) for broker, sent in leader.latest.items()),
        tuple(report_key(sent) for sent in leader.latest.values()),
        tuple(
            (one.broker, now - one.sent_at, now - one.arrives_at, report_key(one))
            for one in leader.on_their_way
        ),
        frozenset((bundle, now - at) for bundle, at in leader.recently_unloaded.items()),
        frozenset(
            (broker, max(0, at + delay - leader.latest[broker].sent_at))
            for broker, at in leader.unloaded_brokers.items()
            if broker in leader.latest
        ),
    )


def report_key(sent: Sent) -> Hashable:
    """What a report says."""
    return sent.report, tuple(sent.traffic.items())


def shedder_memory(balancer: Balancer, leader: Leader, settings: Settings) -> Hashable:
    """What a shedder remembers between rounds. Hits beyond what is enough count alike."""
    shedder: Any = balancer.shedder
    match shedder:
        case shedders.Threshold():
            return tuple((name, round_significant(one)) for name, one in shedder._history.items())
        case shedders.Transfer():
            latest = leader.latest.values()
            return (
                min(shedder._hits, max(0, settings.hit_threshold) + 1),
                tuple(tuple(map(round_significant, shedder._averages.of(sent))) for sent in latest),
            )
        case shedders.Avg():
            low, high = max(0, settings.low_hits), max(0, settings.high_hits)
            return frozenset(
                (party, min(hits.low, low), min(hits.high, high))
                for party, hits in shedder._state.hits.items()
            )
        case _:
            return None


def placement_memory(placement: Any, now: Millis) -> Hashable:
    """What a placement remembers; where that cannot be compared, the time, which never recurs."""
    match placement:
        case CountedPlacement(inner=inner):
            return placement_memory(inner, now)
        case placements.ResourceUsage():
            return tuple(
                (name, round_significant(float(one))) for name, one in placement._history.items()
            )
        case placements.RoundRobin():
            turn = placement._turn
            return turn.order, turn.counter % max(1, len(turn.order))
        case placements.AvgPlacement() if not placement.edition.plans_end_with_round:
            return now
        case _:
            return None
