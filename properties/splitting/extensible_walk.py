"""Following a broker's split cycles by what a subject decided.

`DOCUMENTED` does not say which bundles are taken when a limit on their number bites, nor what a
decision does to a hit count. So a hit count is kept as an interval.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evenkeel.properties.clause import Case, describe
from evenkeel.properties.findings import Findings
from evenkeel.properties.splitting.convert import bundle_name, exceeded_by
from evenkeel.properties.splitting.trials_due import (
    CycleDecisions,
    DueConfig,
    ExtensibleCycle,
    ExtensibleDueAnswer,
    ExtensibleDueTrial,
    OwnLoad,
    SplitDecision,
)
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.splitting import algorithms, due
from evenkeel.reference.splitting.algorithms import MIN_TOPICS
from evenkeel.reference.splitting.due import BundleName, Reason

ExtensibleCase = Case[ExtensibleDueTrial, ExtensibleDueAnswer]


@dataclass(frozen=True, slots=True)
class Hits:
    """How many cycles in a row a bundle has met a condition: at least `low`, at most `high`."""

    low: int = 0
    high: int = 0


@dataclass(slots=True)
class CycleView:
    """One cycle and what was decided in it."""

    config: DueConfig
    cycle: ExtensibleCycle
    decided: dict[str, SplitDecision]
    room: dict[str, int]
    capped: bool

    @staticmethod
    def of(config: DueConfig, cycle: ExtensibleCycle, observed: CycleDecisions) -> CycleView:
        """The view of a cycle; `room` is what is left to each namespace after the decisions."""
        decided = {decision.bundle: decision for decision in observed.decisions}
        room = {count.namespace: config.max_bundles - count.bundles for count in cycle.counts}
        for decision in decided.values():
            namespace = bundle_name(decision.bundle).namespace
            room[namespace] = room.get(namespace, 0) - len(decision.children) + 1
        capped = len(decided) >= config.max_splits_per_cycle
        return CycleView(config, cycle, decided, room, capped)

    def blocked(self, bundle: BundleName) -> bool:
        """Whether a bundle with which this one shares an end is being split."""
        splitting = [bundle_name(text) for text in self.cycle.splitting]
        return due.blocked_by_splitting(bundle, splitting, DOCUMENTED)

    def overlapped(self, bundle: BundleName) -> bool:
        """Whether a bundle that overlaps this one is being split."""
        return any(
            other.namespace == bundle.namespace
            and other.range.lower < bundle.range.upper
            and bundle.range.lower < other.range.upper
            for other in map(bundle_name, self.cycle.splitting)
        )


def cycles_of(case: ExtensibleCase) -> Iterator[tuple[CycleView, CycleDecisions]]:
    """Each cycle in which something may be decided, and what was."""
    trial = case.trial
    if trial.config.split_enabled and isinstance(case.observation, ExtensibleDueAnswer):
        for cycle, observed in zip(trial.cycles, case.observation.cycles, strict=False):
            yield CycleView.of(trial.config, cycle, observed), observed


def walk_any(case: ExtensibleCase) -> Findings:
    """What every edition asks."""
    findings, trial, observed = Findings(), case.trial, case.observation
    if not isinstance(observed, ExtensibleDueAnswer) or len(observed.cycles) != len(trial.cycles):
        sentence = f"{len(trial.cycles)} cycles must be answered, but the subject "
        findings.note("SPL-31", False, sentence + describe(observed), "no answer")
        return findings
    if not trial.config.split_enabled:
        decided = [decision for cycle in observed.cycles for decision in cycle.decisions]
        findings.note("SPL-31", not decided, f"{decided} although splits are switched off")
    for view, cycle in cycles_of(case):
        common_cycle(findings, view, cycle)
    return findings


def walk_documented(case: ExtensibleCase) -> Findings:
    """What the documents ask."""
    findings = Findings()
    hits: dict[str, Hits] = {}
    for view, observed in cycles_of(case):
        hits = judge_cycle(findings, view, observed, hits)
    return findings


def common_cycle(findings: Findings, view: CycleView, observed: CycleDecisions) -> None:
    """What every edition asks of a cycle."""
    owned = {own.load.bundle: own for own in view.cycle.loads}
    for decision in observed.decisions:
        bundle = decision.bundle
        once = sum(other.bundle == bundle for other in observed.decisions) == 1
        findings.note("SPL-40", bundle in owned and once, f"{bundle} is decided twice, or unseen")
        own = owned.get(bundle)
        if own is None:
            continue
        name = bundle_name(bundle)
        able = own.owned and own.load.topics >= MIN_TOPICS and algorithms.can_split(name.range)
        sentence = f"{bundle} has too few topics, is not owned, or has no room for a cut"
        findings.note("SPL-33", able, sentence)
        sentence = f"{bundle} shares an end with one of {view.cycle.splitting}"
        if view.cycle.splitting:
            findings.note("SPL-45", not view.blocked(name), sentence)
        left = view.room[name.namespace]
        findings.note("SPL-36", left >= 0, f"{name.namespace} gets {-left} bundles too many")


def judge_cycle(
    findings: Findings, view: CycleView, observed: CycleDecisions, hits: dict[str, Hits]
) -> dict[str, Hits]:
    """What the documents ask of a cycle; the hit counts afterwards."""
    lost = observed.broke is not None
    if lost or any(bad_positions(own) for own in view.cycle.loads):
        findings.note("SPL-47", not lost, f"the cycle was lost: {observed.broke}", "lost cycle")
    cap = max(view.config.max_splits_per_cycle, 0)
    if view.decided:
        sentence = f"{len(view.decided)} decisions in one cycle, at most {cap}"
        findings.note("SPL-44", len(view.decided) <= cap, sentence)
    after = {}
    for own in view.cycle.loads:
        bundle = own.load.bundle
        before = hits.get(bundle, Hits())
        if bundle in view.decided:
            after[bundle] = judge_decision(findings, view, own, view.decided[bundle], before)
        else:
            after[bundle] = judge_silence(findings, view, own, before, lost)
    return after


def meets(own: OwnLoad, config: DueConfig) -> set[Reason]:
    """The thresholds that a bundle exceeds which this broker could split."""
    able = own.owned and own.load.topics >= MIN_TOPICS
    if not able or not algorithms.can_split(bundle_name(own.load.bundle).range):
        return set()
    return exceeded_by(own.load, config)


def inside_positions(own: OwnLoad) -> list[int]:
    """The candidate's positions strictly inside, in order, each once."""
    range_ = bundle_name(own.load.bundle).range
    return sorted({p for p in own.positions if range_.lower < p < range_.upper})


