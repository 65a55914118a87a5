"""BUN-10 to BUN-14: lists of boundaries, and those that a namespace is created with."""

from __future__ import annotations

from collections.abc import Sequence

from evenkeel.properties.bundles.boundaries.trial import (
    BoundariesAnswer,
    BoundariesTrial,
    CreationAnswer,
    CreationTrial,
)
from evenkeel.properties.bundles.division import equal_cuts, is_division, spans
from evenkeel.properties.bundles.ranges.judge import hex_name
from evenkeel.properties.clause import Case
from evenkeel.properties.judging.judge import decision, must_be
from evenkeel.properties.judging.run import Run
from evenkeel.properties.observations import Refused
from evenkeel.properties.plain import plain
from evenkeel.reference.bundles.ranges import TOP_HASH
from evenkeel.reference.java_text import decode


def starts_anywhere(points: Sequence[int]) -> bool:
    """A legal list where the first boundary is not looked at (BUN-11)."""
    if tuple(points) == (TOP_HASH, TOP_HASH):
        return True
    return len(points) > 1 and points[-1] == TOP_HASH and list(points) == sorted(set(points))


@decision("bundles.boundaries", "BUN-10", "BUN-11", "BUN-22")
def boundaries(run: Run, case: Case[BoundariesTrial, BoundariesAnswer]) -> None:
    points, unchecked = case.trial.boundaries, case.edition.first_boundary_unchecked
    legal = starts_anywhere(points) if unchecked else is_division(points)
    right = BoundariesAnswer(spans(points)) if legal else Refused("they do not divide the space")
    what = f"boundaries {plain(points)}"
    in_order = sorted(set(points))
    if not (unchecked or legal) and is_division(in_order):
        must_be(run, case, "BUN-22", right, what)
        if not isinstance(case.observation, Refused):  # who puts them in order is held to that
            must_be(run, case, "BUN-10", BoundariesAnswer(spans(in_order)), what)
        return
    must_be(run, case, "BUN-11" if unchecked else "BUN-10", right, what)


@decision("bundles.creation", "BUN-12", "BUN-13", "BUN-14")
def creation(run: Run, case: Case[CreationTrial, CreationAnswer]) -> None:
    trial, edition = case.trial, case.edition
    texts, count = trial.boundaries, trial.count
    if not texts or (edition.boundaries_need_count and count <= 0):
        count = count if count > 0 else trial.default_count
        must_be(run, case, "BUN-12", CreationAnswer(equal_cuts(count)), f"{count} bundles")
        return
    as_texts = edition.boundary_texts_sorted_as_text
    must_be(
        run,
        case,
        "BUN-14" if as_texts else "BUN-13",
        explicit(texts, as_texts=as_texts),
        lambda: f"explicit boundaries {plain(texts)}",
    )


def explicit(texts: Sequence[str], *, as_texts: bool) -> CreationAnswer | Refused:
    """The boundaries that an operator lists: in order, each once, if that is legal."""
    numbers = list(map(decode, texts))
    known = {number for number in numbers if number is not None}
    if None in numbers:
        return Refused("no integer")
    if not as_texts:
        points = sorted(known)
        return CreationAnswer(tuple(points)) if is_division(points) else Refused("no division")
    by_name = {hex_name(number): number for number in known}
    names = sorted(by_name)
    if (names[0], names[-1]) != ("0x00000000", "0xffffffff"):
        return Refused("the texts do not run from the first to the last hash")
    return CreationAnswer(tuple(by_name[name] for name in names))
