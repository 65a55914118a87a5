"""`evenkeel compare`: the same trials for several subjects, and spans of releases."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import jsonschema
import pytest

from evenkeel.reference.edition import DOCUMENTED, EDITIONS
from evenkeel_engine.check.answers import compare_answers
from evenkeel_engine.check.blocks import Part
from evenkeel_engine.check.compare import ComparedFailure, columns_of, findings_of, span_of
from evenkeel_engine.cli import compare_command
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.kit.codec import Json, from_json, to_json
from evenkeel_engine.kit.draw import Generator
from evenkeel_engine.subjects.functions import FunctionSubject
from evenkeel_engine.subjects.local import ReferenceSubject
from tests.command_line import run

SCHEMA = Path(compare_command.__file__).with_name("compare.schema.json")
ANSWERS = SCHEMA.with_name("answers.schema.json")
LINES = ("PULSAR_4_0_6", "PULSAR_4_0_7", "PULSAR_4_0")
SUBJECTS = [word for name in LINES for word in ("--subject", f"reference:{name}")]


def run_compare(*words: str) -> dict[str, Any]:
    done = run("compare", *SUBJECTS, *words, "--format", "json")
    data = json.loads(done.stdout)
    jsonschema.validate(data, json.loads(SCHEMA.read_text("utf-8")))
    assert data["status"] == done.returncode
    return dict(data)


def test_a_failure_has_a_span_of_releases() -> None:
    data = run_compare("--question", "load.top_bundles")
    assert data["clauses"]["LOA-54"] == ["departed", "holds", "holds"]
    [found] = [one for one in data["findings"] if one["signature"] == "LOA-54"]
    assert found["span"] == "until reference PULSAR_4_0_6"
    assert found["failures"][0] > 0
    assert found["failures"][1:] == [0, 0]
    assert data["status"] == 0


def test_a_case_alone_is_put_to_all() -> None:
    data = run_compare("--case", "last-hash-lookup")
    [found] = data["findings"]
    assert (found["clause"], found["span"]) == ("BUN-17", "in all")
    assert data["clauses"] == {}
    assert data["status"] == 1


def test_equal_names_have_a_number() -> None:
    words = ["--question", "load.top_bundles", "--format", "json"]
    done = run("compare", "--subject", "reference", "--subject", "reference", *words)
    assert done.returncode == 0, done.stderr
    names = [one["name"] for one in json.loads(done.stdout)["subjects"]]
    assert names == ["reference DOCUMENTED (1)", "reference DOCUMENTED (2)"]


def test_two_defects_of_one_signature_are_two_findings() -> None:
    """What shows in one subject alone is found, though another fails with the same signature."""
    subjects = [ReferenceSubject(EDITIONS[name]) for name in ("PULSAR_4_0_6", "PULSAR_4_0")]
    parts = [Part(QUESTIONS["load.top_bundles"], 300)]
    columns = columns_of(subjects, parts, 1, DOCUMENTED, None, lambda *_: None)
    columns[1].tally.merge(columns[0].tally)  # as if the second failed so on other trials
    found = findings_of(columns, subjects, DOCUMENTED, lambda *_: None)
    assert [one.on for one in found if one.signature == "LOA-54"] == [(0,), (0,)]


def test_two_builds_are_compared_without_an_edition(tmp_path: Path) -> None:
    """What 4.0.8 changed: only the older one breaks what the newer one is bound to."""
    pair = ["--subject", "reference:PULSAR_4_0_7", "--subject", "reference:PULSAR_4_0"]
    words = ["--question", "ownership.channel", "--format", "json"]
    done = run("compare", "--answers", *pair, *words, cache=tmp_path)
    data = json.loads(done.stdout)
    jsonschema.validate(data, json.loads(ANSWERS.read_text("utf-8")))
    assert (done.returncode, data["status"]) == (1, 1)
    [group] = data["groups"]
    [side] = group["sides"]
    assert (side["clause"], side["broken_by"]) == ("OWN-19", "reference PULSAR_4_0_7")
    assert group["answers"][0] != group["answers"][1]
    path = tmp_path / "smallest.json"
    path.write_text(json.dumps({"question": group["question"], "trial": group["trial"]}))
    again = run("compare", "--answers", "--case", str(path), *pair, cache=tmp_path)
    assert again.returncode == 1
    assert "Only reference PULSAR_4_0_7 breaks OWN-19" in again.stdout


def test_who_chooses_at_random_does_not_differ_from_itself() -> None:
    question, random = QUESTIONS["load.top_bundles"], Random(1)

    def answer(trial: Json) -> Json:
        edition = random.choice([EDITIONS["PULSAR_4_0_6"], EDITIONS["PULSAR_4_0"]])
        return to_json(question.answer(from_json(question.trial_type, trial), edition))

    subject = FunctionSubject({question.name: answer})
    parts = [Part(question, 100)]
    found = compare_answers((subject, subject), parts, 1, Generator.OWN, lambda *_: None)
    assert found.differing.total() == found.by_chance.total() > 0
    assert not found.groups


def test_answers_are_of_two() -> None:
    done = run("compare", "--answers", "--subject", "reference")
    assert done.returncode == 2
    assert "--answers compares two subjects, not 1." in done.stderr
    done = run("compare", "--answers", "--subject", "reference", "--strict")
    assert done.returncode == 2
    assert "--answers and --strict exclude each other." in done.stderr


@pytest.mark.parametrize(
    ("shown", "span", "random"),
    [
        ((0, 0, 0), "not shown again", True),
        ((1, 1, 1), "in all", False),
        ((0, 1, 0.5), "since b", True),
        ((1, 0, 0), "until a", False),
        ((0, 1, 0), "since b, until b", False),
        ((1, 0, 1), "in all, but for b", False),
        ((None, 1, 1), "in all that were asked", False),
        ((None, 0, 1), "since c", False),
    ],
)
def test_spans(shown: tuple[float | None, ...], span: str, random: bool) -> None:
    found = ComparedFailure("BUN-1", "BUN-1", "", QUESTIONS["bundles.range"], None, shown)
    assert (span_of(shown, ["a", "b", "c"]), found.is_random) == (span, random)
