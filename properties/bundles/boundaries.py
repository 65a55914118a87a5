"""The boundaries that divide a namespace, and those that it is created with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from evenkeel.properties.bundles.ranges import hex_name
from evenkeel.properties.bundles.trial_parts import (
    INTEGERS,
    draw_boundaries,
    draw_hash,
    equal_cuts,
    is_division,
    spans,
)
from evenkeel.reference.bundles import boundaries
from evenkeel.reference.bundles.ranges import TOP_HASH
from evenkeel.reference.edition import Edition
from evenkeel.reference.java_text import decode
from evenkeel_engine.kit.clause import Case, in_full
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.formatting import display
from evenkeel_engine.kit.judge import decision, require_equal
from evenkeel_engine.kit.observations import Refused, Span
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import Run, fill
from evenkeel_engine.kit.trial import require


@dataclass(frozen=True, slots=True)
class BoundariesTrial:
    """`bundles.boundaries`: which bundles does this list of boundaries make? It may be illegal."""

    boundaries: tuple[int, ...]

    def __post_init__(self) -> None:
        require(
            all(-(2**63) <= b < 2**63 for b in self.boundaries),
            "boundaries",
            "must be 64-bit integers",
        )


@dataclass(frozen=True, slots=True)
class BoundariesAnswer:
    """The bundles in ascending order."""

    bundles: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class CreationTrial:
    """`bundles.creation`: a namespace is created; which boundaries does it get?

    `count` is the requested number of bundles (0 or less: not given), `boundaries` the explicit
    boundary texts or null, `default_count` the broker's `defaultNumberOfNamespaceBundles`. Given
    boundaries count whatever `count` says (but see BUN-14). A text is an integer if `Long.decode`
    reads it: after `0x`, `0X` or `#` it is hexadecimal, after `0` octal, and no blank is in it.
    """

    count: int
    boundaries: tuple[str, ...] | None
    default_count: int

    def __post_init__(self) -> None:
        require(-(2**31) <= self.count < 2**31, "count", "must be a 32-bit integer")
        require(self.count <= 2**16, "count", "above 65536 makes an answer too large to send")
        require(1 <= self.default_count <= 2**16, "default_count", "must be 1 to 65536")


@dataclass(frozen=True, slots=True)
class CreationAnswer:
    """The stored boundaries, in stored order."""

    boundaries: tuple[int, ...]


def boundaries_trial(draw: Draw) -> BoundariesTrial:
    """Legal lists, and lists with one error."""
    boundaries = list(draw_boundaries(draw))
    fault = draw.integer(0, 8)
    index = draw.integer(0, len(boundaries) - 1)
    if fault == 1:
        del boundaries[index]
    elif fault == 2:
        boundaries.insert(index, boundaries[index])
    elif fault == 3:
        boundaries[0] = draw.pick((1, -1, 2, draw_hash(draw)))
    elif fault == 4:
        boundaries[-1] = draw.pick((TOP_HASH - 1, TOP_HASH + 1, draw_hash(draw)))
    elif fault == 5:
        boundaries.reverse()
    elif fault == 6:
        boundaries = boundaries[: draw.integer(0, 1)]
    elif fault == 7:
        boundaries[index] = draw.pick((draw_hash(draw), 2**32, 2**32 + 5, -5))
    return BoundariesTrial(tuple(boundaries))


MANY_BUNDLES: Final = (1, 2, 4, 8, 16, 32, 64)
"""A document creates a namespace with the last of these numbers."""

_COUNTS: Final = (1, 2, 3, 4, 9, 64, 0, -1, 5, 7, 16, 100, 128, 1000, 65536)


def creation_trial(draw: Draw) -> CreationTrial:
    """By count, by default, and by explicit boundaries with and without errors."""
    large = draw.chance(0.02)
    count = draw.pick(_COUNTS) if large or draw.chance(0.3) else draw.integer(-1, 40)
    default = draw.pick((4, 1, 2, 16))
    if draw.chance(0.5):
        return CreationTrial(count, None, default)
    values = list(draw_boundaries(draw))
    for _ in draw.items(2, 0.3):
        values.insert(
            draw.integer(0, len(values)),
            draw.pick((draw.pick(values), 2**32, 2**33 + 1, -1, draw_hash(draw))),
        )
    if draw.chance(0.15):
        del values[draw.pick((0, len(values) - 1))]
    texts = [draw.pick((f"{value:#010x}", str(value), f"{value:#X}")) for value in values]
    texts = [text.replace("0X", "0x") for text in texts]
    if draw.chance(0.05):
        texts.append(draw.pick(INTEGERS))
    return CreationTrial(count, tuple(texts), default)


def answer_boundaries(trial: BoundariesTrial, edition: Edition) -> BoundariesAnswer:
    boundaries.check_boundaries(trial.boundaries, edition)
    return BoundariesAnswer(spans(trial.boundaries))


def answer_creation(trial: CreationTrial, edition: Edition) -> CreationAnswer:
    return CreationAnswer(
        boundaries.creation_boundaries(trial.count, trial.boundaries, trial.default_count, edition)
    )


def boundaries_labels(trial: BoundariesTrial) -> Iterator[str]:
    yield f"{min(len(trial.boundaries), 3)} or more boundaries"


def creation_labels(trial: CreationTrial) -> Iterator[str]:
    if trial.boundaries is not None:
        yield "explicit boundaries"
    yield "count given" if trial.count > 0 else "default count"


def starts_anywhere(points: Sequence[int]) -> bool:
    """Whether a list is legal if its first boundary is not checked (BUN-11)."""
    if tuple(points) == (TOP_HASH, TOP_HASH):
        return True
    return len(points) > 1 and points[-1] == TOP_HASH and list(points) == sorted(set(points))


@decision("bundles.boundaries", "BUN-10", "BUN-11", "BUN-22")
def judge_boundaries(run: Run, case: Case[BoundariesTrial, BoundariesAnswer]) -> None:
    points, unchecked = case.trial.boundaries, case.edition.first_boundary_unchecked
    legal = starts_anywhere(points) if unchecked else is_division(points)
    right = BoundariesAnswer(spans(points)) if legal else Refused("they do not divide the space")
    what = f"boundaries {display(points)}"
    in_order = sorted(set(points))
    if not (unchecked or legal) and is_division(in_order):
        require_equal(run, case, "BUN-22", right, what)
        if not isinstance(
            case.observation, Refused
        ):  # a subject that sorts them is judged by the sorted list
            require_equal(run, case, "BUN-10", BoundariesAnswer(spans(in_order)), what)
        return
    require_equal(run, case, "BUN-11" if unchecked else "BUN-10", right, what)


@decision("bundles.creation", "BUN-12", "BUN-13", "BUN-14", "BUN-23")
def judge_creation(run: Run, case: Case[CreationTrial, CreationAnswer]) -> None:
    trial, edition = case.trial, case.edition
    texts, count = trial.boundaries, trial.count
    if texts == () and not edition.boundaries_need_count and isinstance(case.observation, Refused):
        return  # no document says whether an empty list is illegal or none
    if not texts or (edition.boundaries_need_count and count <= 0):
        if texts is None and count > 0 and isinstance(case.observation, CreationAnswer):
            number = len(case.observation.boundaries) - 1
            run.require("BUN-23", number == count, f"{number} bundles, not {count}")
        elif texts is None and count in MANY_BUNDLES:
            why = fill("{} bundles: {}", count, in_full(case.observation))
            run.require("BUN-23", False, why, "refused")
        count = count if count > 0 else trial.default_count
        require_equal(run, case, "BUN-12", CreationAnswer(equal_cuts(count)), f"{count} bundles")
        return
    as_texts = edition.boundary_texts_sorted_as_text
    require_equal(
        run,
        case,
        "BUN-14" if as_texts else "BUN-13",
        explicit(texts, as_texts=as_texts),
        lambda: f"explicit boundaries {display(texts)}",
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


BOUNDARIES: Final = Question(
    "bundles.boundaries",
    BoundariesTrial,
    BoundariesAnswer,
    boundaries_trial,
    answer_boundaries,
    boundaries_labels,
    one_decision=True,
)

CREATION: Final = Question(
    "bundles.creation",
    CreationTrial,
    CreationAnswer,
    creation_trial,
    answer_creation,
    creation_labels,
    one_decision=True,
)

QUESTIONS: Final[tuple[Question[Any, Any], ...]] = (BOUNDARIES, CREATION)
