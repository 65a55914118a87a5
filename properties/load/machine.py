"""The leader as a Hypothesis state machine, over the reference or any other subject.

Hypothesis chooses which broker reports which bundles, which one leaves, and when data are written.
After every step everything so far is put to the subject and judged by the clauses.
"""

from __future__ import annotations

from typing import ClassVar, Final

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from evenkeel.properties.catalogue import clauses_for
from evenkeel.properties.load.questions import LEADER
from evenkeel.properties.load.trials_averages import (
    LeaderCommand,
    LeaderTrial,
    Leave,
    Publish,
    Write,
)
from evenkeel.properties.question import Observation, judge
from evenkeel.reference.edition import DOCUMENTED, Edition
from evenkeel.reference.load.leader import BundleSample
from evenkeel.reference.load.traffic import Traffic

BROKERS: Final = st.sampled_from(("broker-1", "broker-2", "broker-3"))
BUNDLES: Final = ("a", "b", "c", "d")
RATES: Final = st.integers(0, 1000)


class LeaderMachine(RuleBasedStateMachine):
    """Three brokers, four bundles, and whoever serves them."""

    edition: ClassVar[Edition] = DOCUMENTED

    def __init__(self) -> None:
        super().__init__()
        self.commands: tuple[LeaderCommand, ...] = ()
        self.served: dict[str, str] = {}

    def observe(self, trial: LeaderTrial) -> Observation:
        """What the subject observes: here the reference does."""
        return LEADER.observe(trial, self.edition)

    def perform(self, command: LeaderCommand) -> None:
        """One more command; everything so far is judged.

        Raises `AssertionError` with what the violated clauses say.
        """
        self.commands = (*self.commands, command)
        trial = LeaderTrial(self.commands)
        observation = self.observe(trial)
        clauses = clauses_for(LEADER.name, self.edition)
        verdicts = judge(LEADER, clauses, trial, observation, self.edition)
        faults = [
            f"{verdict.clause}: {verdict.sentence}"
            for verdict in verdicts
            if verdict.status in ("violated", "errored")
        ]
        assert not faults, "\n".join(faults)

    @rule(broker=BROKERS, wanted=st.sets(st.sampled_from(BUNDLES)), rate=RATES)
    def publish(self, broker: str, wanted: set[str], rate: int) -> None:
        """A broker reports those of the bundles that no other broker serves."""
        self.served = {b: owner for b, owner in self.served.items() if owner != broker}
        mine = sorted(wanted - set(self.served))
        self.served |= dict.fromkeys(mine, broker)
        traffic = Traffic(float(rate), 0.0, 1000.0 * rate, 0.0)
        self.perform(Publish(broker, tuple(BundleSample(b, traffic, 1) for b in mine)))

    @rule(broker=BROKERS)
    def leave(self, broker: str) -> None:
        """A broker leaves, if it is there."""
        self.served = {b: owner for b, owner in self.served.items() if owner != broker}
        self.perform(Leave(broker))

    @rule()
    def write(self) -> None:
        """The leader writes its data."""
        self.perform(Write())
