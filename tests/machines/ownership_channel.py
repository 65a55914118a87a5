"""The ownership channel as a Hypothesis state machine, over the reference or any other subject.

Hypothesis chooses who is asked, who reads, which work ends, who crashes and who leads. After every
step everything so far is put to the subject and judged by the clauses.
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule

from evenkeel.properties.kit.machine import GrowingMachine
from evenkeel.properties.ownership.channel import CHANNEL
from evenkeel.properties.ownership.channel import trials as do
from evenkeel.properties.ownership.channel.trials import Bundle, ChannelCommand, ChannelTrial
from evenkeel.reference.ownership.records import Storage

BROKERS = st.integers(0, 1)


BUNDLES = st.sampled_from((Bundle.PARENT, Bundle.OTHER, Bundle.LEFT))


READ_ALL = (do.Read(0), do.Read(1), do.Read(0), do.Read(1))


class ChannelMachine(GrowingMachine[ChannelTrial, ChannelCommand]):
    """Two brokers around one topic or one store."""

    question = CHANNEL

    def first(self) -> ChannelTrial:
        return ChannelTrial(Storage.TOPIC, 2, ())

    @initialize(storage=st.sampled_from(Storage), owner=BROKERS)
    def start(self, storage: Storage, owner: int) -> None:
        self.trial = ChannelTrial(storage, 2, ())
        self.perform(do.Assign(0, Bundle.PARENT, owner), *READ_ALL)

    @rule(broker=BROKERS, bundle=BUNDLES)
    def ask(self, broker: int, bundle: Bundle) -> None:
        self.perform(do.Ask(broker, bundle))

    @rule(broker=BROKERS, bundle=BUNDLES, to=BROKERS)
    def assign(self, broker: int, bundle: Bundle, to: int) -> None:
        self.perform(do.Assign(broker, bundle, to))

    @rule(broker=BROKERS, bundle=BUNDLES, to=st.none() | BROKERS)
    def unload(self, broker: int, bundle: Bundle, to: int | None) -> None:
        self.perform(do.Unload(broker, bundle, to))

    @rule(broker=BROKERS)
    def split(self, broker: int) -> None:
        self.perform(do.Split(broker))

    @rule(broker=BROKERS)
    def read(self, broker: int) -> None:
        self.perform(do.Read(broker))

    @rule()
    def read_all(self) -> None:
        self.perform(*READ_ALL)

    @rule(broker=BROKERS, bundle=BUNDLES, fails=st.booleans())
    def finish(self, broker: int, bundle: Bundle, fails: bool) -> None:
        self.perform(do.Finish(broker, bundle, fails))

    @rule(broker=BROKERS)
    def crash_and_restart(self, broker: int) -> None:
        self.perform(do.Crash(broker), do.RestartBroker(broker))

    @rule(broker=BROKERS)
    def lose(self, broker: int) -> None:
        self.perform(do.LoseSession(broker))

    @rule(broker=BROKERS)
    def regain(self, broker: int) -> None:
        self.perform(do.RegainSession(broker))

    @rule(broker=BROKERS, millis=st.sampled_from((31_000, 1_000, 181_000)))
    def look_after(self, broker: int, millis: int) -> None:
        self.perform(
            do.Elapse(millis),
            do.Elect(broker),
            do.Notice(broker),
            do.Clean(broker),
            do.Monitor(broker),
        )

    @rule()
    def compact(self) -> None:
        self.perform(do.Compact())

    @rule()
    def settle(self) -> None:
        self.perform(do.Settle())
