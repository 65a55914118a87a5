"""A leader that places bundles, as a Hypothesis state machine, over the reference or any subject.

Hypothesis chooses who is looked up, what is proposed, and which broker reports what it was given.
After every step everything so far is put to the subject and judged by the clauses.
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule

from evenkeel.properties.kit.machine import GrowingMachine
from evenkeel.properties.placement.preallocation import (
    PREALLOCATION,
    BundleRate,
    Leaves,
    LookUp,
    PreallocationCommand,
    PreallocationTrial,
    Propose,
    Reports,
)
from evenkeel.properties.placement.trial_parts import AsksAnswer, Chosen

BROKERS = ("a:1", "b:1", "c:1")


BUNDLES = tuple(
    BundleRate(f"t/{name}/0x0000000{index}_0x0000000{index + 1}", rate)
    for name in ("n", "m")
    for index, rate in enumerate((0, 50, 100, 1000))
)


broker_of = st.sampled_from(BROKERS)


bundle_of = st.sampled_from([known.bundle for known in BUNDLES])


class LeaderMachine(GrowingMachine[PreallocationTrial, PreallocationCommand]):
    """Three brokers and eight bundles of two namespaces."""

    question = PREALLOCATION

    def __init__(self) -> None:
        super().__init__()
        self.given: dict[str, str] = {}

    def first(self) -> PreallocationTrial:
        """Nothing is placed."""
        return PreallocationTrial(False, BROKERS, BUNDLES, ())

    @initialize(evenly=st.booleans())
    def start(self, evenly: bool) -> None:
        """Whether bundles are spread evenly."""
        self.trial = PreallocationTrial(evenly, BROKERS, BUNDLES, ())

    @rule(bundle=bundle_of)
    def look_up(self, bundle: str) -> None:
        """A client looks a bundle up."""
        observation = self.perform(LookUp(bundle))
        last = observation.results[-1] if isinstance(observation, AsksAnswer) else None
        if isinstance(last, Chosen) and last.choices[0] is not None:
            self.given[bundle] = last.choices[0]

    @rule(bundle=bundle_of)
    def propose(self, bundle: str) -> None:
        """Shedding asks where a bundle would go."""
        self.perform(Propose(bundle))

    @rule(broker=broker_of, forgotten=st.integers(0, 3))
    def report(self, broker: str, forgotten: int) -> None:
        """A broker reports what it was given, all but a few bundles."""
        mine = [bundle for bundle, to in self.given.items() if to == broker]
        self.perform(Reports(broker, tuple(mine[forgotten:])))

    @rule(broker=broker_of)
    def leave(self, broker: str) -> None:
        """A broker is gone."""
        self.perform(Leaves(broker))
