"""Next to a wrong answer the nearest right one is shown."""

from dataclasses import replace
from typing import Any

from evenkeel.reference.edition import DOCUMENTED
from evenkeel_engine.check.failure import Failure
from evenkeel_engine.check.nearest import find_differing, find_nearest, sorted_once
from evenkeel_engine.check.seeded import make_trial
from evenkeel_engine.check.tally import Found
from evenkeel_engine.cli.failure_report import failure_lines
from evenkeel_engine.cli.render import Paper
from evenkeel_engine.kit.catalogue import QUESTIONS, find_objections
from evenkeel_engine.kit.codec import from_json, to_json
from evenkeel_engine.subjects.wire import observation_to_json

POSITIONS = QUESTIONS["splitting.positions"]


def twice_the_same() -> tuple[Any, Any, Any]:
    """A trial of which several answers are right, the reference's, and one with a repetition."""
    for index in range(3000):
        trial = make_trial(POSITIONS, 1, index)
        expected = POSITIONS.observe(trial, DOCUMENTED)
        form = to_json(expected)
        at = form.get("positions") if isinstance(form, dict) else None
        if not at or len(at) < 2:
            continue
        moved = [at[0] + 1, *at[1:]]
        if len(set(moved)) < 2 or moved != sorted(moved):
            continue
        other = from_json(POSITIONS.answer_type, {**form, "positions": moved})
        if find_objections(POSITIONS.name, DOCUMENTED, trial, other):
            continue
        repeated = from_json(POSITIONS.answer_type, {**form, "positions": [*moved, moved[-1]]})
        if find_objections(POSITIONS.name, DOCUMENTED, trial, repeated):
            return trial, expected, repeated
    raise AssertionError("no trial leaves a choice")


def test_what_is_nearest_is_right_and_no_farther_than_the_reference_s() -> None:
    trial, expected, repeated = twice_the_same()
    right = find_nearest(POSITIONS, trial, repeated, expected, DOCUMENTED)
    assert not find_objections(POSITIONS.name, DOCUMENTED, trial, right)

    def apart(one: Any) -> int:
        return len(find_differing(observation_to_json(repeated), observation_to_json(one)))

    assert apart(right) <= apart(expected)


def test_of_equals_it_is_the_reference_s() -> None:
    question = QUESTIONS["bundles.hash_lookup"]
    trial = make_trial(question, 1, 0)
    expected = question.observe(trial, DOCUMENTED)
    assert find_nearest(question, trial, expected, expected, DOCUMENTED) is expected


def test_lists_are_sorted_one_at_a_time() -> None:
    assert list(sorted_once({"a": [3, 1], "b": [[2, 1]]})) == [
        {"a": [1, 3], "b": [[2, 1]]},
        {"a": [3, 1], "b": [[1, 2]]},
    ]


def test_report_names_the_source_of_the_right_answer() -> None:
    question = QUESTIONS["bundles.hash_lookup"]
    trial = make_trial(question, 1, 0)
    expected = question.observe(trial, DOCUMENTED)
    found = Found(1, 0, question.name, 1, "BUN-17", "", "wrong")
    one = Failure("BUN-17", found, 1, "wrong", trial, expected, expected)
    report = "\n".join(failure_lines(one, DOCUMENTED, "evenkeel replay x", Paper()))
    assert "what the reference of DOCUMENTED answers" in report
    other = replace(one, of_reference=False)
    report = "\n".join(failure_lines(other, DOCUMENTED, "evenkeel replay x", Paper()))
    assert "the nearest right answer that is known" in report
