"""A bug of the reference is noticed by the recorded answers alone; what is right is not."""

import pytest

from evenkeel.harness import recorded
from evenkeel.harness.recorded import Line, agrees, differs, objections, text_of
from evenkeel.mutation.catalogue import MUTANTS
from evenkeel.mutation.mutant import Mutant
from evenkeel.properties.catalogue import QUESTIONS
from evenkeel.properties.kit.question import Observation
from evenkeel.reference.edition import PULSAR_4_0

NOTICED = {
    "lower-end-decides": "bundles.membership",
    "cut-at-the-limit": "splitting.positions",
    "only-the-next-version": "ownership.conflict",
    "locks-expiry-ignored": "ownership.locks",
    "guess-counts-as-sample": "load.leader",
    "policy-matched-with-port": "placement.filters",
    "uniform-no-minimum": "shedding.uniform",
    "excess-forgotten": "throttling.quota",
}
"""Real defects of every chapter that has recorded answers, put into the reference itself; and one
question each whose answers show it.
"""


def named(name: str) -> Mutant:
    return next(m for m in MUTANTS if m.name == name)


@pytest.mark.parametrize("name", NOTICED)
def test_a_defect_in_the_reference_is_noticed(name: str) -> None:
    mutant, question = named(name), NOTICED[name]
    assert mutant.defect
    found = recorded.lines(question)
    with mutant.applied():
        index = differs(question)
        answered = [observed(question, line) for line in found]
    assert index is not None
    # It is the first line with one answer that is not answered as recorded …
    wrong = [i for i, (line, said) in enumerate(zip(found, answered, strict=True)) if said]
    assert wrong, "every line is answered"
    others = [
        i
        for i, (line, said) in enumerate(zip(found, answered, strict=True))
        if not line.open and (said is None or not agrees(line, said))
    ]
    assert others[:1] == [index]
    # … and of the mutant nothing is left.
    assert differs(question) is None


def observed(question: str, line: Line) -> Observation | None:
    """What the reference, as it is now, answers; None where it fails."""
    try:
        return QUESTIONS[question].observe(line.trial, PULSAR_4_0)
    except Exception:  # a mutant's failure is its answer
        return None


@pytest.mark.parametrize("variant", [m for m in MUTANTS if m.conforming], ids=lambda m: m.name)
def test_what_is_right_is_not_noticed(variant: Mutant) -> None:
    """Where one answer is demanded and a conforming variant gives another, a clause of this
    edition objects to it: it conforms in another edition only.
    """
    others: list[tuple[str, Line, Observation]] = []
    with variant.applied():
        for name in recorded.questions():
            for line in recorded.lines(name):
                said = None if line.open else observed(name, line)
                if said is not None and not agrees(line, said):
                    others.append((name, line, said))
    for name, line, said in others:
        assert objections(name, PULSAR_4_0, line.trial, said), (name, text_of(line))


def test_conforming_variants_of_this_edition_are_never_noticed() -> None:
    ours = [m for m in MUTANTS if m.conforming and m.edition is PULSAR_4_0]
    assert len(ours) > 5
    for variant in ours:
        with variant.applied():
            assert [name for name in recorded.questions() if differs(name) is not None] == []
