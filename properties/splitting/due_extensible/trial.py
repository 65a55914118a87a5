"""Trials and answers of `splitting.due_extensible`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evenkeel.properties.observations import Span
from evenkeel.properties.splitting.due import (
    BundleLoad,
    NamespaceCount,
    bundle_name,
    counts_of,
    load_of,
    require_counted,
)
from evenkeel.properties.splitting.spans import spans
from evenkeel.properties.trial import require_bounds, require_longs
from evenkeel.reference.edition import Edition
from evenkeel.reference.splitting import due
from evenkeel.reference.splitting.due import Reason
from evenkeel.reference.splitting.settings import SplitRules


@dataclass(frozen=True, slots=True)
class OwnLoad:
    """What a broker knows of one bundle: its load, whether it owns it, and where it would cut.

    `positions` is what the default split algorithm yields for the bundle (empty: nothing).
    """

    load: BundleLoad
    owned: bool
    positions: tuple[int, ...]

    def __post_init__(self) -> None:
        require_longs("positions", self.positions)


@dataclass(frozen=True, slots=True)
class ExtensibleCycle:
    """One split cycle of one broker; `splitting` names the bundles now in state Splitting."""

    loads: tuple[OwnLoad, ...]
    counts: tuple[NamespaceCount, ...]
    splitting: tuple[str, ...]

    def __post_init__(self) -> None:
        require_counted(tuple(("", own.load.bundle) for own in self.loads), self.counts)


@dataclass(frozen=True, slots=True)
class ExtensibleDueTrial:
    """`splitting.due_extensible`: which of its bundles does a broker split, cycle after cycle?"""

    config: SplitRules
    cycles: tuple[ExtensibleCycle, ...]

    def __post_init__(self) -> None:
        require_bounds(self.config)


@dataclass(frozen=True, slots=True)
class SplitDecision:
    """One decision: the bundle, why, and the ranges of its children in ascending order."""

    bundle: str
    reason: Reason
    children: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class CycleDecisions:
    """What one cycle decided, in any order; `broke` says why the cycle was aborted, or null."""

    decisions: tuple[SplitDecision, ...]
    broke: str | None


@dataclass(frozen=True, slots=True)
class ExtensibleDueAnswer:
    """One entry for each cycle of the trial."""

    cycles: tuple[CycleDecisions, ...]


def candidate_of(own: OwnLoad) -> due.Candidate:
    """A bundle as its broker sees it."""
    return due.Candidate(load_of(own.load), own.owned, own.positions)


def answer_extensible(trial: ExtensibleDueTrial, edition: Edition) -> ExtensibleDueAnswer:
    """The decisions of each cycle."""
    if not due.broker_decides(trial.config.split_enabled):
        return ExtensibleDueAnswer((CycleDecisions((), None),) * len(trial.cycles))
    hits: due.Hits = {}
    cycles = []
    for cycle in trial.cycles:
        hits, decisions, abortion = cycle_of(hits, cycle, trial.config, edition)
        cycles.append(CycleDecisions(decisions, None if abortion is None else str(abortion)))
    return ExtensibleDueAnswer(tuple(cycles))


def cycle_of(
    hits: due.Hits, cycle: ExtensibleCycle, rules: SplitRules, edition: Edition
) -> tuple[due.Hits, tuple[SplitDecision, ...], due.CycleAborted | None]:
    """One cycle: hit counts afterwards, decisions, and why it was aborted."""
    after, decisions, abortion = due.extensible_cycle(
        hits,
        [candidate_of(own) for own in cycle.loads],
        counts_of(cycle.counts),
        [bundle_name(text) for text in cycle.splitting],
        rules,
        edition,
    )
    stated = tuple(
        SplitDecision(str(decision.bundle), decision.reason, spans(decision.children))
        for decision in decisions
    )
    return after, stated, abortion


def extensible_labels(trial: ExtensibleDueTrial) -> Iterator[str]:
    """How long the trial is, and what stands in the way."""
    if not trial.config.split_enabled:
        yield "switched off"
    if any(cycle.splitting for cycle in trial.cycles):
        yield "bundles in state Splitting"
    if any(len(own.positions) > 1 for cycle in trial.cycles for own in cycle.loads):
        yield "several positions"
    enough = len(trial.cycles) > trial.config.hit_count_threshold
    yield "enough cycles" if enough else "too few cycles"
