"""What happens to a cluster, before any balancer acts: brokers, bundles, time and events.

A scenario is immutable data. One that could not happen cannot be constructed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar, Final

from evenkeel.reference.balancing.curves import Curve, Daily, Drift, Replay, Spike, Steady
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.shedding.cluster import MINUTE, BrokerId, BundleName, Millis
from evenkeel_engine.frame.errors import Refusal

MOST: Final = 1e15
"""Of messages or bytes a second: sums and quotients of such numbers stay exact enough."""
MOST_TIMES: Final = 1e6
"""The most that a bundle may get, as a multiple of its ordinary traffic."""
LEAST_SPEED: Final = 0.001
"""The least that is left of a slow broker."""
LONGEST_STEP: Final[Millis] = 24 * 60 * MINUTE


class BadScenario(Refusal):
    """A scenario that could not happen: `place` is the field, `reason` one sentence."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}")
        self.place = place
        self.reason = reason


@dataclass(frozen=True, slots=True)
class BrokerSpec:
    """A broker: the messages per second that fill its processor, and bytes/s in each direction.

    With m msg/s in plus out, i byte/s in and o byte/s out, its usage is the largest of
    m / `messages`, i / `bandwidth` and o / `bandwidth`.
    `present` says whether it is there from the beginning, or only after it joined.
    """

    id: BrokerId
    messages: float
    bandwidth: float
    present: bool = True


@dataclass(frozen=True, slots=True)
class BundleSpec:
    """A bundle, its traffic, how that changes over time, and its broker at the beginning.

    Without an owner its clients look it up at the beginning, and it is placed.
    """

    name: BundleName
    traffic: Traffic
    curve: Curve = Steady()
    owner: BrokerId | None = None


@dataclass(frozen=True, slots=True)
class Join:
    """A broker comes up, at `at` (ms).

    It has reported before the next lookup, unless its reports are late or lost then. One that is
    back before its session has expired may count by its last report until it reports again.
    """

    DO: ClassVar[str] = "join"
    at: Millis
    broker: BrokerId


@dataclass(frozen=True, slots=True)
class Leave:
    """A broker goes down cleanly, at `at` (ms).

    Its bundles are unloaded, and all brokers know at once. Nothing happens if it is down already.
    """

    DO: ClassVar[str] = "leave"
    at: Millis
    broker: BrokerId


@dataclass(frozen=True, slots=True)
class Crash:
    """A broker crashes, at `at` (ms); the others learn of it when its session expires.

    Clients look its bundles up when that is so and `reconnect` after the crash has passed as well,
    also if it has joined again before that. A bundle that is transferred to a broker that is down
    is looked up `transfer` after its move, and again at each step until a broker serves it.
    """

    DO: ClassVar[str] = "crash"
    at: Millis
    broker: BrokerId


@dataclass(frozen=True, slots=True)
class Slow:
    """For a while (ms), a broker's processor does only `factor` of what it could; of several such
    events that last, the slowest counts.
    """

    DO: ClassVar[str] = "slow"
    at: Millis
    broker: BrokerId
    factor: float
    lasts: Millis


@dataclass(frozen=True, slots=True)
class DelayReports:
    """For a while (ms), a broker's reports take `by` (ms) to arrive at the leader. One that a later
    one has overtaken does not count. The first one can be late, too. Of several such events that
    last, the longest `by` counts.
    """

    DO: ClassVar[str] = "delay-reports"
    at: Millis
    broker: BrokerId
    by: Millis
    lasts: Millis


@dataclass(frozen=True, slots=True)
class LoseReports:
    """For a while (ms), a broker's reports are lost, its first one included.

    Until a report has arrived, the leader knows nothing of the broker.
    """

    DO: ClassVar[str] = "lose-reports"
    at: Millis
    broker: BrokerId
    lasts: Millis


@dataclass(frozen=True, slots=True)
class LeaderChange:
    """Another broker becomes leader, at `at` (ms).

    Its memory is empty but for what the brokers have reported, averages of bundles included, and,
    but in 4.0, for what was moved when (BAL-4).
    """

    DO: ClassVar[str] = "leader-change"
    at: Millis


@dataclass(frozen=True, slots=True)
class Split:
    """A bundle is split automatically, at `at` (ms), into children with traffic of their own.

    `unload` is loadBalancerAutoUnloadSplitBundlesEnabled. Children that are unloaded are looked up
    `reconnect` after `at`. If no broker serves the bundle, they are looked up when it would have
    been. Nothing happens if there is no such bundle by then.
    """

    DO: ClassVar[str] = "split"
    at: Millis
    bundle: BundleName
    children: tuple[BundleSpec, ...]
    unload: bool = True


Event = Join | Leave | Crash | Slow | DelayReports | LoseReports | LeaderChange | Split


@dataclass(frozen=True, slots=True)
class Timing:
    """When things happen (ms). Brokers report every `step`; nothing happens between two steps. An
    event shows at the first step from `at` on. Its times count from `at`. One of them that ends at
    a step (`lasts`, `by`, `session`, `reconnect`, `transfer`) is over there.

    At each step bundles whose clients look them up are placed, by the reports that have come so
    far, of which the first says what a broker has at the beginning; then every broker reports what
    it carries now; then, if it is time, a round of shedding goes by these reports.

    To TransferShedder and its placement a broker reports moving averages: every five seconds since
    its last report each advances by `loadBalancerHistoryResourcePercentage`, towards what it
    carries now; they restart when it has gained or lost a bundle.

    A run begins at 0 and has `steps` steps: one moment more than steps.

    `shedding` is the time between two rounds of shedding (a multiple of `step`), `reconnect` what
    clients need until they look an unloaded bundle up, `transfer` what they need when the new
    owner is named to them, `session` how long a crashed broker is taken for alive. Rounds are at
    the multiples of `shedding`, and none is at 0.
    """

    steps: int
    step: Millis = MINUTE
    shedding: Millis = MINUTE
    reconnect: Millis = 1_000
    transfer: Millis = 0
    session: Millis = 30_000

    def __post_init__(self) -> None:
        _require(self.steps >= 1, "steps", "must be 1 or more")
        _require(1 <= self.step <= LONGEST_STEP, "step", "must be from 1 ms to a day")
        _require(
            self.shedding >= self.step and self.shedding % self.step == 0,
            "shedding",
            "must be a multiple of the step",
        )
        for place in ("reconnect", "transfer", "session"):
            _require(getattr(self, place) >= 0, place, "must be 0 ms or more")

    @property
    def end(self) -> Millis:
        """The last instant."""
        return self.steps * self.step


