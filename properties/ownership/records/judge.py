"""OWN-1 to OWN-5: the table of transitions, and which of two records stands."""

from __future__ import annotations

from evenkeel.properties.clause import Case, describe, shape
from evenkeel.properties.judging.judge import answers, decision
from evenkeel.properties.judging.run import Run
from evenkeel.properties.ownership.records.trial import (
    ConflictAnswer,
    ConflictTrial,
    TransitionAnswer,
    TransitionTrial,
)
from evenkeel.properties.ownership.succession import in_table, ruling


@decision("ownership.transition", "OWN-1")
def transition(run: Run, case: Case[TransitionTrial, TransitionAnswer]) -> None:
    if answers(run, case, "OWN-1"):
        trial, observed = case.trial, case.observation
        right = in_table(trial.storage, trial.before, trial.after)
        run.require(
            "OWN-1",
            observed == TransitionAnswer(right),
            lambda: (
                f"{trial.before.value} to {trial.after.value}: must{'' if right else ' not'} be "
                f"allowed, but the subject {describe(observed)}"
            ),
        )


MUST = {None: "nobody can compare it", True: "must be accepted", False: "must not be accepted"}
WHAT = {
    "OWN-2": "the version",
    "OWN-3": "the first record",
    "OWN-4": "the next record",
    "OWN-5": "the removal",
}


@decision("ownership.conflict", *WHAT)
def conflict(run: Run, case: Case[ConflictTrial, ConflictAnswer]) -> None:
    trial, observed = case.trial, case.observation
    clause, accepted = ruling(trial.storage, trial.current, trial.update, case.edition)
    kinds = shape(observed), "broke" if accepted is None else "answered"
    same = kinds[0] == kinds[1] and (accepted is None or observed == ConflictAnswer(accepted))
    run.require(
        clause,
        same,
        lambda: f"{WHAT[clause]}: {MUST[accepted]}, but the subject {describe(observed)}",
        "" if kinds[0] == kinds[1] else " instead of ".join(kinds),
    )
