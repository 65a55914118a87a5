"""Two departures from practice at once are departures: no MUST is reported as violated."""

from __future__ import annotations

from itertools import combinations

import pytest

from evenkeel.reference.edition import DOCUMENTED
from evenkeel_engine.check.severity import Severity
from evenkeel_engine.kit.catalogue import CLAUSES, QUESTIONS
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.question import verdict_of
from evenkeel_engine.mutation.catalogue import MUTANTS
from tests.kills import observed

TRIALS = 150
VARIANTS = {
    "splitting.manual": (
        "any-algorithm",
        "largest-is-the-first",
        "one-topic-is-parted",
        "owner-needed",
        "specified-in-another-order-refused",
    ),
    "splitting.due_modular": (
        "a-single-topic-is-split",
        "each-split-by-itself",
        "small-bundles-due",
        "the-leader-is-capped",
    ),
    "splitting.due_extensible": ("children-not-counted", "no-guard", "one-topic-counts"),
    "splitting.life": ("one-copy-only", "another-order-refused"),
}
"""By question: variants that depart from Pulsar's practice only."""
PAIRS = [(name, *pair) for name, known in VARIANTS.items() for pair in combinations(known, 2)]


def objections(question: str, names: tuple[str, ...]) -> set[str]:
    """The clauses that object to these variants, all at once."""
    variants = [next(one for one in MUTANTS if one.name == name) for name in names]
    clauses = [clause for clause in CLAUSES if clause.question == question]
    found = set[str]()
    for trial, expected in observed(question, TRIALS, DOCUMENTED):
        with variants[0].apply(), variants[-1].apply():
            answer = QUESTIONS[question].observe(trial, DOCUMENTED)
        if answer == expected:
            continue
        case = Case(trial, answer, DOCUMENTED, lambda *_, right=expected: right)
        verdicts = (verdict_of(c, case) for c in clauses if c.entry.holds_in("DOCUMENTED"))
        found |= {verdict.clause for verdict in verdicts if verdict.status == "violated"}
    return found


@pytest.mark.parametrize(("question", "one", "other"), PAIRS)
def test_no_must_is_violated(question: str, one: str, other: str) -> None:
    found = objections(question, (one, other))
    assert found
    assert [clause for clause in found if not Severity("DOCUMENTED").may(clause)] == []
