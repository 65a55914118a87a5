"""Trial and answer of `placement.policy`: is an isolation policy stored?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evenkeel.properties.placement.expressions import readable, require_expressions
from evenkeel.reference.edition import Edition
from evenkeel.reference.placement import admission
from evenkeel.reference.placement.isolation import IsolationPolicy


@dataclass(frozen=True, slots=True)
class StoredPolicyTrial:
    """`placement.policy`: an isolation policy is set; is it stored?

    Expressions consist of what every dialect of regular expressions reads, or refuses, alike:
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
    """Whether it was stored; if not, it was refused."""

    stored: bool


def answer_policy(trial: StoredPolicyTrial, edition: Edition) -> StoredPolicyAnswer:
    """Whether the policy is stored."""
    policy = IsolationPolicy(trial.namespaces, trial.primary, trial.secondary)
    return StoredPolicyAnswer(admission.stored(policy, edition))


def policy_labels(trial: StoredPolicyTrial) -> Iterator[str]:
    """Which expressions cannot be read."""
    for name in ("namespaces", "primary", "secondary"):
        if not readable(getattr(trial, name)):
            yield f"{name} cannot be read"
