"""Which of its bundles a broker splits, cycle after cycle (SPL-31 to SPL-54, SPL-78).

DOCUMENTED does not say which bundles are taken when a limit on their number bites, nor what a
decision does to a hit count. So a hit count is kept as an interval.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from evenkeel.properties.clause import Case, describe
from evenkeel.properties.judging.judge import binds, rounds
from evenkeel.properties.judging.near import Ternary
from evenkeel.properties.judging.run import Run
from evenkeel.properties.judging.runs import Program
from evenkeel.properties.observations import Span
from evenkeel.properties.plain import plain
from evenkeel.properties.splitting.due import bundle_name
from evenkeel.properties.splitting.due_extensible.judge_4_0 import judge_exactly
from evenkeel.properties.splitting.due_extensible.trial import (
    CycleDecisions,
    ExtensibleCycle,
    ExtensibleDueAnswer,
    ExtensibleDueTrial,
    OwnLoad,
    SplitDecision,
)
from evenkeel.properties.splitting.spans import inside
from evenkeel.properties.splitting.thresholds import above_in_documents, can_be_due
from evenkeel.reference.splitting.due import BundleName, Reason
from evenkeel.reference.splitting.settings import SplitRules

ExtensibleCase = Case[ExtensibleDueTrial, ExtensibleDueAnswer]


class Hits(NamedTuple):
    """How many cycles in a row a bundle has met a condition: at least `low`, at most `high`."""

    low: int = 0
    high: int = 0


NO_HITS: Final = Hits()
State = tuple[tuple[str, Hits], ...] | None
"""The hit counts; None: a cycle was not 4.0's, and of what follows nothing is said."""


class Bundle(NamedTuple):
    """A reported bundle; `able`: this broker may split it; `reasons`: thresholds it exceeds, or
    may be said to (None); `hot`: it is able and exceeds one for certain; `bad`: its positions are
    none that an algorithm answers (SPL-2).
    """

    own: OwnLoad
    name: BundleName
    able: bool
    reasons: dict[Reason, Ternary]
    hot: bool
    bad: bool


def seen(own: OwnLoad, config: SplitRules) -> Bundle:
    name = bundle_name(own.load.bundle)
    able, reasons = own.owned and can_be_due(own.load), above_in_documents(own.load, config)
    bad = inside(name.range, own.positions) != list(own.positions)
    return Bundle(own, name, able, reasons, able and True in reasons.values(), bad)


class Cycle:
    """One cycle and what was decided in it."""

    def __init__(
        self, config: SplitRules, cycle: ExtensibleCycle, observed: CycleDecisions
    ) -> None:
        self.config = config
        self.bundles = [seen(own, config) for own in cycle.loads]
        self.splitting = [bundle_name(text) for text in cycle.splitting]
        self.decided = {decision.bundle: decision for decision in observed.decisions}
        self.lost = observed.broke is not None
        # Who has decided may look no further: also with fewer splits than the cap allows (SPL-43).
        self.unseen = self.lost or bool(self.decided) or config.max_splits_per_cycle <= 0
        # What is left to each namespace below its maximum, after the decisions.
        self.left = {count.namespace: config.max_bundles - count.bundles for count in cycle.counts}
        self.skipped = {namespace for namespace, left in self.left.items() if left <= 0}
        for name, decision in self.decided.items():
            namespace = name.rpartition("/")[0]
            gained = len(decision.children) - 1
            self.left[namespace] = self.left.get(namespace, 0) - gained

    def blocked(self, bundle: BundleName) -> bool:
        """SPL-45: a bundle of the namespace with which this one shares an end is being split."""
        return any(
            other.namespace == bundle.namespace
            and (other.range.lower == bundle.range.lower or other.range.upper == bundle.range.upper)
            for other in self.splitting
        )

    def overlapped(self, bundle: BundleName) -> bool:
        """A bundle that overlaps this one is being split."""
        return any(
            other.namespace == bundle.namespace
            and other.range.lower < bundle.range.upper
            and bundle.range.lower < other.range.upper
            for other in self.splitting
        )


@rounds(
    "splitting.due_extensible",
    "SPL-31",
    "SPL-33",
    "SPL-36",
    "SPL-38",
    *(f"SPL-{number}" for number in (*range(40, 55), 71, 76, 78)),
)
def due_extensible(case: ExtensibleCase) -> Program:
    trial, observed = case.trial, case.observation
    config = trial.config
    if not isinstance(observed, ExtensibleDueAnswer) or len(observed.cycles) != len(trial.cycles):
        return Program(None, 1, lambda run, place, state: no_answer(run, case))
    exact = binds("SPL-48", case.edition.name)

    def step(run: Run, place: int, state: State) -> State:
        said = observed.cycles[place]
        cycle = Cycle(config, trial.cycles[place], said)
        if not config.split_enabled:
            if said.decisions or any(bundle.hot for bundle in cycle.bundles):
                run.require(
                    "SPL-31",
                    not said.decisions,
                    lambda: f"{plain(said.decisions)} although splits are switched off",
                )
            return state
        judge_decisions(run, cycle, said)
        if not exact:
            return judge_cycle(run, cycle, said, dict(state or ()))
        right = case.expected
        if state is None or not isinstance(right, ExtensibleDueAnswer):
            return None
        return state if judge_exactly(run, trial, place, said, right.cycles[place]) else None

    return Program((), len(trial.cycles), step)


def no_answer(run: Run, case: ExtensibleCase) -> None:
    wanted, observed = len(case.trial.cycles), describe(case.observation)
    run.require("SPL-31", False, f"{wanted} cycles must be answered, but {observed}", "no answer")


