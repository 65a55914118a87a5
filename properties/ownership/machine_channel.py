"""The ownership channel as a Hypothesis state machine, over the reference or any other subject.

Hypothesis chooses who is asked, who reads, which work ends, who crashes and who leads. After every
step everything so far is put to the subject and judged by the clauses.
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule

from evenkeel.properties.machine import GrowingMachine
from evenkeel.properties.ownership.questions_channel import CHANNEL
from evenkeel.properties.ownership.trials_channel import (
    Ask,
    Assign,
    Bundle,
    ChannelCommand,
    ChannelTrial,
    Clean,
    Compact,
    Crash,
    Elapse,
    Elect,
    Finish,
    LoseSession,
    Monitor,
    Notice,
    Read,
    RegainSession,
    RestartBroker,
    Settle,
    Split,
    Unload,
)
from evenkeel.reference.ownership.records import Storage

BROKERS = st.integers(0, 1)
BUNDLES = st.sampled_from((Bundle.PARENT, Bundle.OTHER, Bundle.LEFT))
READ_ALL = (Read(0), Read(1), Read(0), Read(1))


class ChannelMachine(GrowingMachine[ChannelTrial, ChannelCommand]):
    """Two brokers around one topic or one store."""

    question = CHANNEL

    def first(self) -> ChannelTrial:
        """Nothing is assigned."""
        return ChannelTrial(Storage.TOPIC, 2, ())

    @initialize(storage=st.sampled_from(Storage), owner=BROKERS)
    def start(self, storage: Storage, owner: int) -> None:
        """A bundle is assigned."""
        self.trial = ChannelTrial(storage, 2, ())
        self.perform(Assign(0, Bundle.PARENT, owner), *READ_ALL)

    @rule(broker=BROKERS, bundle=BUNDLES)
    def ask(self, broker: int, bundle: Bundle) -> None:
        """A client asks."""
        self.perform(Ask(broker, bundle))

    @rule(broker=BROKERS, bundle=BUNDLES, to=BROKERS)
    def assign(self, broker: int, bundle: Bundle, to: int) -> None:
        """A bundle is assigned."""
        self.perform(Assign(broker, bundle, to))

    @rule(broker=BROKERS, bundle=BUNDLES, to=st.none() | BROKERS)
    def unload(self, broker: int, bundle: Bundle, to: int | None) -> None:
        """A bundle is unloaded or transferred."""
        self.perform(Unload(broker, bundle, to))

    @rule(broker=BROKERS)
    def split(self, broker: int) -> None:
        """The parent is split."""
        self.perform(Split(broker))

    @rule(broker=BROKERS)
    def read(self, broker: int) -> None:
        """A broker reads one change."""
        self.perform(Read(broker))

    @rule()
    def read_all(self) -> None:
        """Both read some changes."""
        self.perform(*READ_ALL)

    @rule(broker=BROKERS, bundle=BUNDLES, fails=st.booleans())
    def finish(self, broker: int, bundle: Bundle, fails: bool) -> None:
        """A work ends."""
        self.perform(Finish(broker, bundle, fails))

    @rule(broker=BROKERS)
    def crash_and_restart(self, broker: int) -> None:
        """A process ends, and begins anew unnoticed."""
        self.perform(Crash(broker), RestartBroker(broker))

    @rule(broker=BROKERS)
    def lose(self, broker: int) -> None:
        """A session ends."""
        self.perform(LoseSession(broker))

    @rule(broker=BROKERS)
    def regain(self, broker: int) -> None:
        """A session is there again."""
        self.perform(RegainSession(broker))

    @rule(broker=BROKERS, millis=st.sampled_from((31_000, 1_000, 181_000)))
    def look_after(self, broker: int, millis: int) -> None:
        """Time goes on, and a broker that is made leader sees to what it finds."""
        self.perform(Elapse(millis), Elect(broker), Notice(broker), Clean(broker), Monitor(broker))

    @rule()
    def compact(self) -> None:
        """The topic is compacted."""
        self.perform(Compact())

    @rule()
    def settle(self) -> None:
        """Everything comes to rest."""
        self.perform(Settle())
