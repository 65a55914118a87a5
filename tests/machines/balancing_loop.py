"""The closed loop as a Hypothesis state machine, over the reference or any other subject.

Hypothesis chooses who balances and how, which brokers come, go, slow down or report late, how loads
change, and how long it takes to the next thing. Whenever time passes, the whole run so far is put
to the subject and judged by the clauses.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from evenkeel.properties.balancing.loop import LOOP
from evenkeel.properties.balancing.loop.trials import BalancingTrial
from evenkeel.properties.kit.machine import Machine
from evenkeel.reference.balancing.curves import Replay, Row, Steady
from evenkeel.reference.balancing.scenario import (
    BrokerSpec,
    BundleSpec,
    Crash,
    DelayReports,
    Event,
    Join,
    LeaderChange,
    Leave,
    LoseReports,
    Scenario,
    Slow,
    Timing,
)
from evenkeel.reference.balancing.settings import USUAL_PLACER, BalancerSpec, Settings, Strategy
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.shedding.cluster import MINUTE, BrokerId, BundleName, Millis

BROKERS: Final = tuple(BrokerId(f"{name}:1") for name in "abc")


WEIGHTS: Final = (5, 10, 10, 20, 20, 25)
"""What the bundles weigh at first, in hundredths of a broker."""


BUNDLES: Final = tuple(
    BundleName(f"t/n/0x{i:x}0000000_0x{i + 1:x}0000000") for i in range(len(WEIGHTS))
)


SPREADS: Final = ((2, 1, 1, 0, 0, 0), (0, 0, 0, 0, 0, 0), (0, 1, 2, 0, 1, 2))
"""Which broker serves each bundle at first: 65, 20 and 5 %; 90 % with one; about alike."""


SETTINGS: Final = Settings(
    grace_minutes=2,
    min_throughput=0.0,
    max_unload_share=0.5,
    min_unload_rate=0,
    min_unload_throughput=0,
    low_hits=3,
    distribute_evenly=False,
    hit_threshold=1,
    delay_seconds=60,
)


MOST_MINUTES: Final = 30


CALM_MINUTES: Final = 4
"""At first nothing happens, so that what is promised under constant load is seen, too."""


some_broker = st.sampled_from(BROKERS)


some_minutes = st.sampled_from((2, 1, 5))


def traffic(weight: int) -> Traffic:
    return Traffic(50.0 * weight, 50.0 * weight, weight * 1e6, weight * 1e6)


def is_under_way(machine: LoopMachine) -> bool:
    return machine.minutes >= CALM_MINUTES


class LoopMachine(Machine[BalancingTrial]):
    """Three brokers of 10,000 msg/s and 100 MB/s, six bundles of one namespace."""

    question = LOOP

    def __init__(self) -> None:
        super().__init__()
        self.strategy = Strategy.OVERLOAD
        self.settings = SETTINGS
        self.timing = Timing(1, MINUTE, MINUTE, 1000, 0, 30_000)
        self.owners: tuple[BrokerId | None, ...] = (BROKERS[0],) * len(BUNDLES)
        self.events: tuple[Event, ...] = ()
        self.rows: dict[BundleName, tuple[Row, ...]] = {
            bundle: (Row(0, traffic(weight)),)
            for bundle, weight in zip(BUNDLES, WEIGHTS, strict=True)
        }
        self.minutes = 0

    @property
    def soon(self) -> Millis:
        return self.minutes * MINUTE + MINUTE // 2

    def trial(self) -> BalancingTrial:
        bundles = tuple(
            BundleSpec(
                bundle,
                rows[0].traffic,
                Replay(rows) if len(rows) > 1 else Steady(),
                owner,
            )
            for (bundle, rows), owner in zip(self.rows.items(), self.owners, strict=True)
        )
        brokers = tuple(BrokerSpec(broker, 10_000.0, 100e6) for broker in BROKERS)
        timing = replace(self.timing, steps=self.minutes)
        spec = BalancerSpec(self.strategy, USUAL_PLACER[self.strategy], self.settings)
        return BalancingTrial(Scenario(brokers, bundles, timing, self.events), spec, 1)

    @initialize(
        strategy=st.sampled_from([each for each in Strategy if each is not Strategy.NONE]),
        spread=st.sampled_from(SPREADS),
        grace=st.sampled_from((2, 0, 30)),
        reconnect=st.sampled_from((1000, 150_000)),
    )
    def start(
        self, strategy: Strategy, spread: tuple[int, ...], grace: int, reconnect: Millis
    ) -> None:
        self.strategy = strategy
        self.settings = replace(SETTINGS, grace_minutes=grace)
        self.timing = replace(self.timing, reconnect=reconnect)
        self.owners = tuple(BROKERS[number] for number in spread)

    @rule(minutes=some_minutes)
    def let_time_pass(self, minutes: int) -> None:
        if self.minutes + minutes > MOST_MINUTES:
            return
        self.minutes += minutes
        self.put(self.trial())

    def happens(self, *events: Event) -> None:
        self.events = (*self.events, *events)

    @precondition(is_under_way)
    @rule(bundle=st.sampled_from(BUNDLES), weight=st.sampled_from((40, 1, 0, 90)))
    def load_changes(self, bundle: BundleName, weight: int) -> None:
        at = (self.minutes + 1) * MINUTE
        earlier = tuple(row for row in self.rows[bundle] if row.at < at)
        self.rows[bundle] = (*earlier, Row(at, traffic(weight)))

    @precondition(is_under_way)
    @rule(broker=some_broker)
    def crash(self, broker: BrokerId) -> None:
        self.happens(Crash(self.soon, broker))

    @precondition(is_under_way)
    @rule(broker=some_broker)
    def leave(self, broker: BrokerId) -> None:
        self.happens(Leave(self.soon, broker))

    @precondition(is_under_way)
    @rule(broker=some_broker)
    def join(self, broker: BrokerId) -> None:
        self.happens(Join(self.soon, broker))

    @precondition(is_under_way)
    @rule(broker=some_broker, minutes=some_minutes)
    def slow_down(self, broker: BrokerId, minutes: int) -> None:
        self.happens(Slow(self.soon, broker, 0.5, minutes * MINUTE))

    @precondition(is_under_way)
    @rule(broker=some_broker, minutes=some_minutes, lost=st.booleans())
    def disturb_reports(self, broker: BrokerId, minutes: int, lost: bool) -> None:
        lasts = minutes * MINUTE
        late = DelayReports(self.soon, broker, 90_000, lasts)
        self.happens(LoseReports(self.soon, broker, lasts) if lost else late)

    @precondition(is_under_way)
    @rule()
    def change_leader(self) -> None:
        self.happens(LeaderChange(self.soon))
