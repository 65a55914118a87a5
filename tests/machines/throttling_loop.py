"""The dispatch loop as a Hypothesis state machine, over the reference or any other subject.

Hypothesis chooses who reads, which read comes back, what is written, when time goes on and when
limits change. After every step everything so far is put to the subject and judged by the clauses.
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule

from evenkeel.properties.kit.machine import GrowingMachine
from evenkeel.properties.throttling.loop import LOOP
from evenkeel.properties.throttling.loop import trials as do
from evenkeel.properties.throttling.loop.trials import (
    LoopCommand,
    LoopSettings,
    LoopTopic,
    LoopTrial,
)
from evenkeel.reference.throttling.limiter import Mechanism
from evenkeel.reference.throttling.loop import Entry, LevelRates, Sort
from evenkeel.reference.throttling.rates import DispatchRate, Level
from evenkeel.reference.throttling.reading import REREAD_MILLIS

SUBSCRIPTIONS = st.integers(0, 2)


LIMITS = st.integers(1, 8)


BACKLOG = 60


class LoopMachine(GrowingMachine[LoopTrial, LoopCommand]):
    """One topic with a shared and an exclusive subscription, another with a shared one."""

    question = LOOP

    def first(self) -> LoopTrial:
        return self.trial_with(4, 1, False)

    def trial_with(self, limit: int, batch: int, by_entry: bool) -> LoopTrial:
        entries = (Entry(batch, 100),) * BACKLOG
        settings = LoopSettings(Mechanism.CLASSIC, 100, 5 << 20, 20, False, by_entry, True)
        rates = LevelRates(DispatchRate(), DispatchRate(limit), DispatchRate())
        topics = (
            LoopTopic(entries, (Sort.SHARED, Sort.EXCLUSIVE)),
            LoopTopic(entries, (Sort.SHARED,)),
        )
        return LoopTrial(settings, rates, topics, ())

    @initialize(limit=LIMITS, batch=st.sampled_from((1, 6, 2)), by_entry=st.booleans())
    def start(self, limit: int, batch: int, by_entry: bool) -> None:
        self.trial = self.trial_with(limit, batch, by_entry)
        self.perform(*(do.Flow(subscription, 1000) for subscription in range(3)))

    @rule(subscription=SUBSCRIPTIONS)
    def read(self, subscription: int) -> None:
        self.perform(do.ReadNow(subscription))

    @rule(subscription=SUBSCRIPTIONS, replay=st.booleans())
    def complete(self, subscription: int, replay: bool) -> None:
        self.perform(do.Complete(subscription, replay))

    @rule(subscription=SUBSCRIPTIONS)
    def turn(self, subscription: int) -> None:
        self.perform(
            do.ReadNow(subscription),
            do.Complete(subscription, False),
            do.Written(subscription, True),
        )

    @rule(succeeded=st.booleans())
    def written(self, succeeded: bool) -> None:
        self.perform(do.Written(1, succeeded))

    @rule(subscription=SUBSCRIPTIONS, entry=st.integers(0, 5))
    def redeliver(self, subscription: int, entry: int) -> None:
        self.perform(do.Redeliver(subscription, entry))

    @rule(subscription=SUBSCRIPTIONS)
    def change_consumer(self, subscription: int) -> None:
        self.perform(do.ChangeConsumer(subscription), do.Flow(subscription, 1000))

    @rule(periods=st.integers(1, 3), offset=st.sampled_from((0, -1, 1, 500)))
    def advance(self, periods: int, offset: int) -> None:
        self.perform(do.AdvanceLoop(periods * REREAD_MILLIS + offset))

    @rule(level=st.sampled_from(tuple(Level)), limit=st.integers(0, 8))
    def configure(self, level: Level, limit: int) -> None:
        self.perform(do.ConfigureLevel(level, DispatchRate(limit)))
