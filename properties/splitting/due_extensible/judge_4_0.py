"""Cycles exactly as 4.0's (SPL-38, SPL-48 to SPL-54)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter

from evenkeel.properties.judging.run import Run
from evenkeel.properties.observations import Span
from evenkeel.properties.plain import plain
from evenkeel.properties.splitting.due import bundle_name
from evenkeel.properties.splitting.due_extensible.trial import (
    CycleDecisions,
    ExtensibleCycle,
    ExtensibleDueTrial,
    OwnLoad,
)
from evenkeel.properties.splitting.thresholds import can_be_due, exceeded_by
from evenkeel.reference.bundles.ranges import TOP_HASH
from evenkeel.reference.splitting.due import Reason
from evenkeel.reference.splitting.settings import SplitRules


def judge_exactly(
    run: Run, trial: ExtensibleDueTrial, place: int, got: CycleDecisions, want: CycleDecisions
) -> bool:
    """Whether the cycle is 4.0's; if not, the clause is named by which it is not."""
    same = (got.broke is None) == (want.broke is None) and (
        got.decisions == want.decisions
        or sorted(got.decisions, key=by_bundle) == sorted(want.decisions, key=by_bundle)
    )
    fault = "" if same else clause_of_difference(trial, place, got, want)

    def why() -> str:
        return f"cycle {place + 1}: {plain(got)}; must be {plain(want)}"

    for clause in telling(trial, place, want):
        run.require(clause, clause != fault, why)
    if fault:
        run.require(fault, False, why)
    if trial.cycles[place].loads:
        run.require("SPL-48", same, why)
    return same


by_bundle = attrgetter("bundle")


def hot(own: OwnLoad, config: SplitRules, wraps: bool = True) -> bool:
    """Whether the broker may split the bundle, and it exceeds a threshold."""
    return own.owned and can_be_due(own.load) and bool(exceeded_by(own.load, config, wraps))


def wrap_matters(own: OwnLoad, config: SplitRules) -> bool:
    return hot(own, config) != hot(own, config, wraps=False)


def guarded_by_prefix(own: OwnLoad, cycle: ExtensibleCycle) -> bool:
    """A bundle of a namespace with a longer name, which shares an end, is being split."""
    name = bundle_name(own.load.bundle)
    return any(
        text.startswith(name.namespace)
        and other.namespace != name.namespace
        and (other.range.lower == name.range.lower or other.range.upper == name.range.upper)
        for text, other in ((text, bundle_name(text)) for text in cycle.splitting)
    )


def cuts_last_hash(children: Sequence[Span]) -> bool:
    return children[-1:] == (Span(TOP_HASH, TOP_HASH, True),)


def had_gap(bundle: str, config: SplitRules, earlier: Sequence[ExtensibleCycle]) -> bool:
    """Whether the bundle was hot, and could not be split by its broker later on."""
    was_hot = False
    for cycle in earlier:
        for own in cycle.loads:
            if own.load.bundle == bundle:
                gap = not (own.owned and can_be_due(own.load))
                if gap and was_hot:
                    return True
                was_hot = was_hot or hot(own, config)
    return False


def telling(trial: ExtensibleDueTrial, place: int, want: CycleDecisions) -> Iterator[str]:
    """The clauses without which the cycle would have been another."""
    cycle, config = trial.cycles[place], trial.config
    if want.decisions and config.max_splits_per_cycle <= 0:
        yield "SPL-51"
    if want.broke is not None:
        yield "SPL-53"
    if any(decision.reason is Reason.UNKNOWN for decision in want.decisions):
        yield "SPL-71"
    if any(cuts_last_hash(decision.children) for decision in want.decisions):
        yield "SPL-54"
    for own in cycle.loads:
        is_hot = hot(own, config)
        if config.max_bandwidth_mbytes >= 2048 and is_hot != hot(own, config, wraps=False):
            yield "SPL-38"
        if not is_hot:
            continue
        if len(own.positions) > 1:
            yield "SPL-52"
        if cycle.splitting and guarded_by_prefix(own, cycle):
            yield "SPL-50"
        if place > 1 and had_gap(own.load.bundle, config, trial.cycles[:place]):
            yield "SPL-49"


def clause_of_difference(
    trial: ExtensibleDueTrial, place: int, got: CycleDecisions, want: CycleDecisions
) -> str:
    """The clause that the first differing bundle has to do with; empty if it is SPL-48 alone."""
    cycle, config = trial.cycles[place], trial.config
    if (got.broke is None) != (want.broke is None):
        return "SPL-53"
    decided = {decision.bundle: decision for decision in got.decisions}
    wanted = {decision.bundle: decision for decision in want.decisions}
    for own in cycle.loads:
        bundle = own.load.bundle
        one, right = decided.get(bundle), wanted.get(bundle)
        if one == right:
            continue
        if any(said is not None and cuts_last_hash(said.children) for said in (one, right)):
            return "SPL-54"
        if Reason.UNKNOWN in {said.reason for said in (one, right) if said is not None}:
            return "SPL-71"
        if one is not None and right is not None:
            return ""
        if right is not None and config.max_splits_per_cycle <= 0:
            return "SPL-51"
        if wrap_matters(own, config):
            return "SPL-38"
        if one is not None and len(own.positions) > 1:
            return "SPL-52"
        if one is not None and guarded_by_prefix(own, cycle):
            return "SPL-50"
        return "SPL-49" if had_gap(bundle, config, trial.cycles[:place]) else ""
    return ""
