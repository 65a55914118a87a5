"""The stored form of cases: it is read as it was written, and a bad one is refused in one sentence.

Sweeps check the content and the form of the stored cases (`evenkeel_engine/sweeps/cases.py`).
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from evenkeel_engine import spec
from evenkeel_engine.kit.catalogue import CLAUSES, QUESTIONS
from evenkeel_engine.kit.defaults import complete_data, trim_data
from evenkeel_engine.spec import Level
from evenkeel_engine.stored import cases
from evenkeel_engine.stored.cases import BadCase, CaseFile, CaseKind, StoredCase
from evenkeel_engine.subjects.essence import take_essence
from tests.engine.stored import ALL_CASES, all_cases

LAST_HASH = "last-hash-lookup"
HOW = "`evenkeel cases record --subject adapters/apache-pulsar/run`, or `Exempt.unrecorded`"


def last_hash() -> StoredCase:
    found = cases.find_case(LAST_HASH)
    assert found is not None
    return found


@ALL_CASES
def test_every_question_that_pulsar_answers_is_recorded() -> None:
    recorded = {case.question for case in all_cases() if case.kind == CaseKind.RECORDED}
    unrecorded = {name for name, one in QUESTIONS.items() if one.exempt.unrecorded}
    assert set(QUESTIONS) - recorded == unrecorded, HOW


@ALL_CASES
def test_each_must_has_a_boundary() -> None:
    """An answer that it just allows, and one that it just forbids, written by a person."""
    found = {case.clause for case in all_cases() if case.kind == CaseKind.BOUNDARY}
    musts = {entry.id for entry in spec.read_entries().values() if entry.level is Level.MUST}
    assert musts <= found


@ALL_CASES
def test_exported_cases_have_nearly_every_clause() -> None:
    shown = {id_ for case in all_cases() if case.others for id_ in case.clauses}
    asked = {name for name, question in QUESTIONS.items() if not question.exempt.unrecorded}
    judged = {clause.id for clause in CLAUSES if clause.question in asked}
    assert len(shown & judged) / len(judged) > 0.95, sorted(judged - shown)


@ALL_CASES
def test_ids_are_unique() -> None:
    ids = [case.id for case in all_cases()]
    assert len(ids) == len(set(ids))
    assert cases.find_case("no-such-case") is None


def test_flags_name_notes_of_the_header(tmp_path: Path) -> None:
    """They are written once, and read as the case's own."""
    note = {"bug": "shared", "source": "a page"}
    case = replace(last_hash(), flags=("shared",), notes={**note, "effect": "own"})
    text = cases.text_of(CaseFile(case.question, {"shared": note}, (case,)))
    assert text.count('"bug":"shared"') == 1
    cases.store_text(tmp_path / "x.jsonl", text)
    [again] = cases.read_file(tmp_path / "x.jsonl").cases
    assert again == case


# ------------------------------------------------------------------------------ defaults


@dataclass(frozen=True, slots=True)
class Leaf:
    DO = "leaf"
    size: int
    colour: str = "green"


@dataclass(frozen=True, slots=True)
class Tree:
    leaves: tuple[Leaf | None, ...]
    height: float | None = None
    name: str = "oak"


WHOLE: Any = {"leaves": [{"do": "leaf", "size": 1, "colour": "green"}, None], "height": None}


def test_defaults_are_left_out_and_put_back() -> None:
    brief = {"leaves": [{"do": "leaf", "size": 1}, None], "height": 2.0}
    assert trim_data(Tree, {**WHOLE, "height": 2.0, "name": "oak"}) == brief
    assert complete_data(Tree, brief) == {**WHOLE, "height": 2.0, "name": "oak"}
    assert complete_data(Tree, {"name": "elm", "more": 1}) == {
        "height": None,
        "name": "elm",
        "more": 1,
    }
    assert complete_data(int, "x") == trim_data(int, "x") == "x"


def test_default_of_another_type_is_stored() -> None:
    assert trim_data(Leaf, {"do": "leaf", "size": 0, "colour": None})["colour"] is None


# ---------------------------------------------------------------------------- observations


@pytest.mark.parametrize(
    ("one", "other", "same"),
    json.loads(Path(__file__).with_name("wordings.json").read_text("utf-8")),
)
def test_only_the_wording_of_failures_does_not_count(one: Any, other: Any, same: bool) -> None:
    assert (take_essence(one) == take_essence(other)) is same
    assert take_essence(take_essence(one)) == take_essence(one)


# ---------------------------------------------------------------------------- bad files


