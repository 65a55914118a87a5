"""Counterexample files: they replay, and a bad one is refused in one sentence."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evenkeel.harness import counterexample
from evenkeel.harness.counterexample import BadCounterexample, Kind
from evenkeel.properties.catalogue import QUESTIONS
from evenkeel.properties.kit.question import Question
from evenkeel.reference.edition import DOCUMENTED, PULSAR_4_0, switches

SHIPPED = list(counterexample.shipped_files())
FILE = next(path for path in SHIPPED if path.stem == "last-hash-lookup")


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_shipped_files_do_what_they_recorded(path: Path) -> None:
    found = counterexample.read(path)
    assert counterexample.replay(path, found).problems == ()
    assert path.parent.name == found.question.partition(".")[0]
    assert (found.verdict == "holds") == (found.kind is Kind.EXAMPLE)
    assert (found.sentence == "") == (found.kind is Kind.EXAMPLE)
    for text in (found.title, found.bug, found.effect, found.source):
        assert text.strip()


@pytest.fixture(scope="module")
def asked() -> list[tuple[Question[Any, Any], Any]]:
    files = [(path, counterexample.read(path)) for path in SHIPPED]
    return [
        (QUESTIONS[found.question], counterexample.trial_of(path, found)) for path, found in files
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", switches())
def test_every_switch_makes_a_difference_to_some_file(
    name: str, asked: list[tuple[Question[Any, Any], Any]]
) -> None:
    """A switch that no file tells apart would be a disagreement that nobody can look at."""
    on = replace(DOCUMENTED, **{name: getattr(PULSAR_4_0, name)})
    off = replace(PULSAR_4_0, **{name: getattr(DOCUMENTED, name)})
    assert any(
        question.observe(trial, edition) != question.observe(trial, other)
        for edition, other in ((DOCUMENTED, on), (PULSAR_4_0, off))
        for question, trial in asked
    )


def test_a_file_is_written_as_it_was_read(tmp_path: Path) -> None:
    for path in SHIPPED:
        copy = tmp_path / path.name
        counterexample.write(copy, counterexample.read(path))
        assert copy.read_bytes() == path.read_bytes()


def changed(tmp_path: Path, **changes: Any) -> Path:
    path = tmp_path / "changed.json"
    path.write_text(json.dumps({**json.loads(FILE.read_text()), **changes}))
    return path


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"expected": {"refused": {"reason": "x", "detail": ""}}}, "no longer expects"),
        ({"verdict": "holds"}, "BUN-17 says violated"),
        ({"clause": "BUN-15"}, "BUN-15 says unexercised"),
        ({"reproduced_by": "DOCUMENTED"}, "DOCUMENTED does not observe this"),
    ],
)
def test_a_file_that_no_longer_holds_is_told(
    tmp_path: Path, changes: dict[str, Any], problem: str
) -> None:
    path = changed(tmp_path, **changes)
    problems = counterexample.replay(path, counterexample.read(path)).problems
    assert any(problem in text for text in problems), problems


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"format": "evenkeel 7"}, "format: must be 'evenkeel counterexample 1'"),
        ({"kind": "rumour"}, "kind: must be one of example, erratum, divergence, found"),
        ({"question": "bundles.colour"}, "question: there is no question 'bundles.colour'"),
        ({"clause": "BUN-999"}, "clause: the specification has no clause 'BUN-999'"),
        ({"edition": "PULSAR_9"}, "edition: must be one of DOCUMENTED, PULSAR_4_0"),
        ({"title": 5}, "title: must be a text"),
        ({"clause": []}, "clause: the specification has no clause []"),
        ({"reproduced_by": {}}, "reproduced_by: must be null or one of"),
        ({"extra": 5}, "extra: is not a field here"),
        (
            {"trial": {"boundaries": [0, 5], "hash": 1}},
            "trial.boundaries: the last boundary is not",
        ),
        ({"trial": {"boundaries": [0, 4294967295]}}, "trial.hash: is missing"),
        ({"observed": {"said": {}}}, "observed: must have one of answer, refused, broke"),
        (
            {"observed": {"answer": {"bundle": 5}}},
            "observed.answer.bundle: must be an object, not 5",
        ),
    ],
)
def test_a_bad_file_is_refused_with_place_and_reason(
    tmp_path: Path, changes: dict[str, Any], sentence: str
) -> None:
    path = changed(tmp_path, **changes)
    with pytest.raises(BadCounterexample) as raised:
        counterexample.replay(path, counterexample.read(path))
    assert str(raised.value).startswith(f"{path}: {sentence}")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"{", "line 1, column 2: is no JSON"),
        (b"\xff", "is no UTF-8 text (byte 0)"),
        (b"[]", "format: must be"),
        (b"[" * 100_000, "is nested too deeply"),
    ],
)
def test_what_is_no_json_is_refused(tmp_path: Path, content: bytes, sentence: str) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    with pytest.raises(BadCounterexample, match=r"bad\.json") as raised:
        counterexample.read(path)
    assert sentence in str(raised.value)


def test_missing_files_and_fields_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadCounterexample, match="no such file"):
        list(counterexample.files_under([tmp_path / "nowhere"]))
    data = json.loads(FILE.read_text())
    del data["sentence"]
    path = tmp_path / "short.json"
    path.write_text(json.dumps(data))
    with pytest.raises(BadCounterexample, match="sentence: is missing"):
        counterexample.read(path)


def test_a_repeated_replay_is_the_same(tmp_path: Path) -> None:
    found = counterexample.read(FILE)
    path = tmp_path / "again.json"
    counterexample.write(path, replace(found, title="another title"))
    assert counterexample.replay(path, counterexample.read(path)).problems == ()


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"refused": {"reason": "412", "detail": "x"}}, {"refused": {"reason": "y"}}, True),
        ({"refused": {"reason": "412"}}, {"broke": {"reason": "412"}}, False),
        (
            {"answer": {"results": [{"do": "broke", "reason": "a"}, {"do": "done"}]}},
            {"answer": {"results": [{"do": "broke", "reason": "b"}, {"do": "done"}]}},
            True,
        ),
        (
            {"answer": {"cycles": [{"decisions": [], "broke": "a"}]}},
            {"answer": {"cycles": [{"decisions": [], "broke": None}]}},
            False,
        ),
        (
            {"answer": {"decisions": [{"bundle": "x", "reason": "Topics"}]}},
            {"answer": {"decisions": [{"bundle": "x", "reason": "MsgRate"}]}},
            False,
        ),
    ],
)
def test_only_the_wording_of_failures_does_not_count(one: Any, other: Any, same: bool) -> None:
    assert (counterexample.essence(one) == counterexample.essence(other)) is same
