"""Mutants of the extensible manager's rule which bundles are due."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from evenkeel.properties.mutant_maker import (
    Function,
    Make,
    always,
    defect,
    equivalent,
    first,
    switched,
    then,
)
from evenkeel.reference.bundles.boundaries import bundles_of
from evenkeel.reference.bundles.ranges import HashRange
from evenkeel.reference.edition import Edition
from evenkeel.reference.splitting import due
from evenkeel.reference.splitting.due import Candidate
from evenkeel.reference.splitting.settings import SplitRules


def _as_candidate(owned: bool | None = None, topics: int = 0) -> Make:
    """The candidate as if it were owned, or had so many topics at least."""

    def change(candidate: Candidate) -> Candidate:
        load = replace(candidate.load, topics=max(candidate.load.topics, topics))
        return replace(candidate, load=load, owned=candidate.owned if owned is None else owned)

    return first(1, change)


def _decisions(change: Any) -> Make:
    """The cycle's decisions, changed."""
    return then(lambda cycle: (cycle[0], change(cycle[1]), cycle[2]))


def _count_kept(original: Function) -> Function:
    def cycle(*arguments: Any) -> Any:
        hits, decisions, abortion = original(*arguments)
        rules: SplitRules = arguments[4]
        kept = {decision.bundle: rules.hit_count_threshold + 1 for decision in decisions}
        return hits | kept, decisions, abortion

    return cycle


def _all_or_nothing(original: Function) -> Function:
    def children(candidate: Candidate, room: int, edition: Edition) -> tuple[HashRange, ...]:
        made: tuple[HashRange, ...] = original(candidate, 2**32, edition)
        return made if len(made) - 1 <= room else ()

    return children


def _ascending_only(original: Function) -> Function:
    return lambda candidate, room, edition: (
        original(candidate, room, edition)
        if list(candidate.positions) == sorted(set(candidate.positions))
        else ()
    )


def _inside_only(original: Function) -> Function:
    def children(candidate: Candidate, room: int, edition: Edition) -> tuple[HashRange, ...]:
        range_ = candidate.load.bundle.range
        inside = sorted({p for p in candidate.positions if range_.lower < p < range_.upper})
        if not inside:
            return ()
        return bundles_of((range_.lower, *inside[:room], range_.upper))

    return children


def _overlap_blocks(original: Function) -> Function:
    return lambda bundle, splitting, edition: any(
        other.namespace == bundle.namespace
        and other.range.lower < bundle.range.upper
        and bundle.range.lower < other.range.upper
        for other in splitting
    )


MUTANTS: Final = (
    defect(
        "brokers-decide-while-off",
        due,
        "broker_decides",
        always(True),
        "Bundles are split although automatic splits are switched off.",
    ),
    defect(
        "one-topic-counts",
        due,
        "hits_after",
        _as_candidate(topics=2),
        "A bundle with a single hot topic is split again and again.",
        "SP2",
    ),
    defect(
        "not-owned-counts",
        due,
        "hits_after",
        _as_candidate(owned=True),
        "A broker splits a bundle of another broker.",
        "SP4",
    ),
    defect(
        "no-guard",
        due,
        "blocked_by_splitting",
        always(False),
        "A bundle is split a second time while the first split is under way.",
        "SP13",
    ),
    defect(
        "one-cut-only",
        due,
        "usable_children",
        switched(extensible_one_cut=True),
        "The hotter a bundle, the less it is split.",
        "SP3",
    ),
    defect(
        "first-cut-only",
        due,
        "usable_children",
        first(1, lambda room: 1),
        "Of several positions only the first is used.",
        "SP3",
    ),
    defect(
        "children-not-counted",
        due,
        "usable_children",
        first(1, lambda room: 2**32),
        "A split into several children brings the namespace above its maximum.",
        "F10",
    ),
    defect(
        "brokers-split-at-the-maximum",
        due,
        "extensible_cycle",
        first(4, lambda rules: replace(rules, max_bundles=rules.max_bundles + 1)),
        "A namespace that has its maximum of bundles gets one more.",
        "F10",
    ),
    defect(
        "decided-twice",
        due,
        "extensible_cycle",
        _decisions(lambda decisions: decisions * 2),
        "A bundle is split, and then split again.",
        "SP13",
    ),
    equivalent(
        "one-split-a-cycle",
        due,
        "extensible_cycle",
        first(
            4, lambda rules: replace(rules, max_splits_per_cycle=min(1, rules.max_splits_per_cycle))
        ),
        "One bundle is split in a cycle; the others that are due wait for the next ones.",
    ),
    equivalent(
        "decisions-reversed",
        due,
        "extensible_cycle",
        _decisions(lambda decisions: decisions[::-1]),
        "The decisions of a cycle have no order.",
    ),
    equivalent(
        "last-listed-first",
        due,
        "extensible_cycle",
        first(1, lambda candidates: candidates[::-1]),
        "Where a limit bites any of the due bundles may be taken.",
    ),
    equivalent(
        "count-kept-after-decision",
        due,
        "extensible_cycle",
        _count_kept,
        "What a decision does to the hit count is left open.",
    ),
    equivalent(
        "all-children-or-none",
        due,
        "usable_children",
        _all_or_nothing,
        "A bundle with more positions than there is room for may wait.",
    ),
    equivalent(
        "repeated-position-waits",
        due,
        "usable_children",
        _ascending_only,
        "No algorithm answers a position twice: such a bundle may wait.",
    ),
    equivalent(
        "good-positions-used",
        due,
        "usable_children",
        _inside_only,
        "Beside a bad position the good ones may be used.",
    ),
    equivalent(
        "overlap-blocks",
        due,
        "blocked_by_splitting",
        _overlap_blocks,
        "Any overlap with a bundle that is being split may hold up a split.",
    ),
)
