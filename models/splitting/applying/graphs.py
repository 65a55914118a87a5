"""Graphs: every division of a small hash space that splits can make (SPL-16 to SPL-18).

The hash space is 0 to `top`, the last bundle is closed at `top`, and a state is the tuple of
boundaries. A division into bundles is a choice of inner boundaries from 1 to top - 1, and a split
adds one. So free splits reach every subset of top - 1 elements: 2^(top - 1) states, each with one
move for every element that it lacks, (top - 1) * 2^(top - 2) moves in all.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import replace
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

Cuts = Callable[[int, int], range | tuple[int, ...]]
"""The positions at which a bundle, given by its ends, may be cut."""


def inside(lower: int, upper: int) -> range:
    """Every position strictly inside."""
    return range(lower + 1, upper)


def lower_end_too(lower: int, upper: int) -> range:
    """The broken rule: the lower end as well."""
    return range(lower, upper)


def in_the_middle(lower: int, upper: int) -> tuple[int, ...]:
    """`range_equally_divide`: the middle, if there is room."""
    return (middle(lower, upper),) if upper - lower > 1 else ()


def middle_without_room(lower: int, upper: int) -> tuple[int, ...]:
    """The broken rule: the middle, if there is room or not."""
    return (middle(lower, upper),)


def splits(cuts: Cuts, division: Division) -> Iterator[Move[Division]]:
    """Every split of every bundle."""
    for lower, upper in pairwise(division):
        for cut in cuts(lower, upper):
            after = tuple(sorted((*division, cut)))
            yield f"cut [{lower}, {upper}) at {cut}", after


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
    """Where the modular manager cuts."""
    return in_the_middle(target.lower, target.upper)


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


def wrong_division(top: int, most: int | None, division: Division) -> str | None:
    """Order, cover, exactly one bundle for each hash, found by bisection; not too many bundles."""
    if (division[0], division[-1]) != (0, top):
        return "the boundaries do not run from 0 to the top"
    if any(left >= right for left, right in pairwise(division)):
        return "the boundaries do not strictly increase"
    if most is not None and len(division) - 1 > most:
        return f"there are more than {most} bundles"
    last = len(division) - 2
    for hash_ in range(top + 1):
        holders = [i for i, ends in enumerate(pairwise(division)) if holds(ends, top, hash_)]
        if holders != [min(bisect_right(division, hash_) - 1, last)]:
            return f"hash {hash_} is held by the bundles {holders}"
    return None


def holds(ends: tuple[int, int], top: int, hash_: int) -> bool:
    """The bundle with these ends holds the hash; the last one is closed."""
    lower, upper = ends
    return lower <= hash_ < upper or hash_ == upper == top


def nothing_wrong(division: Division) -> str | None:
    """A division may be final."""
    return None


def can_be_cut_still(division: Division) -> str | None:
    """Only a division whose bundles have no room is final."""
    wide = [ends for ends in pairwise(division) if ends[1] - ends[0] > 1]
    return f"{wide[0]} could still be cut" if wide else None


def free_states(top: int) -> int:
    """All subsets of the inner hashes."""
    return 1 << (top - 1)


def free_transitions(top: int) -> int:
    """For each subset, one move for every inner hash that it lacks."""
    return (top - 1) * free_states(top) // 2


def capped_states(top: int, most: int) -> int:
    """The subsets with fewer than `most` elements."""
    return sum(comb(top - 1, size) for size in range(most))


def middle_states(width: int) -> int:
    """A bundle of this width is whole, or both its halves are divided independently."""
    if width < 2:
        return 1
    return 1 + middle_states(width // 2) * middle_states(width - width // 2)


def middle_transitions(width: int) -> int:
    """The split of the whole, and each move of one half with each division of the other."""
    if width < 2:
        return 0
    left, right = width // 2, width - width // 2
    left_moves = middle_transitions(left) * middle_states(right)
    return 1 + left_moves + middle_states(left) * middle_transitions(right)


def free_splits(top: int) -> Graph[Division]:
    """All splits of a hash space."""
    return Graph(
        name=f"free-splits-{top}",
        chapter="splitting",
        clauses=("SPL-1", "SPL-16", "SPL-17", "SPL-18", "BUN-15"),
        statement="Splits at any position strictly inside reach every division of the hash space; "
        "in each of them every hash is in exactly one bundle, which bisection finds; no split "
        "can be undone by splits.",
        bound=f"hashes 0 to {top}, all splits of all bundles in any order",
        initial=lambda: [(0, top)],
        moves=partial(splits, inside),
        wrong=partial(wrong_division, top, None),
        final=can_be_cut_still,
        broken=Broken(
            "cut-at-lower-end",
            "A position may lie at the lower end of the bundle.",
            partial(splits, lower_end_too),
        ),
        size=Size(free_states(top), free_transitions(top)),
    )


def middle_splits(top: int) -> Graph[Division]:
    """All splits by `range_equally_divide`."""
    return Graph(
        name=f"middle-splits-{top}",
        chapter="splitting",
        clauses=("SPL-1", "SPL-4", "SPL-17"),
        statement="Splits in the middle end when no bundle has room; every division on the way "
        "is legal.",
        bound=f"hashes 0 to {top}, every order in which bundles can be split in the middle",
        initial=lambda: [(0, top)],
        moves=partial(splits, in_the_middle),
        wrong=partial(wrong_division, top, None),
        final=can_be_cut_still,
        broken=Broken(
            "no-room",
            "A bundle without a hash between its ends is cut, too.",
            partial(splits, middle_without_room),
        ),
        size=Size(middle_states(top), middle_transitions(top)),
    )


def capped_splits(top: int, most: int) -> Graph[Division]:
    """All splits up to a number of bundles."""
    return Graph(
        name=f"capped-splits-{top}-{most}",
        chapter="splitting",
        clauses=("SPL-36", "SPL-78"),
        statement="Whichever bundles are hot, alone or all at once, and wherever they would be "
        "cut, what the reference of either manager decides never makes more bundles than the "
        "maximum.",
        bound=f"hashes 0 to {top}, at most {most} bundles, one hot bundle with any one position, "
        "or all bundles hot with all positions or the middle, in any order",
        initial=lambda: [(0, top)],
        moves=partial(moving, most),
        wrong=partial(wrong_division, top, most),
        final=nothing_wrong,
        broken=Broken(
            "at-most-instead-of-below",
            "A split is allowed while there are at most as many bundles as the maximum.",
            partial(moving, most + 1),
        ),
    )


GRAPHS: Final = (
    free_splits(7),
    free_splits(9),
    middle_splits(15),
    replace(capped_splits(9, 5), size=Size(capped_states(9, 5), 578)),
)
