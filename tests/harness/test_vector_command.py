"""`evenkeel vector`: files are made, worked out again and linted, never edited by hand."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from evenkeel.cli.main import app
from evenkeel.cli.vector_command import slug
from evenkeel.errors import UserError
from evenkeel.harness import counterexample, vectors

pytestmark = pytest.mark.slow

SHIPPED = list(counterexample.shipped_files())
FILE = next(path for path in SHIPPED if path.stem == "last-hash-lookup")
WORDS = ("--title", "The last hash", "--effect", "None is served.", "--source", "document 002")
BROKEN = ("--subject", "reference:PULSAR_4_0")


def vector(*words: object) -> tuple[int, str]:
    """Exit status and output; 2 with the sentence where a `UserError` ends the command."""
    done = CliRunner().invoke(app, ["vector", *map(str, words)])
    if isinstance(done.exception, UserError):
        return 2, str(done.exception)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


def added(to: Path, *words: str) -> tuple[int, str]:
    return vector("add", "bundles.hash_lookup@1:13", "--to", to, *WORDS, *words)


def copied(tmp_path: Path, **changes: Any) -> Path:
    path = tmp_path / "bundles" / "copy.json"
    path.parent.mkdir(exist_ok=True)
    form = {**json.loads(FILE.read_text("utf-8")), **changes}
    path.write_text(json.dumps(form, indent=2, ensure_ascii=False) + "\n", "utf-8")
    return path


def test_a_violation_becomes_a_file(tmp_path: Path) -> None:
    status, told = added(tmp_path, "--clause", "BUN-17", "--bug", "off by one", *BROKEN)
    assert (status, told.count("violated of BUN-17: the last hash")) == (0, 1)
    path = tmp_path / "bundles" / "the-last-hash.json"
    found = counterexample.read(path)
    assert counterexample.replay(path, found).problems == ()
    assert (found.kind, found.reproduced_by) == ("divergence", "PULSAR_4_0")
    assert found.found == "evenkeel replay bundles.hash_lookup@1:13"
    assert vector("lint", path) == (0, "1 files, 0 problems\n")
    status, told = added(tmp_path, "--clause", "BUN-17", "--bug", "off by one", *BROKEN)
    assert (status, "there already" in told) == (2, True)


def test_what_holds_becomes_an_example(tmp_path: Path) -> None:
    assert added(tmp_path, "--clause", "BUN-17", "--name", "one")[0] == 0
    found = counterexample.read(tmp_path / "bundles" / "one.json")
    assert (found.kind, found.verdict, found.sentence, found.bug) == (
        "example",
        "holds",
        "",
        "none",
    )
    again = tmp_path / "again"
    file = tmp_path / "bundles" / "one.json"
    status, _ = vector("add", file, "--to", again, *WORDS, "--clause", "BUN-17")
    assert status == 0
    assert counterexample.read(again / "bundles" / "the-last-hash.json").trial == found.trial


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--clause", "BUN-999"), "no clause BUN-999"),
        (("--clause", "SHD-80"), "shows nothing of SHD-80: it is unchecked"),
        (("--clause", "BUN-17", "--kind", "divergence"), "says holds of what was observed"),
        (("--clause", "BUN-17", *BROKEN), "say what kind of bug it is (--bug)"),
        (("--clause", "BUN-17", "--subject", "false"), "false"),
        (("--clause", "BUN-17", "--title", "!"), "give a --name"),
    ],
)
def test_what_cannot_be_added_is_one_sentence(
    tmp_path: Path, words: Sequence[str], sentence: str
) -> None:
    status, told = added(tmp_path, *words)
    assert (status, sentence in told) == (2, True), told
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_is_none_is_one_sentence(tmp_path: Path) -> None:
    for place, sentence in (("bundles.colour@1:2", "no question"), ("/nowhere", "cannot be read")):
        status, told = vector("add", place, "--to", tmp_path, "--clause", "BUN-17", *WORDS)
        assert (status, sentence in told) == (2, True)


def test_shipped_files_are_clean() -> None:
    assert [f"{path}: {told}" for path in SHIPPED for told in vectors.lint(path)] == []


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"expected": {"refused": {"reason": "x", "detail": ""}}}, "expected: is not what"),
        ({"verdict": "holds"}, "BUN-17 says violated"),
        ({"clause": "BUN-15"}, "BUN-15 says unexercised"),
        ({"clause": "BUN-999"}, "clause: the specification has no clause"),
        ({"reproduced_by": "DOCUMENTED"}, "the reference of DOCUMENTED does not observe"),
        ({"effect": " "}, "effect: is empty"),
        ({"kind": "example"}, "kind: example cannot have the verdict violated"),
        ({"question": "bundles.colour"}, "question: there is no question"),
    ],
)
def test_lint_tells_what_is_wrong(tmp_path: Path, changes: dict[str, Any], problem: str) -> None:
    status, told = vector("lint", copied(tmp_path, **changes))
    assert (status, problem in told) == (1, True), told


def test_lint_tells_formatting_and_the_wrong_folder(tmp_path: Path) -> None:
    path = copied(tmp_path)
    path.write_text(path.read_text("utf-8").replace("  ", " "), "utf-8")
    assert "is not formatted" in vector("lint", path)[1]
    other = tmp_path / "load"
    path.parent.rename(other)
    assert "belongs into a folder bundles" in vector("lint", other)[1]
    assert vector("lint", tmp_path / "nowhere")[0] == 2


def test_refresh_works_a_file_out_again(tmp_path: Path) -> None:
    path = copied(tmp_path, expected={"refused": {"reason": "x", "detail": ""}}, sentence="old")
    path.write_text(path.read_text("utf-8").replace("  ", "   "), "utf-8")
    assert vector("refresh", path)[0] == 0
    fresh, right = counterexample.read(path), counterexample.read(FILE)
    assert fresh.expected == right.expected
    assert "the last hash" in fresh.sentence
    assert vector("lint", path) == (0, "1 files, 0 problems\n")
    assert "0 of 1 files rewritten" in vector("refresh", path)[1]


def test_refresh_never_rewrites_what_somebody_observed(tmp_path: Path) -> None:
    path = copied(tmp_path, observed=json.loads(FILE.read_text("utf-8"))["expected"])
    before = path.read_bytes()
    status, told = vector("refresh", path)
    assert status == 1
    assert "BUN-17 says holds of what was observed" in told
    assert "the reference of PULSAR_4_0 does not observe what" in told
    assert path.read_bytes() == before


def test_refresh_lets_a_subject_observe_again(tmp_path: Path) -> None:
    path = copied(tmp_path, observed={"broke": {"reason": "x", "detail": "of old"}})
    assert vector("refresh", path, *BROKEN)[0] == 0
    assert counterexample.read(path).observed["broke"]["reason"] == "PastLastBundle"
    status, told = vector("refresh", path, "--subject", "reference:DOCUMENTED")
    assert (status, "BUN-17 says holds" in told) == (1, True)


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


def test_new_fields_get_their_defaults_and_others_stay() -> None:
    assert vectors.completed(Tree, {"leaves": [{"do": "leaf", "size": 1}, None], "more": 1}) == {
        "leaves": [{"do": "leaf", "size": 1, "colour": "green"}, None],
        "more": 1,
        "height": None,
        "name": "oak",
    }
    assert vectors.completed(Tree, {"name": "elm"}) == {"name": "elm", "height": None}
    assert vectors.completed(int, "x") == "x"


def test_a_title_becomes_a_name() -> None:
    assert slug("Ten, at 80 %!") == "ten-at-80"
