"""The boundaries after a split (SPL-16 to SPL-20)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from evenkeel.properties.bundles.trial_parts import (
    draw_boundaries,
    draw_hash,
    pick_bundle,
    require_boundaries,
)
from evenkeel.properties.splitting.positions import draw_positions
from evenkeel.properties.splitting.trial_parts import (
    ascend,
    has_room,
    inside,
    is_bundle,
    spans,
    spans_between,
)
from evenkeel.reference.bundles.ranges import HashRange
from evenkeel.reference.edition import Edition
from evenkeel.reference.splitting import applying
from evenkeel_engine.kit.clause import Case, describe, name_shape
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.formatting import display
from evenkeel_engine.kit.judge import decision, is_must
from evenkeel_engine.kit.observations import Refused, Span
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import Run
from evenkeel_engine.kit.trial import require, require_longs


@dataclass(frozen=True, slots=True)
class ApplyTrial:
    """`splitting.apply`: cut the bundle `target` of these boundaries at these positions.

    The target may be missing from the boundaries and the positions may be illegal; both must be
    refused. At least one position is given.
    """

    boundaries: tuple[int, ...]
    target: HashRange
    positions: tuple[int, ...]

    def __post_init__(self) -> None:
        require_boundaries(self.boundaries)
        require(len(self.positions) > 0, "positions", "must not be empty")
        require_longs("positions", self.positions)


@dataclass(frozen=True, slots=True)
class ApplyAnswer:
    """All boundaries after the split, and the target's children in ascending order."""

    boundaries: tuple[int, ...]
    children: tuple[Span, ...]


def apply_trial(draw: Draw) -> ApplyTrial:
    """Legal splits, and splits of a range that is no bundle or at a position outside."""
    boundaries = draw_boundaries(draw)
    target = pick_bundle(draw, boundaries)
    if draw.chance(0.15):
        target = not_quite(draw, target, boundaries)
    return ApplyTrial(boundaries, target, draw_positions(draw, target, 4, least=1))


def not_quite(draw: Draw, bundle: HashRange, boundaries: Sequence[int]) -> HashRange:
    """A range that shares an end with the bundle, or any other."""
    sort = draw.integer(0, 2)
    lower = draw_hash(draw, boundaries) if sort >= 1 else bundle.lower
    upper = bundle.upper if sort == 1 else draw_hash(draw, boundaries)
    lower, upper = min(lower, upper), max(lower, upper)
    return HashRange(lower, upper) if lower < upper else bundle


def answer_apply(trial: ApplyTrial, edition: Edition) -> ApplyAnswer:
    """The boundaries and children after the split."""
    after = applying.apply_positions(trial.boundaries, trial.target, trial.positions, edition)
    return ApplyAnswer(after, spans(applying.divide_target(trial.target, trial.positions)))


def apply_labels(trial: ApplyTrial) -> Iterator[str]:
    """The error, or the number of cuts."""
    if not is_bundle(trial.boundaries, trial.target):
        yield "no such bundle"
    if not all(trial.target.lower < p < trial.target.upper for p in trial.positions):
        yield "position outside"
    if len(set(trial.positions)) < len(trial.positions):
        yield "repeated position"
    yield "one position" if len(trial.positions) == 1 else "several positions"


@decision(
    "splitting.apply", "SPL-1", "SPL-16", "SPL-17", "SPL-18", "SPL-19", "SPL-20", "SPL-77", "SPL-80"
)
def judge_applying(run: Run, case: Case[ApplyTrial, ApplyAnswer]) -> None:
    trial, observed = case.trial, case.observation
    target, positions = trial.target, sorted(set(trial.positions))
    repeated = len(positions) < len(trial.positions)
    if fault := why_refused(trial, case.edition.name, repeated):
        clause, why = fault
        after = observed.boundaries if isinstance(observed, ApplyAnswer) else trial.boundaries
        target_alone(run, target, trial.boundaries, after)
        holds, kind = isinstance(observed, Refused), f"{name_shape(observed)} instead of refused"
        run.require(clause, holds, lambda: f"{why}, but {describe(observed)}", kind)
        return
    clause = "SPL-19" if repeated else "SPL-16"
    in_order = repeated or ascend(trial.positions)
    if not isinstance(observed, ApplyAnswer):
        refused = isinstance(observed, Refused)
        run.require(
            clause if in_order or not refused else "SPL-77",
            repeated and refused,
            lambda: f"{target} can be cut at {display(trial.positions)}, but {describe(observed)}",
            f"{name_shape(observed)} instead of answered",
        )
        return
    if not in_order:
        run.require("SPL-77", True)
    expected, got = tuple(sorted({*trial.boundaries, *positions})), observed.boundaries
    lost = sorted(set(trial.boundaries) - set(got))
    run.require(clause, not lost, lambda: f"the boundaries {lost} were removed", "lost boundary")
    run.require(
        clause,
        got == expected,
        lambda: f"cutting {target} at {trial.positions} gives {expected}, not {got}",
    )
    run.require(
        "SPL-17",
        observed.children == spans_between((target.lower, *positions, target.upper)),
        lambda: (
            f"the children of {target} meet at {positions}: they are not "
            f"{', '.join(map(str, observed.children))}"
        ),
    )


def target_alone(
    run: Run, target: HashRange | None, before: Sequence[int], after: Sequence[int]
) -> None:
    """SPL-80: check that no boundary is lost, and that each new one cuts a bundle within the range
    that is to be split; None: nothing is.
    """
    lost, added = sorted({*before} - {*after}), sorted({*after} - {*before})
    may = [] if target is None else bundles_within(target, before)
    outside = [cut for cut in added if not any(low < cut < high for low, high in may)]
    of = f"by a split of {target or 'nothing'}"
    run.require("SPL-80", not lost, f"the boundaries {lost} were removed {of}", "lost boundary")
    run.require("SPL-80", not outside, f"the boundaries {outside} were added {of}")


def bundles_within(range_: HashRange, boundaries: Sequence[int]) -> list[tuple[int, int]]:
    """The ends of the bundles that lie within a range."""
    return [
        (low, high)
        for low, high in pairwise(sorted(boundaries))
        if range_.lower <= low and high <= range_.upper
    ]


def why_refused(trial: ApplyTrial, edition: str, repeated: bool) -> tuple[str, str] | None:
    """The clause by which the split is illegal, and why; None if it is legal."""
    target = trial.target
    if not has_room(target):
        return "SPL-1", f"{target} holds no position to cut at"
    if not is_bundle(trial.boundaries, target):
        return "SPL-18", f"{target} is not a bundle of the namespace"
    if len(inside(target, trial.positions)) < len(set(trial.positions)):
        return "SPL-18", f"a position lies outside {target}"
    if repeated and is_must("SPL-20", edition):
        return "SPL-20", "a position was given twice"
    return None


APPLY: Final = Question(
    "splitting.apply", ApplyTrial, ApplyAnswer, apply_trial, answer_apply, apply_labels
)

QUESTIONS: Final = (APPLY,)
