"""`evenkeel cases`: cases are added, shown, computed again, linted, exported and verified."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from typer.testing import CliRunner

from evenkeel_engine.cli.main import app
from evenkeel_engine.errors import UserError
from evenkeel_engine.files import json_lines
from evenkeel_engine.stored import case_export, case_other_answers, cases
from evenkeel_engine.stored.case_export import read_schema, says
from evenkeel_engine.stored.cases import Answer, CaseFile, StoredCase
from evenkeel_engine.subjects.essence import is_same_json, take_essence

WORDS = ("--title", "The last hash", "--effect", "None is served.", "--source", "document 002")
BROKEN = ("--subject", "reference:PULSAR_4_0")
BUG = ("--bug", "off by one", "--severity", "lost availability")
QUESTION = "bundles.hash_lookup"


def run(*words: object) -> tuple[int, str]:
    """Exit status and output; 2 with the sentence where a `UserError` ends the command."""
    done = CliRunner().invoke(app, ["cases", *map(str, words)])
    if isinstance(done.exception, UserError):
        return 2, str(done.exception)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


def add_case(to: Path, *words: str) -> tuple[int, str]:
    return run("add", f"{QUESTION}@1:13", "--to", to, *WORDS, *words)


def last_hash() -> StoredCase:
    found = cases.find_case("last-hash-lookup")
    assert found is not None
    return found


def make_store(tmp_path: Path, **changes: Any) -> Path:
    """A store with one case, in which something differs."""
    path = cases.path_of(QUESTION, tmp_path)
    cases.store_text(
        path, cases.text_of(CaseFile(QUESTION, {}, (replace(last_hash(), **changes),)))
    )
    return path


def only_case(path: Path) -> StoredCase:
    [case] = cases.read_file(path).cases
    return case


# ------------------------------------------------------------------------------ add, show


def test_a_violation_becomes_a_case(tmp_path: Path) -> None:
    status, output = add_case(tmp_path, "--clause", "BUN-17", *BUG, *BROKEN)
    assert (status, output.count("BUN-17: the last hash")) == (0, 1)
    found = only_case(cases.path_of(QUESTION, tmp_path))
    assert (found.id, found.kind, found.clause) == ("the-last-hash", "divergence", "BUN-17")
    assert [answer.by for answer in found.answers] == [("DOCUMENTED",), ("PULSAR_4_0",)]
    assert found.find_note("found") == f"evenkeel replay {QUESTION}@1:13"
    assert run("lint", tmp_path) == (0, "1 cases, 0 problems\n")
    status, output = add_case(tmp_path, "--clause", "BUN-17", *BUG, *BROKEN)
    assert (status, "already" in output) == (2, True)


def test_holding_clause_becomes_an_example(tmp_path: Path) -> None:
    assert add_case(tmp_path, "--clause", "BUN-17", "--id", "one", "--by", "the document")[0] == 0
    found = only_case(cases.path_of(QUESTION, tmp_path))
    [answer] = found.answers
    assert (found.kind, answer.verdict, answer.by) == (
        "example",
        "holds",
        ("DOCUMENTED", "the document"),
    )
    one = tmp_path / "one.json"
    cases.store_text(one, cases.text_of_one(found))
    status, _ = run("add", one, "--to", tmp_path / "again", *WORDS, "--clause", "BUN-17")
    assert status == 0
    assert only_case(cases.path_of(QUESTION, tmp_path / "again")).trial == found.trial


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--clause", "BUN-999"), "no clause BUN-999"),
        (("--clause", "SHD-80"), "shows nothing of SHD-80: SHD-80 is not exercised"),
        (("--clause", "BUN-17", "--kind", "divergence"), "BUN-17 holds on what was observed"),
        (("--clause", "BUN-17", "--kind", "vector"), "the kind is one of erratum"),
        (("--clause", "BUN-17", *BROKEN), "BUN-17 is violated: give --bug and --severity"),
        (("--clause", "BUN-15", "--bug", "x", *BROKEN), "BUN-17 objects to what was observed"),
        (("--clause", "BUN-17", "--subject", "false"), "false"),
        (("--clause", "BUN-17", "--title", "!"), "give an --id"),
    ],
)
def test_unusable_case_is_one_sentence(tmp_path: Path, words: Sequence[str], sentence: str) -> None:
    status, output = add_case(tmp_path, *words)
    assert (status, sentence in output) == (2, True), output
    assert list(tmp_path.iterdir()) == []


def write_case(tmp_path: Path, verdict: str) -> Path:
    """A boundary as a person writes it, with this verdict on the wrong answer."""
    trial = {"boundaries": [0, 4, 4294967295], "hash": 4}
    right = {"bundle": {"lower": 4, "upper": 4294967295, "upper_included": True}}
    wrong = {"bundle": {"lower": 0, "upper": 4, "upper_included": False}}
    answers = [{"observed": {"answer": right}}, {"verdict": verdict, "observed": {"answer": wrong}}]
    form = {"question": QUESTION, "edition": "DOCUMENTED", "trial": trial, "answers": answers}
    cases.store_text(tmp_path / "written.json", json.dumps(form))
    return tmp_path / "written.json"


def test_a_boundary_is_stored_if_the_judge_agrees_with_each_verdict(tmp_path: Path) -> None:
    words = (
        "--kind",
        "boundary",
        "--clause",
        "BUN-16",
        "--title",
        "Above",
        "--to",
        tmp_path / "to",
    )
    for verdict, sentence in (
        ("holds", "BUN-16 forbids none"),
        ("BUN-16 BUN-17", "BUN-17 does not object"),
    ):
        status, output = run("add", write_case(tmp_path, verdict), *words)
        assert (status, sentence in output) == (2, True), output
    status, output = run("add", write_case(tmp_path, "BUN-16"), "--clause", "BUN-16", *WORDS)
    assert (status, "only --kind boundary stores answers" in output) == (2, True), output
    status, output = run("add", write_case(tmp_path, "BUN-16"), *words)
    assert status == 0, output
    found = only_case(cases.path_of(QUESTION, tmp_path / "to"))
    assert [answer.by for answer in found.answers] == [("DOCUMENTED", "PULSAR_4_0"), ()]
    assert found.answers[1].sentence.startswith("boundary 0x00000004: must be")
    assert run("lint", tmp_path / "to") == (0, "1 cases, 0 problems\n")


def test_a_place_that_is_none_is_one_sentence(tmp_path: Path) -> None:
    for place, sentence in (("bundles.colour@1:2", "no question"), ("/nowhere", "no such file")):
        status, output = run("add", place, "--to", tmp_path, "--clause", "BUN-17", *WORDS)
        assert (status, sentence in output) == (2, True)


def test_show_prints_trial_answers_and_notes() -> None:
    status, output = run("show", "last-hash-lookup")
    assert status == 0
    for part in (
        "boundaries: [0, 4294967295]",
        "apache-pulsar 4.0.8",
        "verdict: BUN-17",
        "effect:",
    ):
        assert part in output
    assert run("show", "no-such-case")[0] == 2


# ---------------------------------------------------------------------------- lint, refresh


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"notes": {"bug": "x", "source": "y"}}, "effect: is empty"),
        ({"title": " "}, "title: is empty"),
        ({"kind": "example"}, "kind: an example cannot have the verdict BUN-17"),
        ({"answers": last_hash().answers[:1]}, "kind: no clause objects"),
        ({"answers": ()}, "answers: is empty"),
        ({"mutants": ("of-old",)}, "mutants: there is no mutant of-old"),
    ],
)
def test_lint_reports_problems(tmp_path: Path, changes: dict[str, Any], problem: str) -> None:
    status, output = run("lint", make_store(tmp_path, **changes))
    assert (status, problem in output) == (1, True), output


def test_lint_reports_formatting_wrong_file_duplicates_and_stray_notes(tmp_path: Path) -> None:
    path = make_store(tmp_path)
    text = path.read_text("utf-8")
    path.write_text(text.replace(":", ": ", 1), "utf-8")
    assert "is not formatted" in run("lint", path)[1]
    path.write_text(text + json_lines(text)[1] + "\n", "utf-8")
    assert "last-hash-lookup: appears twice" in run("lint", path)[1]
    head = json.dumps({"question": QUESTION, "notes": {"stray": {"bug": "x"}}})
    path.write_text("\n".join([head, *json_lines(text)[1:]]) + "\n", "utf-8")
    assert "no case refers to stray" in run("lint", path)[1]
    path.write_text(text, "utf-8")
    other = path.rename(path.with_name("range.jsonl"))
    assert f"{QUESTION} belongs into another file" in run("lint", other)[1]
    assert run("lint", tmp_path / "nowhere")[0] == 2


def test_refresh_computes_a_case_again(tmp_path: Path) -> None:
    expected, shown = last_hash().answers
    old = Answer({"refused": {"reason": "x", "detail": ""}}, ("DOCUMENTED",))
    path = make_store(tmp_path, answers=(old, replace(shown, sentence="old")))
    assert run("refresh", path)[0] == 0
    assert only_case(path).answers == (expected, shown)
    assert run("lint", path) == (0, "1 cases, 0 problems\n")
    assert "0 of 1 files rewritten" in run("refresh", path)[1]


def test_refresh_parts_editions_that_no_longer_answer_alike(tmp_path: Path) -> None:
    expected, _ = last_hash().answers
    path = make_store(tmp_path, answers=(replace(expected, by=("DOCUMENTED", "PULSAR_4_0")),))
    assert run("refresh", path)[0] == 0
    assert [(a.by, a.verdict) for a in only_case(path).answers] == [
        (("DOCUMENTED",), "holds"),
        (("PULSAR_4_0",), "BUN-17"),
    ]


def test_refresh_never_rewrites_observations(tmp_path: Path) -> None:
    expected, shown = last_hash().answers
    wrong = replace(shown, observed=expected.observed)
    path = make_store(tmp_path, answers=(expected, wrong))
    before = path.read_bytes()
    status, output = run("refresh", path)
    assert status == 1
    assert "BUN-17 does not object to what PULSAR_4_0, apache-pulsar 4.0.8 observed" in output
    assert path.read_bytes() == before


def test_refresh_lets_a_subject_observe_again(tmp_path: Path) -> None:
    expected, shown = last_hash().answers
    old = replace(shown, observed={"broke": {"reason": "x", "detail": "of old"}})
    path = make_store(tmp_path, answers=(expected, old))
    assert run("refresh", path, *BROKEN)[0] == 0
    assert only_case(path).shown.observed["broke"]["reason"] == "PastLastBundle"
    status, output = run("refresh", path, "--subject", "reference:DOCUMENTED")
    assert (status, "BUN-17 does not object" in output) == (1, True)


# --------------------------------------------------------------------------- export, verify


def test_the_export_is_of_its_schema(tmp_path: Path) -> None:
    status, output = run("export", tmp_path / "x", "--question", QUESTION, "--format", "json")
    assert status == 0
    manifest = json.loads((tmp_path / "x" / "manifest.json").read_text())
    assert manifest["vectors"] == json.loads(output)["vectors"] > 2
    for name in manifest["files"]:
        for line in json_lines((tmp_path / "x" / name).read_text()):
            jsonschema.validate(json.loads(line), read_schema())
    assert "no empty folder" in run("export", tmp_path)[1]


def test_status_of_an_exported_case_depends_on_others() -> None:
    case = replace(last_hash(), others="wrong")
    expected, shown = (take_essence(answer.observed) for answer in case.answers)
    other: Any = {"refused": {}}
    assert [says(case, one) for one in (expected, shown, other)] == ["right", "wrong", "wrong"]
    assert case_export.wrong_of(case) == []
    open_ = replace(case, others="open")
    assert [says(open_, one) for one in (expected, shown, other)] == ["right", "wrong", "unsaid"]
    assert [one["clause"] for one in case_export.wrong_of(open_)] == ["BUN-17"]
    assert says(replace(case, others="departs"), other) == "departs"


@pytest.mark.parametrize(("mutant", "status"), [("", 0), ("lookup-below", 1)])
def test_a_subject_passes_or_not(mutant: str, status: int) -> None:
    more = f" --mutant {mutant}" if mutant else ""
    subject = f"{sys.executable} -m evenkeel_engine.subjects.serve{more}"
    words = ("--subject", subject, "--edition", "documented", "--question", QUESTION)
    done, output = run("verify", *words)
    assert done == status, output
    assert ("wrong: " in output) is bool(mutant)


def test_another_edition_answers_otherwise_than_recorded() -> None:
    words = ("--kind", "recorded", "--question", "bundles.range", "--format", "json")
    status, output = run("verify", *words, "--subject", "reference:DOCUMENTED")
    assert (status, json.loads(output)["wrong"] > 0) == (1, True)
    status, output = run("verify", *words, "--subject", "reference:PULSAR_4_0")
    assert (status, json.loads(output)["wrong"]) == (0, 0)
    assert run("verify", "--kind", "recorded", "--question", "balancing.loop")[0] == 2


def test_wrong_claim_on_other_answers_is_reported() -> None:
    leaving = next(
        case
        for case in cases.read_cases("placement.least_long_term_message_rate")
        if case.others == "open" and case.kind != "recorded"
    )
    assert list(case_other_answers.find_unsupported(leaving)) == []
    [why] = case_other_answers.find_unsupported(replace(leaving, others="wrong"))
    assert why.startswith("others: wrong, but no ")
    with_other_answers = case_other_answers.with_other_answers(replace(leaving, others="wrong"))
    assert with_other_answers.others != "wrong"


def test_values_are_compared_by_value() -> None:
    assert is_same_json({"a": [1.0, None]}, {"a": [1.0 + 1e-13, None]})
    assert not is_same_json([1], [True])
    assert not is_same_json([1, 2], [1])
    assert not is_same_json({"a": 1}, {"b": 1})
    assert not is_same_json(1.0, 1.001)
    assert is_same_json(10, 10.0)
