"""What Apache Pulsar's own classes answered is what the reference of its edition answers.

This is the one test of the reference, on a machine without a JVM, whose answers come from
elsewhere.
"""

import pytest

from evenkeel.harness import recorded
from evenkeel.harness.recorded import Checked, differs
from evenkeel.harness.subjects.local import ReferenceSubject
from evenkeel.properties.catalogue import QUESTIONS
from evenkeel.reference.edition import DOCUMENTED, EDITIONS, PULSAR_4_0

UNANSWERED = {"balancing.loop", "throttling.loop"}
"""The questions that the adapter does not answer."""


def test_every_question_that_pulsar_answers_is_recorded() -> None:
    assert set(QUESTIONS) - set(recorded.questions()) == UNANSWERED


@pytest.mark.parametrize("question", recorded.questions())
def test_the_reference_answers_as_pulsar_did_and_no_clause_objects(question: str) -> None:
    found, done = recorded.recording(question), Checked()
    edition = EDITIONS[found.header.edition]
    recorded.check(found, ReferenceSubject(edition), done)
    assert (done.contradictions, done.unanswered) == ([], [])
    assert (done.lines, done.open) == (found.header.lines, found.header.open)
    # … and the quick question, which a score asks of each mutant, says the same.
    assert differs(question, edition) is None


def test_the_documented_edition_is_another_matter() -> None:
    """The reference of another edition departs from what Pulsar answered, in every chapter."""
    departed = set()
    for name in recorded.questions():
        done = Checked()
        recorded.check(recorded.recording(name), ReferenceSubject(DOCUMENTED), done)
        if done.contradictions:
            departed.add(QUESTIONS[name].chapter)
    assert departed >= {"bundles", "splitting", "ownership", "load", "placement", "shedding"}
    assert differs("bundles.topic", DOCUMENTED) is None, "nothing is recorded of it"
    assert differs("bundles.topic", PULSAR_4_0) is None
