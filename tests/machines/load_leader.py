"""The leader as a Hypothesis state machine, over the reference or any other subject.

Hypothesis chooses which broker reports which bundles, which one leaves, and when data are written.
After every step everything so far is put to the subject and judged by the clauses.
"""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st
from hypothesis.stateful import rule

from evenkeel.properties.kit.machine import GrowingMachine
from evenkeel.properties.load.leader import (
    LEADER,
    LeaderCommand,
    LeaderTrial,
    Leave,
    Publish,
    Write,
)
from evenkeel.reference.load.leader import BundleSample
from evenkeel.reference.load.traffic import Traffic

BROKERS: Final = st.sampled_from(("broker-1", "broker-2", "broker-3"))


BUNDLES: Final = tuple(f"t/n/0x0000000{index}_0x0000000{index + 1}" for index in range(4))


RATES: Final = st.integers(0, 1000)


class LeaderMachine(GrowingMachine[LeaderTrial, LeaderCommand]):
    """Three brokers, four bundles, and whoever serves them."""

    question = LEADER

    def first(self) -> LeaderTrial:
        """Nobody has reported."""
        return LeaderTrial(())

    @rule(broker=BROKERS, wanted=st.sets(st.sampled_from(BUNDLES)), rate=RATES)
    def publish(self, broker: str, wanted: set[str], rate: int) -> None:
        """A broker reports some of the bundles, which others may have reported, too."""
        traffic = Traffic(float(rate), 0.0, 1000.0 * rate, 0.0)
        self.perform(Publish(broker, tuple(BundleSample(b, traffic, 1) for b in sorted(wanted))))

    @rule(broker=BROKERS)
    def leave(self, broker: str) -> None:
        """A broker leaves, if it is there."""
        self.perform(Leave(broker))

    @rule()
    def write(self) -> None:
        """The leader writes its data."""
        self.perform(Write())