def judge_decision(
    findings: Findings, view: CycleView, own: OwnLoad, decision: SplitDecision, before: Hits
) -> Hits:
    """A bundle that is split: it must have met a condition for long enough."""
    bundle, config = own.load.bundle, view.config
    reasons = exceeded_by(own.load, config)
    sentence = f"{bundle} is split for {decision.reason}, but exceeds {sorted(reasons)}"
    findings.note("SPL-41", decision.reason in reasons, sentence)
    most = before.high + 1 if meets(own, config) else 0
    sentence = f"{bundle} met a condition {most} times in a row at most"
    findings.note("SPL-42", most > config.hit_count_threshold or not reasons, sentence)
    if before.low + 1 > config.hit_count_threshold:
        findings.note("SPL-43", True)
    findings.note("SPL-46", *children_fault(view, own, decision))
    return Hits(0, most)


def children_fault(view: CycleView, own: OwnLoad, decision: SplitDecision) -> tuple[bool, str]:
    """Whether the children are what the positions make of their parent, and if not, why."""
    name, inside = bundle_name(own.load.bundle), inside_positions(own)
    children = decision.children
    cuts = [child.lower for child in children[1:]]
    ends = [child.upper for child in children[:-1]]
    last = children[-1] if children else None
    tile = (
        last is not None
        and len(children) > 1
        and children[0].lower == name.range.lower
        and last.upper == name.range.upper
        and last.upper_included == name.range.upper_included
        and cuts == ends
        and not any(child.upper_included for child in children[:-1])
    )
    if not tile or not set(cuts) <= set(inside) or cuts != sorted(set(cuts)):
        return False, f"{name} is cut into {', '.join(map(str, children))}, not at {inside}"
    complete = cuts == inside or view.room[name.namespace] <= 0 or bad_positions(own)
    return complete, f"{name} is cut at {cuts} only, although there is room for {inside}"


def bad_positions(own: OwnLoad) -> bool:
    """Whether a position does not lie strictly inside the bundle."""
    return len(inside_positions(own)) < len(set(own.positions))


def judge_silence(
    findings: Findings, view: CycleView, own: OwnLoad, before: Hits, lost: bool
) -> Hits:
    """A bundle that is not split: something must stand in the way."""
    config, name = view.config, bundle_name(own.load.bundle)
    unseen = view.capped or lost
    if not meets(own, config):
        return Hits(0, before.high if unseen else 0)
    wanted = len(inside_positions(own))
    stopped = view.overlapped(name) or view.room[name.namespace] < max(wanted, 1)
    ready = before.low + 1 > config.hit_count_threshold and wanted > 0
    if ready and not stopped and not unseen and not bad_positions(own):
        sentence = f"{name} met a condition {before.low + 1} times in a row and is not split"
        findings.note("SPL-43", False, sentence)
    low = 0 if stopped else before.low + (not unseen)
    return Hits(low, before.high + 1)
