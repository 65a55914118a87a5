"""What a rule about a broker.conf is, and how one of rules.toml gets its test and its trial."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from evenkeel.operate.conf.conf import Conf
from evenkeel.operate.conf.trials import STRATEGY_QUESTIONS, Json
from evenkeel.operate.tables import read_table
from evenkeel_engine.kit.observations import Broke, Refused

TABLE: Final = read_table("conf/rules.toml")
OF_THE_STRATEGY: Final = "shedding"
"""In place of a question: the one about the strategy that sheds."""
Says = Callable[[Conf], bool | str]
"""Whether a configuration breaks a rule; or the sentence about it, where rules.toml has none."""


class RuleSeverity(StrEnum):
    """`ERROR`: a MUST promise is broken, or what is set cannot work. `WARNING`: it has no effect,
    or one that may not be expected.
    """

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Rule:
    """What a configuration must not say.

    `trial` and `shows`: the trial of `question` in which it is seen, and whether an observation of
    it shows it; without a question Pulsar's source alone shows it. `source`: where Pulsar decides.
    """

    name: str
    severity: RuleSeverity
    clauses: tuple[str, ...]
    source: str
    question: str
    sentence: str
    says: Says
    trial: Callable[[Conf], Json]
    shows: Callable[[Any, Conf], bool]

    def find_question(self, conf: Conf) -> str:
        """The question of its trial; "" for none."""
        return STRATEGY_QUESTIONS[conf.sheds] if self.question == OF_THE_STRATEGY else self.question

    def explain(self, conf: Conf) -> str:
        """The sentence about a configuration that breaks it, or ""."""
        found = self.says(conf)
        if isinstance(found, str):
            return found
        return self.sentence.format_map(Words(conf)) if found else ""


@dataclass(frozen=True, slots=True)
class Words:
    """What the places in a sentence stand for."""

    conf: Conf

    def __getitem__(self, name: str) -> str:
        chosen = name in ("manager", "sheds", "strategy", "placement")
        return getattr(self.conf, name) if chosen else Figure(self.conf.text(name))


class Figure(str):
    """A setting's text, which is a number where a sentence says how it is to be written."""

    __slots__ = ()

    def __format__(self, form: str) -> str:
        return format(float(self), form) if form else str(self)


DECLARED: Final[list[Rule]] = []
"""The rules in the order in which they are declared."""


def moves_nothing(seen: Any, conf: Conf) -> bool:
    """No broker sheds in any round."""
    return not isinstance(seen, Refused | Broke) and not any(seen.rounds)


def rule(
    name: str,
    trial: Callable[[Conf], Json] = lambda conf: {},
    shows: Callable[[Any, Conf], bool] = moves_nothing,
) -> Callable[[Says], Says]:
    """Make a rule of what says whether it is broken; without `shows`: nothing is moved."""
    row = TABLE[name]
    severity, clauses = RuleSeverity(row["severity"]), tuple(row["clauses"])
    texts = (row["source"], row.get("question", ""), row.get("sentence", ""))

    def add(says: Says) -> Says:
        DECLARED.append(Rule(name, severity, clauses, *texts, says, trial, shows))
        return says

    return add
