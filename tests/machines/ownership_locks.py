"""The lock protocol as a Hypothesis state machine, over the reference or any other subject.

Hypothesis chooses who is asked, what the store answers and tells, and whose session ends. After
every step everything so far is put to the subject and judged by the clauses.
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import rule

from evenkeel.properties.kit.machine import GrowingMachine
from evenkeel.properties.ownership.locks import LOCKS
from evenkeel.properties.ownership.locks import trials as do
from evenkeel.properties.ownership.locks.trials import LocksCommand, LocksTrial, NamedBundle
from evenkeel.reference.ownership.locks.state import Sort

BROKERS = st.integers(0, 1)


class LocksMachine(GrowingMachine[LocksTrial, LocksCommand]):
    """Two brokers and one bundle."""

    question = LOCKS

    def first(self) -> LocksTrial:
        return LocksTrial(2, (NamedBundle(Sort.PLAIN, 0),), 0, ())

    @rule(broker=BROKERS, authoritative=st.booleans(), read_only=st.booleans())
    def look_up(self, broker: int, authoritative: bool, read_only: bool) -> None:
        self.perform(do.Lookup(broker, 0, authoritative, read_only, broker))

    @rule(broker=BROKERS, times=st.integers(1, 3))
    def answer(self, broker: int, times: int) -> None:
        self.perform(*(do.Answer(broker, 0) for _ in range(times)))

    @rule(broker=BROKERS)
    def take(self, broker: int) -> None:
        self.perform(do.Lookup(broker, 0, True, False, broker), *(do.Answer(broker, 0),) * 3)

    @rule(broker=BROKERS, preferred=BROKERS)
    def ask(self, broker: int, preferred: int) -> None:
        self.perform(do.Lookup(broker, 0, False, False, preferred), *(do.Answer(broker, 0),) * 2)

    @rule()
    def race(self) -> None:
        both = (do.Answer(0, 0), do.Answer(1, 0))
        self.perform(do.Lookup(0, 0, True, False, 0), do.Lookup(1, 0, True, False, 1), *both, *both)

    @rule(broker=BROKERS, done=st.booleans())
    def fail(self, broker: int, done: bool) -> None:
        self.perform(do.Fail(broker, 0, done))

    @rule(broker=BROKERS)
    def notify(self, broker: int) -> None:
        self.perform(do.Notify(broker, 0))

    @rule(broker=BROKERS)
    def unload(self, broker: int) -> None:
        self.perform(do.Unload(broker, 0))

    @rule(broker=BROKERS, how=st.sampled_from(tuple(do.Closing)))
    def close(self, broker: int, how: do.Closing) -> None:
        self.perform(do.Closed(broker, 0, how))

    @rule(broker=BROKERS)
    def expire(self, broker: int) -> None:
        self.perform(do.Expire(broker))

    @rule(broker=BROKERS)
    def disconnect(self, broker: int) -> None:
        self.perform(do.Disconnect(broker))

    @rule(broker=BROKERS)
    def reconnect(self, broker: int) -> None:
        self.perform(do.Reconnect(broker))

    @rule(broker=BROKERS, restarted=st.booleans())
    def crash(self, broker: int, restarted: bool) -> None:
        self.perform(do.Crash(broker), *((do.Restart(broker),) if restarted else ()))

    @rule(broker=BROKERS)
    def stop(self, broker: int) -> None:
        self.perform(do.Stop(broker))

    @rule(broker=BROKERS, preferred=BROKERS)
    def find(self, broker: int, preferred: int) -> None:
        self.perform(do.Find(broker, 0, preferred))

    @rule()
    def compare(self) -> None:
        self.perform(do.Views(0))
