"""The lock protocol as a Hypothesis state machine, over the reference or any other subject.

Hypothesis chooses who is asked, what the store answers and tells, and whose session ends. After
every step everything so far is put to the subject and judged by the clauses.
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import rule

from evenkeel.properties.machine import GrowingMachine
from evenkeel.properties.ownership.questions_locks import LOCKS
from evenkeel.properties.ownership.trials_locks import (
    Answer,
    Closed,
    Closing,
    Crash,
    Disconnect,
    Expire,
    Fail,
    Find,
    LocksCommand,
    LocksTrial,
    Lookup,
    NamedBundle,
    Notify,
    Reconnect,
    Restart,
    Stop,
    Unload,
    Views,
)
from evenkeel.reference.ownership.locks_state import Sort

BROKERS = st.integers(0, 1)


class LocksMachine(GrowingMachine[LocksTrial, LocksCommand]):
    """Two brokers and one bundle."""

    question = LOCKS

    def first(self) -> LocksTrial:
        """Nobody has the bundle."""
        return LocksTrial(2, (NamedBundle(Sort.PLAIN, 0),), 0, ())

    @rule(broker=BROKERS, authoritative=st.booleans(), read_only=st.booleans())
    def look_up(self, broker: int, authoritative: bool, read_only: bool) -> None:
        """A client asks."""
        self.perform(Lookup(broker, 0, authoritative, read_only, broker))

    @rule(broker=BROKERS, times=st.integers(1, 3))
    def answer(self, broker: int, times: int) -> None:
        """The store answers."""
        self.perform(*(Answer(broker, 0) for _ in range(times)))

    @rule(broker=BROKERS)
    def take(self, broker: int) -> None:
        """A broker takes the bundle, if nobody has it."""
        self.perform(Lookup(broker, 0, True, False, broker), *(Answer(broker, 0),) * 3)

    @rule(broker=BROKERS, preferred=BROKERS)
    def ask(self, broker: int, preferred: int) -> None:
        """A first lookup, and what it needs of the store."""
        self.perform(Lookup(broker, 0, False, False, preferred), *(Answer(broker, 0),) * 2)

    @rule()
    def race(self) -> None:
        """Two brokers take the bundle at once."""
        both = (Answer(0, 0), Answer(1, 0))
        self.perform(Lookup(0, 0, True, False, 0), Lookup(1, 0, True, False, 1), *both, *both)

    @rule(broker=BROKERS, done=st.booleans())
    def fail(self, broker: int, done: bool) -> None:
        """An answer is lost."""
        self.perform(Fail(broker, 0, done))

    @rule(broker=BROKERS)
    def notify(self, broker: int) -> None:
        """A broker is told of a change."""
        self.perform(Notify(broker, 0))

    @rule(broker=BROKERS)
    def unload(self, broker: int) -> None:
        """An operator asks for an unload."""
        self.perform(Unload(broker, 0))

    @rule(broker=BROKERS, how=st.sampled_from(tuple(Closing)))
    def close(self, broker: int, how: Closing) -> None:
        """Topics are closed, or not in time."""
        self.perform(Closed(broker, 0, how))

    @rule(broker=BROKERS)
    def expire(self, broker: int) -> None:
        """A session ends."""
        self.perform(Expire(broker))

    @rule(broker=BROKERS)
    def disconnect(self, broker: int) -> None:
        """A connection breaks."""
        self.perform(Disconnect(broker))

    @rule(broker=BROKERS)
    def reconnect(self, broker: int) -> None:
        """A broker is connected again."""
        self.perform(Reconnect(broker))

    @rule(broker=BROKERS, restarted=st.booleans())
    def crash(self, broker: int, restarted: bool) -> None:
        """A process is gone; perhaps a new one comes."""
        self.perform(Crash(broker), *((Restart(broker),) if restarted else ()))

    @rule(broker=BROKERS)
    def stop(self, broker: int) -> None:
        """A broker begins to stop."""
        self.perform(Stop(broker))

    @rule(broker=BROKERS, preferred=BROKERS)
    def find(self, broker: int, preferred: int) -> None:
        """Everything settles, and a client searches."""
        self.perform(Find(broker, 0, preferred))

    @rule()
    def compare(self) -> None:
        """Everything settles, and all are asked."""
        self.perform(Views(0))
