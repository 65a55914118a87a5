"""What a split changes of boundaries (SPL-1, SPL-16 to SPL-20, SPL-77)."""

from __future__ import annotations

from evenkeel.properties.clause import Case, describe, shape
from evenkeel.properties.judging.judge import binds, decision
from evenkeel.properties.judging.run import Run
from evenkeel.properties.observations import Refused
from evenkeel.properties.plain import plain
from evenkeel.properties.splitting.applying.trial import ApplyAnswer, ApplyTrial
from evenkeel.properties.splitting.spans import ascend, has_room, inside, is_bundle, spans_between


@decision("splitting.apply", "SPL-1", "SPL-16", "SPL-17", "SPL-18", "SPL-19", "SPL-20", "SPL-77")
def applying(run: Run, case: Case[ApplyTrial, ApplyAnswer]) -> None:
    trial, observed = case.trial, case.observation
    target, positions = trial.target, sorted(set(trial.positions))
    repeated = len(positions) < len(trial.positions)
    if fault := why_refused(trial, case.edition.name, repeated):
        clause, why = fault
        refused = isinstance(observed, Refused)
        kind = f"{shape(observed)} instead of refused"
        run.require(clause, refused, lambda: f"{why}, but {describe(observed)}", kind)
        return
    clause = "SPL-19" if repeated else "SPL-16"
    in_order = repeated or ascend(trial.positions)
    if not isinstance(observed, ApplyAnswer):
        refused = isinstance(observed, Refused)
        run.require(
            clause if in_order or not refused else "SPL-77",
            repeated and refused,
            lambda: f"{target} can be cut at {plain(trial.positions)}, but {describe(observed)}",
            f"{shape(observed)} instead of answered",
        )
        return
    if not in_order:
        run.require("SPL-77", True)
    wanted, got = tuple(sorted({*trial.boundaries, *positions})), observed.boundaries
    lost = sorted(set(trial.boundaries) - set(got))
    run.require(clause, not lost, lambda: f"the boundaries {lost} are gone", "lost boundary")
    run.require(
        clause,
        got == wanted,
        lambda: f"cutting {target} at {trial.positions} gives {wanted}, not {got}",
    )
    run.require(
        "SPL-17",
        observed.children == spans_between((target.lower, *positions, target.upper)),
        lambda: (
            f"the children of {target} meet at {positions}: they are not "
            f"{', '.join(map(str, observed.children))}"
        ),
    )


def why_refused(trial: ApplyTrial, edition: str, repeated: bool) -> tuple[str, str] | None:
    """The clause by which the split is illegal, and why; None if it is legal."""
    target = trial.target
    if not has_room(target):
        return "SPL-1", f"{target} holds no position to cut at"
    if not is_bundle(trial.boundaries, target):
        return "SPL-18", f"{target} is not a bundle of the namespace"
    if len(inside(target, trial.positions)) < len(set(trial.positions)):
        return "SPL-18", f"a position lies outside {target}"
    if repeated and binds("SPL-20", edition):
        return "SPL-20", "a position was given twice"
    return None