@dataclass(frozen=True, slots=True)
class Scenario:
    """A cluster and what happens to it."""

    brokers: tuple[BrokerSpec, ...]
    bundles: tuple[BundleSpec, ...]
    timing: Timing
    events: tuple[Event, ...] = ()

    def __post_init__(self) -> None:
        _require_unique("brokers", (broker.id for broker in self.brokers))
        _require_unique("bundles", (bundle.name for bundle in self.every_bundle))
        for index, broker in enumerate(self.brokers):
            _require_broker(broker, f"brokers[{index}]")
        present = {broker.id for broker in self.brokers if broker.present}
        _require(bool(present), "brokers", "at least one must be there from the beginning")
        for index, bundle in enumerate(self.bundles):
            _require_bundle(bundle, present, f"bundles[{index}]")
        known = {broker.id for broker in self.brokers}
        for index, event in enumerate(self.events):
            _require_event(event, known, f"events[{index}]")
        for index, (before, after) in enumerate(pairwise(self.events), 1):
            in_order = before.at <= after.at
            _require(in_order, f"events[{index}].at", "events must be in the order of time")

    @property
    def every_bundle(self) -> tuple[BundleSpec, ...]:
        """The bundles of the beginning, and those that splits make."""
        splits = (event for event in self.events if isinstance(event, Split))
        return (*self.bundles, *(child for split in splits for child in split.children))


def _require(condition: bool, place: str, reason: str) -> None:
    if not condition:
        raise BadScenario(place, reason)


def _require_unique(place: str, names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        _require(name not in seen, place, f"{name} is there twice")
        seen.add(name)


def _require_broker(broker: BrokerSpec, place: str) -> None:
    for name in ("messages", "bandwidth"):
        value = getattr(broker, name)
        _require(1 <= value <= MOST, f"{place}.{name}", "must be from 1 to 1e15")
    _require(bool(broker.id), f"{place}.id", "must not be empty")


def _require_bundle(bundle: BundleSpec, present: set[BrokerId], place: str) -> None:
    namespace, _, cut = bundle.name.rpartition("/")
    _require(bool(namespace) and bool(cut), f"{place}.name", "must be namespace/range")
    if bundle.owner is not None:
        sentence = f"{bundle.owner} is no broker that is there from the beginning"
        _require(bundle.owner in present, f"{place}.owner", sentence)
    _require_traffic(bundle.traffic, f"{place}.traffic")
    _require_curve(bundle.curve, f"{place}.curve")


def _require_traffic(traffic: Traffic, place: str) -> None:
    for name in ("msg_rate_in", "msg_rate_out", "throughput_in", "throughput_out"):
        value = getattr(traffic, name)
        _require(0 <= value <= MOST, f"{place}.{name}", "must be from 0 to 1e15")


def _require_curve(curve: Curve, place: str) -> None:
    match curve:
        case Spike(begin, end, factor):
            _require(0 <= begin <= end, f"{place}.end", "must not be before the spike begins")
            _require(0 <= factor <= MOST_TIMES, f"{place}.factor", "must be from 0 to 1e6")
        case Drift(per_hour, until):
            bounded = abs(per_hour) <= MOST_TIMES
            _require(bounded, f"{place}.per_hour", "must be from -1e6 to 1e6")
            _require(until >= 0, f"{place}.until", "must be 0 or more")
        case Daily(peak, low):
            _require(peak >= 0, f"{place}.peak", "must be 0 or more")
            _require(0 <= low <= 1, f"{place}.low", "must be from 0 to 1")
        case Replay(rows):
            _require(bool(rows), f"{place}.rows", "must have at least one row")
            for index, row in enumerate(rows):
                _require_traffic(row.traffic, f"{place}.rows[{index}].traffic")
            for index, (before, after) in enumerate(pairwise(rows), 1):
                later = before.at < after.at
                _require(later, f"{place}.rows[{index}].at", "must be later than the row before")
        case _:
            pass


def _require_event(event: Event, known: set[BrokerId], place: str) -> None:
    _require(event.at >= 0, f"{place}.at", "must be 0 or more")
    if isinstance(event, Split):
        _require(len(event.children) > 1, f"{place}.children", "must be two or more")
        for index, child in enumerate(event.children):
            _require_bundle(child, set(), f"{place}.children[{index}]")
    elif not isinstance(event, LeaderChange):
        _require(event.broker in known, f"{place}.broker", f"{event.broker} is no broker")
    if isinstance(event, Slow):
        _require(LEAST_SPEED <= event.factor <= 1, f"{place}.factor", "must be from 0.001 to 1")
    if isinstance(event, DelayReports):
        _require(event.by >= 0, f"{place}.by", "must be 0 or more")
    if isinstance(event, Slow | DelayReports | LoseReports):
        _require(event.lasts >= 0, f"{place}.lasts", "must be 0 or more")