def judge_decisions(run: Run, cycle: Cycle, observed: CycleDecisions) -> None:
    """What every edition asks of a cycle."""
    names = [decision.bundle for decision in observed.decisions]
    reported = {bundle.own.load.bundle for bundle in cycle.bundles} if names else set()
    for name in cycle.decided:
        once = name in reported and names.count(name) == 1
        run.require("SPL-40", once, f"{name} is decided twice, or was not reported")
    for bundle in cycle.bundles:
        name = bundle.own.load.bundle
        if not bundle.own.owned:
            run.require("SPL-76", name not in cycle.decided, f"{name} is not the broker's own")
        elif not bundle.able:
            sentence = f"{name} has too few topics, or no room for a cut"
            run.require("SPL-33", name not in cycle.decided, sentence)
        elif cycle.splitting and cycle.blocked(bundle.name):
            sentence = f"{name} shares an end with one of {list(map(str, cycle.splitting))}"
            run.require("SPL-45", name not in cycle.decided, sentence)
    for namespace, left in cycle.left.items():
        if left <= 0:
            gaining = any(name.rpartition("/")[0] == namespace for name in names)
            if gaining or any(bundle.name.namespace == namespace for bundle in cycle.bundles):
                sentence = f"{namespace} gets {-left} bundles too many"
                if namespace in cycle.skipped:
                    run.require("SPL-36", not gaining, sentence)
                else:
                    run.require("SPL-78", left == 0, sentence)


# ----------------------------------------------------------------------------- documented


def judge_cycle(
    run: Run, cycle: Cycle, observed: CycleDecisions, hits: dict[str, Hits]
) -> tuple[tuple[str, Hits], ...]:
    """What the documents ask of a cycle; the hit counts afterwards."""
    if cycle.lost or any(bundle.bad for bundle in cycle.bundles):
        run.require("SPL-47", not cycle.lost, f"the cycle was lost: {observed.broke}", "lost cycle")
    cap = max(cycle.config.max_splits_per_cycle, 0)
    hot = sum(bundle.hot for bundle in cycle.bundles)
    if max(hot, len(cycle.decided)) > cap:
        sentence = f"{len(cycle.decided)} decisions in one cycle, at most {cap}"
        run.require("SPL-44", len(cycle.decided) <= cap, sentence)
    after = []
    for bundle in cycle.bundles:
        name = bundle.own.load.bundle
        before = hits.get(name, NO_HITS)
        decision = cycle.decided.get(name)
        judged = (
            judge_silence(run, cycle, bundle, before)
            if decision is None
            else judge_decision(run, cycle, bundle, decision, before)
        )
        after.append((name, judged))
    return tuple(after)


def judge_decision(
    run: Run, cycle: Cycle, bundle: Bundle, decision: SplitDecision, before: Hits
) -> Hits:
    """A bundle that is split: it must have met a condition for long enough."""
    name, threshold, reasons = bundle.name, cycle.config.hit_count_threshold, bundle.reasons
    sentence = f"{name} is split for {decision.reason}, but exceeds {sorted(reasons)}"
    run.require("SPL-41", decision.reason in reasons, sentence)
    most = before.high + 1 if reasons else 0
    if reasons:
        sentence = f"{name} met a condition {most} times in a row at most, not {threshold + 1}"
        run.require("SPL-42", most > threshold, sentence)
    if before.low + 1 > threshold:
        run.require("SPL-43", True)
    judge_children(run, cycle, bundle, decision.children)
    return Hits(0, most)


def judge_children(run: Run, cycle: Cycle, bundle: Bundle, children: tuple[Span, ...]) -> None:
    """SPL-46: the children are what the positions make of their parent."""
    name = bundle.name
    wanted = inside(name.range, bundle.own.positions)
    cuts = [child.lower for child in children[1:]]
    tile = (
        len(children) > 1
        and children[0].lower == name.range.lower
        and (children[-1].upper, children[-1].upper_included)
        == (name.range.upper, name.range.upper_included)
        and cuts == [child.upper for child in children[:-1]]
        and not any(child.upper_included for child in children[:-1])
    )
    legal = tile and set(cuts) <= set(wanted) and cuts == sorted(set(cuts))
    made = ", ".join(map(str, children))
    run.require("SPL-46", legal, lambda: f"{name} is cut into {made}, not at {wanted}")
    complete = cuts == wanted or cycle.left[name.namespace] <= 0 or bundle.bad
    run.require(
        "SPL-46",
        complete,
        lambda: f"{name} is cut at {plain(cuts)} only, although there is room for {wanted}",
    )


def judge_silence(run: Run, cycle: Cycle, bundle: Bundle, before: Hits) -> Hits:
    """A bundle that is not split: something must stand in the way, or it waits for more hits."""
    name, threshold = bundle.name, cycle.config.hit_count_threshold
    if not bundle.hot:
        if bundle.able and bundle.reasons:
            return Hits(0, before.high + 1)
        if bundle.able:
            run.require("SPL-41", True)
        return Hits(0, before.high if cycle.unseen else 0)
    wanted = len(inside(name.range, bundle.own.positions))
    stopped = (cycle.splitting and cycle.overlapped(name)) or cycle.left[name.namespace] < max(
        wanted, 1
    )
    if stopped or cycle.unseen:
        return Hits(0 if stopped else before.low, before.high + 1)
    if wanted and not bundle.bad:
        if before.low + 1 > threshold:
            sentence = f"{name} met a condition {before.low + 1} times in a row and is not split"
            run.require("SPL-43", False, sentence)
        elif before.high < threshold:
            run.require("SPL-42", True)
    return Hits(before.low + 1, before.high + 1)
