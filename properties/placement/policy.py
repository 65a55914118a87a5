"""Setting an isolation policy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from evenkeel.properties.placement.trial_parts import readable, require_expressions
from evenkeel.properties.tolerance import tolerance_of
from evenkeel.reference.edition import Edition
from evenkeel.reference.placement import admission
from evenkeel.reference.placement.isolation import IsolationPolicy
from evenkeel_engine.kit.clause import Case, describe
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.formatting import display
from evenkeel_engine.kit.judge import decision
from evenkeel_engine.kit.observations import Broke
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import Run


@dataclass(frozen=True, slots=True)
class StoredPolicyTrial:
    """`placement.policy`: an isolation policy is set; is it stored?

    Expressions consist of what all dialects of regular expressions accept, or reject, alike:
    letters, digits, `_`, `/`, `:`, `-`, `.`, `.*`, `.+`, `\\.`, `\\d`, sets as `[ab3]`, ranges as
    `[a-z]`, `(`, `)` and `|`; at most 200 characters.
    """

    namespaces: tuple[str, ...]
    primary: tuple[str, ...]
    secondary: tuple[str, ...]

    def __post_init__(self) -> None:
        for name in ("namespaces", "primary", "secondary"):
            require_expressions(name, getattr(self, name))


@dataclass(frozen=True, slots=True)
class StoredPolicyAnswer:
    """Whether it was stored; `refused` says that it was not."""

    stored: bool


READABLE: Final = ("host-1", "tenant/ns", "tenant/.*", "host-[a-z]", "(a|b)", ".*", "")
UNREADABLE: Final = ("[z-a]", "host-[z-a]", "(tenant/ns", "tenant/ns)", "a|(", ".*)")


def expressions(draw: Draw) -> tuple[str, ...]:
    """A few expressions; one in ten is invalid."""
    return tuple(
        draw.pick(UNREADABLE) if draw.chance(0.1) else draw.pick(READABLE)
        for _ in draw.items(3, 0.7)
    )


def policy_trial(draw: Draw) -> StoredPolicyTrial:
    """A policy that may match no broker."""
    return StoredPolicyTrial(expressions(draw), expressions(draw), expressions(draw))


def answer_policy(trial: StoredPolicyTrial, edition: Edition) -> StoredPolicyAnswer:
    """Whether the policy is stored."""
    policy = IsolationPolicy(trial.namespaces, trial.primary, trial.secondary)
    return StoredPolicyAnswer(admission.is_stored(policy, edition))


def policy_labels(trial: StoredPolicyTrial) -> Iterator[str]:
    """Which expressions are invalid."""
    for name in ("namespaces", "primary", "secondary"):
        if not readable(getattr(trial, name)):
            yield f"{name} cannot be read"


@decision("placement.policy", "PLC-46", "PLC-47", "PLC-48", "PLC-49")
def judge_policy(run: Run, case: Case[StoredPolicyTrial, StoredPolicyAnswer]) -> None:
    trial, observed = case.trial, case.observation
    stored = None if isinstance(observed, Broke) else observed == StoredPolicyAnswer(True)
    outcome = describe(observed)
    names, brokers = bool(trial.namespaces and trial.primary), (*trial.primary, *trial.secondary)
    for clause, given in (("PLC-46", brokers), ("PLC-47", trial.namespaces)):
        if not readable(given):
            run.require(clause, stored is False, f"{display(given)} is invalid: {outcome}")
    if not readable(brokers):
        return
    if readable(trial.namespaces):
        if trial.namespaces and trial.secondary and not (names or tolerance_of(case.edition).exact):
            return  # secondary brokers alone
        kind = "refused" if names else "stored"
        run.require("PLC-48", stored is names, lambda: f"{display(trial)}: {outcome}", kind)
    elif case.edition.unreadable_namespaces_stored and names:
        run.require("PLC-49", stored is True, lambda: f"{display(trial.namespaces)}: {outcome}")


POLICY: Final = Question(
    "placement.policy",
    StoredPolicyTrial,
    StoredPolicyAnswer,
    policy_trial,
    answer_policy,
    policy_labels,
)

QUESTIONS: Final = (POLICY,)