def write_changed(tmp_path: Path, **changes: Any) -> Path:
    path = tmp_path / "changed.json"
    form = {**json.loads(cases.text_of_one(last_hash())), **changes}
    path.write_text(json.dumps({name: it for name, it in form.items() if it != "-"}))
    return path


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"kind": "rumour"}, "kind: must be one of erratum, divergence, found, example"),
        ({"question": "bundles.colour"}, "question: there is no question 'bundles.colour'"),
        ({"clauses": ["BUN-999"]}, "clauses: the specification has no clause 'BUN-999'"),
        ({"edition": "PULSAR_9"}, "edition: must be one of DOCUMENTED, PULSAR_4_0"),
        ({"edition": "-"}, "edition: is missing"),
        ({"title": 5}, "title: must be a text"),
        ({"clauses": [5]}, "clauses: must be an array"),
        ({"extra": 5}, "extra: is not a field here"),
        ({"trial": "-"}, "trial: is missing"),
        ({"flags": ["x"]}, "flags: the header has no note 'x'"),
        ({"answers": [{"by": ["x"]}]}, "answers: observed: is missing"),
        ({"answers": [{"observed": {}, "verdict": "BUN-999"}]}, "clauses: the specification has"),
    ],
)
def test_a_bad_case_is_refused_with_place_and_reason(
    tmp_path: Path, changes: dict[str, Any], sentence: str
) -> None:
    path = write_changed(tmp_path, **changes)
    with pytest.raises(BadCase) as raised:
        cases.read_one(path)
    assert str(raised.value).startswith(f"{path}: {sentence}")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"trial": {"boundaries": [0, 5], "hash": 1}}, "trial.boundaries: the last boundary is"),
        ({"trial": {"boundaries": [0, 4294967295]}}, "trial.hash: is missing"),
        ({"answers": [{"observed": {"said": {}}}]}, "answer 1: must have one of answer, refused"),
        (
            {"answers": [{"observed": {"answer": {"bundle": 5}}}]},
            "answer 1.answer.bundle: must be an object, not 5",
        ),
    ],
)
def test_undecodable_case_is_one_sentence(
    tmp_path: Path, changes: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(BadCase) as raised:
        list(cases.find_problems(cases.read_one(write_changed(tmp_path, **changes))))
    assert str(raised.value).startswith(f"{LAST_HASH}: {sentence}")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"{", "line 1, column 2: is no JSON"),
        (b"\xff", "is no UTF-8 text (byte 0)"),
        (b"[]", "is no JSON object"),
        (b"[" * 100_000, "is nested too deeply"),
    ],
)
def test_invalid_json_is_refused(tmp_path: Path, content: bytes, sentence: str) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    with pytest.raises(BadCase, match=r"bad\.json") as raised:
        cases.read_one(path)
    assert sentence in str(raised.value)


HEAD = '{"question":"bundles.range"}\n'
EMPTY = '{"verdict":" ","observed":{}}'


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "question: is missing"),
        ('{"question":"bundles.range","x":1}\n', "line 1: is no header"),
        ('{"question":"bundles.range","version":2}\n', "line 1: version: is 2, and this"),
        ('{"question":"bundles.range","version":true}\n', "line 1: version: is true, and this"),
        ('{"question":"bundles.range"}\n{"id":"x"}\n', "line 2: trial: is missing"),
        ('{"question":"bundles.range"}\n{\n', "line 2: column 2: is no JSON"),
        ('{"question":"bundles.range"}\n{"question":"bundles.range"}\n', "line 2: question: is in"),
        ('{"question":"bundles.range","notes":{"x":1}}\n', "line 1: notes: x: must be an object"),
        (
            f'{HEAD}{{"id":"a","trial":{{}},"notes":{{"bug":1}}}}\n',
            "line 2: notes: bug: must be a text",
        ),
        (f'{HEAD}{{"trial":{{"x":NaN}}}}\n', "line 2: is no JSON: it has NaN"),
        (f'{HEAD}{{"trial":{{"x":1,"x":1}}}}\n', 'line 2: has the key "x" twice in one object'),
        (f'{HEAD}{{"trial":{{"x":1e400}}}}\n', "line 2: is no JSON: it has 1e400"),
        (f'{HEAD}{{"trial":{{}},"answers":[{EMPTY}]}}\n', "line 2: answers: verdict: is empty"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(text)
    with pytest.raises(BadCase) as raised:
        cases.read_file(path)
    assert str(raised.value).startswith(f"{path}: {sentence}")


def test_missing_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadCase, match="no such file"):
        list(cases.files_under([tmp_path / "nowhere"]))
    with pytest.raises(BadCase, match="cannot be read"):
        cases.read_file(tmp_path / "nowhere.jsonl")


# -------------------------------------------------------------------- what the cases detect


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"verdict": "holds"}, "does not hold: BUN-17: the last hash"),
        ({"verdict": "departs"}, "is no mere departure: BUN-17"),
        ({"verdict": "BUN-15"}, "BUN-15 does not object"),
        ({"sentence": "of old"}, "BUN-17 gives another sentence"),
        ({"by": ("DOCUMENTED",)}, "the reference of DOCUMENTED answers otherwise"),
        ({"only": True}, "the reference of DOCUMENTED answers otherwise"),
    ],
)
def test_outdated_case_is_a_problem(changes: dict[str, Any], problem: str) -> None:
    case = last_hash()
    expected, shown = case.answers
    spoilt = replace(case, answers=(expected, replace(shown, **changes)))
    assert list(cases.find_problems(case)) == []
    assert any(problem in text for text in cases.find_problems(spoilt))
    other = replace(case, clauses=("BUN-15",))
    assert list(cases.find_problems(other)) == ["BUN-15 is not exercised"]


def test_no_named_clause_objects_unsaid_to_a_written_case() -> None:
    expected, shown = last_hash().answers
    answers = (expected, replace(shown, verdict="BUN-15"))
    for kind, exact in (("boundary", True), ("regression", True), ("vector", False)):
        case = replace(last_hash(), kind=kind, clauses=("BUN-17",), answers=answers)
        assert any("BUN-17 objects to" in one for one in cases.find_problems(case)) is exact
