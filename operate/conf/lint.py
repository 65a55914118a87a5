"""Which promises a configuration breaks in a release, each with the trial that shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from evenkeel.operate.conf.conf import Conf
from evenkeel.operate.conf.rule import Rule, RuleSeverity
from evenkeel.operate.conf.rules import RULES
from evenkeel.operate.conf.trials import Json
from evenkeel.reference.edition import EDITIONS
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.kit.codec import BadData, from_json
from evenkeel_engine.kit.defaults import complete_data
from evenkeel_engine.kit.observations import Broke, Refused
from evenkeel_engine.subjects.wire import observation_to_json


@dataclass(frozen=True, slots=True)
class LintFinding:
    """A rule that a configuration breaks: its sentence, and the trial in which it is seen.

    `observed`: what the edition's reference answers; None, as `trial`, where what is set is outside
    of what a trial may hold, or no question is about it.
    """

    rule: Rule
    sentence: str
    question: str
    trial: Json | None
    observed: Any

    @property
    def is_error(self) -> bool:
        """Whether a promise is broken, or something cannot work."""
        return self.rule.severity is RuleSeverity.ERROR

    def data(self, edition: str) -> Json:
        """For programs. The trial is one for `evenkeel replay`."""
        trial = {"question": self.question, "edition": edition, "trial": self.trial}
        return {
            "rule": self.rule.name,
            "severity": self.rule.severity.value,
            "sentence": self.sentence,
            "clauses": list(self.rule.clauses),
            "source": self.rule.source,
            "shown_by": None if self.trial is None else trial,
            "observed": self.observed,
        }


def observe(question: str, trial: Json, edition: str) -> Any:
    """What the reference answers. Raises `BadData` for what is no trial."""
    asked = QUESTIONS[question]
    form = from_json(asked.trial_type, complete_data(asked.trial_type, trial))
    return asked.observe(form, EDITIONS[edition])


def lint(conf: Conf, edition: str) -> list[LintFinding]:
    """What the configuration breaks, the rules' order kept.

    A rule whose trial shows otherwise in this edition is not broken there.
    """
    found = []
    for rule in RULES:
        if not (sentence := rule.explain(conf)):
            continue
        if not (question := rule.find_question(conf)):
            found.append(LintFinding(rule, sentence, "", None, None))
            continue
        trial = rule.trial(conf)
        try:
            seen = observe(question, trial, edition)
        except BadData as bad:
            note = f"{sentence} (no trial has this: {bad})"
            found.append(LintFinding(rule, note, question, None, None))
            continue
        if question == "balancing.strategy" and isinstance(seen, Refused | Broke):
            sentence = f"{sentence}; {conf.without_manager}"
        if rule.shows(seen, conf):
            found.append(LintFinding(rule, sentence, question, trial, observation_to_json(seen)))
    return found
