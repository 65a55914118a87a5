"""A graph: every division of a small hash space that splits can make (SPL-16, SPL-18, SPL-36).

The hash space is 0 to `TOP`, the last bundle is closed at `TOP`, and a state is the tuple of
boundaries. A division into bundles is a choice of inner boundaries from 1 to TOP - 1.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from math import comb
from typing import Final

from evenkeel.reference.bundles.ranges import HashRange
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.splitting.algorithms import middle
from evenkeel.reference.splitting.applying import apply_positions
from evenkeel.reference.splitting.due import (
    BundleName,
    Candidate,
    Load,
    Sample,
    extensible_cycle,
    modular_due,
)
from evenkeel.reference.splitting.settings import SplitRules
from evenkeel_engine.proofs.graph import Broken, Graph, Move, Size

Division = tuple[int, ...]

TOP: Final = 9
MOST: Final = 5
"""Bundles that a namespace may have."""


def inside(lower: int, upper: int) -> range:
    """Every position strictly inside."""
    return range(lower + 1, upper)


NAMESPACE: Final = "tenant/namespace"
CALM: Final = Sample(0.0, 0.0, 0.0, 0.0)


def decided_splits(most: int, division: Division) -> Iterator[Move[Division]]:
    """What the reference of both managers has split and cuts, of one hot bundle or of all at once.

    The extensible manager is asked with each position inside a bundle, and with all of them; the
    modular one cuts the bundles that it finds due in the middle.
    """
    hot = [HashRange(lower, upper) for lower, upper in pairwise(division)]
    for target in hot:
        for cut in inside(target.lower, target.upper):
            yield f"cut {target} at {cut}", extensible(most, division, [(target, (cut,))])
    everywhere = [(target, tuple(inside(target.lower, target.upper))) for target in hot]
    yield "cut all everywhere", extensible(most, division, everywhere)
    middles = [(target, middle_of(target)) for target in hot]
    yield "cut all in the middle", extensible(most, division, middles)
    names = [BundleName(NAMESPACE, target) for target in hot]
    due = modular_due(names, {NAMESPACE: len(hot)}, most, DOCUMENTED)
    yield "cut all that are due", cut_up(division, [(n.range, middle_of(n.range)) for n in due])


def middle_of(target: HashRange) -> tuple[int, ...]:
    """Where the modular manager cuts (`range_equally_divide`), if there is room."""
    return (middle(target.lower, target.upper),) if target.upper - target.lower > 1 else ()


def extensible(
    most: int, division: Division, hot: list[tuple[HashRange, tuple[int, ...]]]
) -> Division:
    """The division after one cycle of the extensible manager, which sees these hot bundles."""
    rules = SplitRules(max_bundles=most, hit_count_threshold=0, max_splits_per_cycle=len(hot))
    candidates = [
        Candidate(
            Load(BundleName(NAMESPACE, target), rules.max_topics + 1, 0, CALM), True, positions
        )
        for target, positions in hot
    ]
    counts = {NAMESPACE: len(division) - 1}
    _, decisions, _ = extensible_cycle({}, candidates, counts, (), rules, DOCUMENTED)
    return cut_up(
        division,
        [(d.bundle.range, tuple(child.upper for child in d.children[:-1])) for d in decisions],
    )


def cut_up(division: Division, cuts: list[tuple[HashRange, tuple[int, ...]]]) -> Division:
    """The division after these bundles are cut there."""
    for target, positions in cuts:
        division = apply_positions(division, target, positions, DOCUMENTED)
    return division


def moving(most: int, division: Division) -> Iterator[Move[Division]]:
    """Of these the moves: what splits nothing is none, and what does the same is one."""
    seen = {division}
    for words, after in decided_splits(most, division):
        if after not in seen:
            seen.add(after)
            yield words, after


def wrong_division(division: Division) -> str | None:
    """Order, cover, exactly one bundle for each hash, found by bisection; not too many bundles."""
    if (division[0], division[-1]) != (0, TOP):
        return "the boundaries do not run from 0 to the top"
    if any(left >= right for left, right in pairwise(division)):
        return "the boundaries do not strictly increase"
    if len(division) - 1 > MOST:
        return f"there are more than {MOST} bundles"
    last = len(division) - 2
    for hash_ in range(TOP + 1):
        holders = [i for i, ends in enumerate(pairwise(division)) if holds(ends, hash_)]
        if holders != [min(bisect_right(division, hash_) - 1, last)]:
            return f"hash {hash_} is held by the bundles {holders}"
    return None


def holds(ends: tuple[int, int], hash_: int) -> bool:
    """The bundle with these ends holds the hash; the last one is closed."""
    lower, upper = ends
    return lower <= hash_ < upper or hash_ == upper == TOP


STATES: Final = sum(comb(TOP - 1, size) for size in range(MOST))
"""The sets of fewer than MOST inner boundaries."""
GRAPHS: Final = (
    Graph(
        name=f"capped-splits-{TOP}-{MOST}",
        chapter="splitting",
        clauses=("SPL-16", "SPL-18", "SPL-36", "SPL-78", "BUN-15"),
        statement="Whichever bundles are hot, alone or all at once, and wherever they would be "
        "cut, what the reference of either manager decides never makes more bundles than the "
        "maximum, and every hash is in exactly one bundle, which bisection finds.",
        bound=f"hashes 0 to {TOP}, at most {MOST} bundles, one hot bundle with any one position, "
        "or all bundles hot with all positions or the middle, in any order",
        initial=lambda: [(0, TOP)],
        moves=partial(moving, MOST),
        wrong=wrong_division,
        final=lambda _: None,
        broken=Broken(
            "at-most-instead-of-below",
            "A split is allowed while there are at most as many bundles as the maximum.",
            partial(moving, MOST + 1),
        ),
        size=Size(STATES, 578),
    ),
)
