"""A namespace's life as a Hypothesis state machine, over the reference or any other subject.

Hypothesis chooses what happens next from what is stored now: lookups, splits by range, by topic
count and at given positions, splits that race with other writers, splits of bundles that are
gone. After every step the whole life so far is put to the subject and judged by the clauses.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule

from evenkeel.properties.bundles.trial_parts import topic_with_hash
from evenkeel.properties.kit.machine import GrowingMachine
from evenkeel.properties.kit.question import Observation
from evenkeel.properties.splitting.life import (
    LIFE,
    NAMESPACE,
    Command,
    LifeAnswer,
    LifeTrial,
    LookUp,
    Read,
    Reload,
    Rival,
    RivalSplit,
    RivalTouch,
    SetGroup,
    Split,
    Stored,
)
from evenkeel.reference.bundles.boundaries import bundles_of, initial_boundaries
from evenkeel.reference.bundles.ranges import TOP_HASH, HashRange
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.splitting import algorithms

HASHES = st.sampled_from((0, 1, TOP_HASH - 1, TOP_HASH)) | st.integers(0, TOP_HASH)


INDICES = st.integers(0, 63)


class LifeMachine(GrowingMachine[LifeTrial, Command]):
    """The life of one namespace."""

    question = LIFE

    def __init__(self) -> None:
        super().__init__()
        self.points = self.trial.boundaries
        self.gone: list[HashRange] = []

    def first(self) -> LifeTrial:
        """One bundle."""
        return LifeTrial(NAMESPACE, (0, TOP_HASH), ())

    def perform(self, *steps: Command) -> Observation:
        """More commands, each followed by a read."""
        observation = super().perform(*(each for step in steps for each in (step, Read())))
        if isinstance(observation, LifeAnswer):
            self.learn(observation.results[-1])
        return observation

    def learn(self, result: Any) -> None:
        """What is stored now."""
        if isinstance(result, Stored):
            now = set(bundles_of(result.boundaries))
            self.gone += [bundle for bundle in bundles_of(self.points) if bundle not in now]
            self.points = result.boundaries

    def present(self, index: int) -> HashRange:
        """One of the namespace's present bundles."""
        bundles = bundles_of(self.points)
        return bundles[index % len(bundles)]

    @invariant()
    def boundaries_divide_the_hash_space(self) -> None:
        """From 0 to 0xffffffff, strictly ascending."""
        assert (self.points[0], self.points[-1]) == (0, TOP_HASH)
        assert list(self.points) == sorted(set(self.points))

    # ------------------------------------------------------------------------------ steps

    @initialize(count=st.integers(1, 5))
    def create(self, count: int) -> None:
        """The namespace is created with equal bundles."""
        self.points = initial_boundaries(count)
        self.trial = LifeTrial(NAMESPACE, self.points, ())

    @rule(hash_=HASHES)
    def look_up(self, hash_: int) -> None:
        """A topic is looked up."""
        self.perform(LookUp(topic_with_hash(hash_, NAMESPACE)))

    @rule(index=INDICES)
    def look_up_a_boundary(self, index: int) -> None:
        """A topic on the lower end of a bundle is looked up."""
        self.perform(LookUp(topic_with_hash(self.present(index).lower, NAMESPACE)))

    @rule(index=INDICES)
    def split_by_range(self, index: int) -> None:
        """A bundle is cut in the middle, if it has room."""
        target = self.present(index)
        if algorithms.can_split(target):
            self.perform(Split(target, algorithms.range_positions(target, DOCUMENTED)))

    @rule(index=INDICES, parts=st.lists(st.integers(0, TOP_HASH), min_size=2, max_size=6))
    def split_by_topic_count(self, index: int, parts: list[int]) -> None:
        """A bundle is cut between its two middle topics, if they can be parted."""
        target = self.present(index)
        hashes = [target.lower + part % (target.upper - target.lower) for part in parts]
        positions = algorithms.topic_count_positions(hashes, DOCUMENTED)
        if positions:
            self.perform(Split(target, positions))

    @rule(index=INDICES, positions=st.lists(HASHES, min_size=1, max_size=3))
    def split_at_positions(self, index: int, positions: list[int]) -> None:
        """A bundle is cut at positions that may lie anywhere, in any order."""
        target = self.present(index)
        width = target.upper - target.lower
        inside = [target.lower + position % width for position in positions[1:]]
        self.perform(Split(target, (positions[0], *inside)))

    @rule(
        index=INDICES,
        others=st.lists(st.none() | st.tuples(INDICES, HASHES), min_size=1, max_size=10),
    )
    def split_in_a_race(self, index: int, others: Sequence[tuple[int, int] | None]) -> None:
        """A bundle is cut in the middle while others write or split."""
        target = self.present(index)
        rivals = tuple(self.rival(other) for other in others)
        if algorithms.can_split(target):
            self.perform(Split(target, algorithms.range_positions(target, DOCUMENTED), rivals))

    def rival(self, other: tuple[int, int] | None) -> Rival:
        """Another writer: one that only touches the record, or one that splits."""
        if other is None:
            return RivalTouch()
        target = self.present(other[0])
        return RivalSplit(target, target.lower + other[1] % (target.upper - target.lower))

    @precondition(lambda self: bool(self.gone))
    @rule(index=INDICES)
    def split_what_is_gone(self, index: int) -> None:
        """A bundle that was split away is to be split again."""
        target = self.gone[index % len(self.gone)]
        self.perform(Split(target, algorithms.range_positions(target, DOCUMENTED)))

    @rule(group=st.sampled_from(("a", "b", "")))
    def set_group(self, group: str) -> None:
        """Another field of the record is written."""
        self.perform(SetGroup(group))

    @rule()
    def reload(self) -> None:
        """The broker loads its view afresh."""
        self.perform(Reload())
