"""`evenkeel vectors`: a corpus is small, true, and fails who is wrong."""

import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from typer.testing import CliRunner

from evenkeel.cli.main import app
from evenkeel.harness import corpus, corpus_doubts
from evenkeel.harness.corpus import SCHEMA, BadCorpus, same
from evenkeel.harness.corpus_making import Job, options_of, smallest

pytestmark = pytest.mark.slow
QUESTIONS = ("bundles.hash_lookup", "placement.least_long_term_message_rate")


def run(*words: str) -> Any:
    return CliRunner().invoke(app, ["vectors", *words], catch_exceptions=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two questions: one with exact answers, one that leaves choices."""
    folder = tmp_path_factory.mktemp("vectors")
    vectors = []
    for edition in ("DOCUMENTED", "PULSAR_4_0"):
        jobs = [Job(name, edition, 1, 60, "") for name in QUESTIONS]
        vectors += smallest([option for job in jobs for option in options_of(job)])
    corpus.write(folder, vectors, {"evenkeel": "test"})
    return folder


def test_it_is_true_and_of_its_schema(folder: Path) -> None:
    done = run("verify", str(folder), "--format", "json")
    assert done.exit_code == 0, done.output
    for path in folder.glob("*/*.jsonl"):
        for line in path.read_text().splitlines():
            jsonschema.validate(json.loads(line), SCHEMA)
    kinds = {vector.kind for vector in corpus.read(folder)}
    assert {"exact", "examples"} <= kinds


def test_ids_are_stable(folder: Path) -> None:
    vectors = corpus.read(folder)
    for vector in vectors:
        assert vector.id == corpus.id_of(vector.edition, vector.question, vector.trial)
    assert len({(v.edition, v.id) for v in vectors}) == len(vectors)


def test_it_notices_the_mutants_that_it_names(folder: Path) -> None:
    named = {name for vector in corpus.read(folder) for name in vector.mutants}
    assert {"lookup-below", "bundle_index:last_hash_breaks:DOCUMENTED"} <= named
    done = run("verify", str(folder), "--mutants", "--format", "json")
    missed = json.loads(done.stdout)["unnoticed"]
    assert not {"lookup-below", "bundle_index:last_hash_breaks:DOCUMENTED"} & {*missed}


@pytest.mark.parametrize(("mutant", "status"), [("", 0), ("lookup-below", 1)])
def test_a_subject_passes_or_not(folder: Path, mutant: str, status: int) -> None:
    more = f" --mutant {mutant}" if mutant else ""
    subject = f"{sys.executable} -m evenkeel.harness.subjects.serve{more}"
    done = run("verify", str(folder), "--subject", subject, "--edition", "documented")
    assert done.exit_code == status, done.output
    assert ("wrong: bundles.hash_lookup-" in done.output) is bool(mutant)


def test_what_is_not_true_is_said(folder: Path) -> None:
    exact = next(v for v in corpus.read(folder) if v.question == "bundles.hash_lookup")
    span = {"lower": 1, "upper": 2, "upper_included": False}
    wrong = replace(exact, right=({"answer": {"bundle": span}},))
    said = " ".join(corpus_doubts.problems(wrong))
    assert "the reference answers otherwise" in said
    assert "a right answer is wrong: BUN-" in said


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda line: line.replace('"hash":', '"hush":', 1), "is not the id of this trial"),
        (lambda line: "{", "is no vector"),
        (lambda line: line.replace('"kind":"exact"', '"kind":"odd"'), "is no vector"),
    ],
)
def test_a_broken_file_is_said(folder: Path, tmp_path: Path, change: Any, says: str) -> None:
    for path in folder.rglob("*"):
        if path.is_file():
            copy = tmp_path / path.relative_to(folder)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(path.read_text())
    path = tmp_path / "DOCUMENTED" / "bundles.hash_lookup.jsonl"
    first, *rest = path.read_text().splitlines()
    path.write_text("\n".join([change(first), *rest]) + "\n")
    with pytest.raises(BadCorpus, match=says):
        corpus.read(tmp_path)


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("")
    done = CliRunner().invoke(app, ["vectors", "export", str(tmp_path)])
    assert done.exit_code != 0
    assert "choose another" in str(done.exception)


def test_questions_are_made_anew_and_the_others_stay(folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "corpus"
    shutil.copytree(folder, copy)
    before = corpus.read(copy)
    stale = replace(before[0], id="", question="bundles.range", trial={"text": "0x0_0x1"})
    stale = replace(stale, id=corpus.id_of(stale.edition, stale.question, stale.trial))
    corpus.write(copy, [*before, stale], {})
    words = ("--renew", "--question", "bundles.range", "--trials", "3")
    done = run("export", str(copy), *words)
    assert done.exit_code == 0, done.output
    after = corpus.read(copy)
    assert [v for v in after if v.question != "bundles.range"] == before
    assert stale.id not in {v.id for v in after}
    assert {v.edition for v in after if v.question == "bundles.range"} == {
        "DOCUMENTED",
        "PULSAR_4_0",
    }


def test_only_a_corpus_is_renewed(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("")
    done = CliRunner().invoke(app, ["vectors", "export", str(tmp_path), "--renew"])
    assert done.exit_code != 0
    assert "manifest.json" in str(done.exception)


def test_it_draws_on_until_each_clause_is_exercised() -> None:
    """SPL-65 is met by one trial of 300."""
    found = options_of(Job("splitting.manual", "PULSAR_4_0", 1, 4, ""))
    assert "SPL-65" in {id_ for vector, _, _ in found for id_ in vector.clauses}


def test_values_are_compared_by_value() -> None:
    assert same({"a": [1.0, None]}, {"a": [1.0 + 1e-13, None]})
    assert not same([1], [True])
    assert not same([1, 2], [1])
    assert not same({"a": 1}, {"b": 1})
    assert not same(1.0, 1.001)
    assert same(10, 10.0)
