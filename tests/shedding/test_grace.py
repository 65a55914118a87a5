"""An error about the grace period violates the clause about it, and none about its consequences."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.shedding import cluster
from evenkeel_engine.check.seeded import make_trial
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for
from evenkeel_engine.kit.question import judge

SENTENCE = re.compile(r" at (\d+) ms; it was unloaded at (\d+) ms, .* the period is (\d+) ms")


def half_the_period(
    recently_unloaded: Mapping[str, int], now: int, grace_minutes: int
) -> dict[str, int]:
    """A grace period of half the length."""
    period = grace_minutes * cluster.MINUTE
    return {bundle: at for bundle, at in recently_unloaded.items() if 2 * (now - at) <= period}


@pytest.mark.parametrize(
    "name", ["shedding.threshold", "shedding.overload", "shedding.avg", "shedding.uniform"]
)
def test_only_the_grace_clause_is_violated(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    question, clauses, blamed = QUESTIONS[name], clauses_for(name, DOCUMENTED), 0
    for index in range(2000):
        trial = make_trial(question, 1, index)
        with monkeypatch.context() as patch:
            patch.setattr(cluster, "within_grace", half_the_period)
            observed = question.observe(trial, DOCUMENTED)
        verdicts = judge(question, clauses, trial, observed, DOCUMENTED)
        broken = {v.clause: v.sentence for v in verdicts if v.status == "violated"}
        assert broken.keys() <= {"SHD-3", "SHD-101"}, (index, broken)
        for sentence in broken.values():
            found = SENTENCE.search(sentence)
            assert found is not None, sentence
            now, unloaded, period = map(int, found.groups())
            assert period < 2 * (now - unloaded) < 2 * period
            blamed += 1
        if blamed > 5:
            return
    pytest.fail(f"{blamed} trials are about it")
