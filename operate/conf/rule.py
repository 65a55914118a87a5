"""What a rule about a broker.conf is, and how one is declared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from evenkeel.operate.conf.conf import Conf
from evenkeel.operate.conf.trials import Json
from evenkeel_engine.kit.observations import Broke, Refused


class Severity(StrEnum):
    """`ERROR`: a MUST promise is broken, or what is set cannot work. `WARNING`: it has no effect,
    or one that may not be expected.
    """

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Rule:
    """What a configuration must not say.

    `says`: the sentence, or "". `trial` and `shows`: the trial of `question` in which it is seen,
    and whether an observation of it shows it; without a question Pulsar's source alone shows it.
    `source`: where Pulsar decides it.
    """

    name: str
    severity: Severity
    clauses: tuple[str, ...]
    source: str
    question: Callable[[Conf], str] | None
    says: Callable[[Conf], str]
    trial: Callable[[Conf], Json]
    shows: Callable[[Any, Conf], bool]


DECLARED: Final[list[Rule]] = []
"""The rules in the order in which they are declared."""


def moves_nothing(seen: Any, conf: Conf) -> bool:
    """No broker sheds in any round."""
    return not isinstance(seen, Refused | Broke) and not any(seen.rounds)


def rule(
    name: str,
    severity: Severity,
    clauses: tuple[str, ...],
    source: str,
    question: str | Callable[[Conf], str] | None = None,
    trial: Callable[[Conf], Json] = lambda conf: {},
    shows: Callable[[Any, Conf], bool] = moves_nothing,
) -> Callable[[Callable[[Conf], str]], Callable[[Conf], str]]:
    """Make a rule of the function that says its sentence; without `shows`: nothing is moved."""
    asked = (lambda conf: question) if isinstance(question, str) else question

    def add(says: Callable[[Conf], str]) -> Callable[[Conf], str]:
        DECLARED.append(Rule(name, severity, clauses, source, asked, says, trial, shows))
        return says

    return add
