"""`evenkeel report`: what an issue says, and that a case can write nothing but its own file."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from evenkeel.report.track_record import named
from evenkeel_engine import spec
from evenkeel_engine.cli.places import case_at
from evenkeel_engine.errors import UserError
from evenkeel_engine.stored.cases import text_of_one
from evenkeel_engine.stored.issue import TEST, issue_of
from evenkeel_engine.text import escape_markdown
from tests.command_line import run

CASE = "last-hash-lookup"


def test_an_issue_has_the_facts_for_a_maintainer() -> None:
    one = case_at(CASE)
    text = issue_of(one, CASE)
    for part in ("**Observed**", "**Expected.**", "**Source.**", "**Versions.**", TEST):
        assert part in text
    assert json.dumps(one.trial) in text


def test_an_issue_says_only_what_a_kept_case_shows() -> None:
    title = spec.find_clause(case_at(CASE).clause).title
    text = issue_of(replace(case_at(CASE), title=title, notes={}), "kept.json")
    assert text.startswith(f"# Not so: {title}\n")
    assert "**Effect.**" not in text
    assert "**Cause" not in text


@pytest.mark.xdist_group("described cases")
def test_every_stored_defect_is_an_issue_and_nothing_else() -> None:
    for one in named().values():
        if one.is_violation:
            assert issue_of(one, one.id).startswith("# ")
        else:
            with pytest.raises(UserError, match="no defect to report"):
                issue_of(one, one.id)


def test_texts_of_a_case_are_no_markdown() -> None:
    hostile = "a\n# b <img src=x> [c](http://d) `e` *f* _g_ h_i \x1b[31m"
    assert escape_markdown(hostile) == (
        r"a # b \<img src=x> \[c](http://d) \`e\` \*f\* \_g\_ h_i \\x1b\[31m"
    )
    notes = {"effect": hostile, "bug": hostile, "source": hostile}
    text = issue_of(replace(case_at(CASE), title=hostile, notes=notes), "x`\ny.json")
    assert "<img" not in text.replace("\\<img", "")
    assert sum(line.startswith("#") for line in text.splitlines()) == 1
    assert "`evenkeel replay x' y.json --subject CMD`" in text


def case_file(folder: Path, id_: str) -> Path:
    """A file with a stored case under another id."""
    path = folder / "case.json"
    path.write_text(text_of_one(replace(case_at(CASE), id=id_)), "utf-8")
    return path


def test_an_issue_is_written_into_the_folder(tmp_path: Path) -> None:
    done = run("report", str(case_file(tmp_path, "mine.1")), "--into", str(tmp_path / "issues"))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "issues" / "mine.1.md").read_text("utf-8").startswith("# The last hash")


@pytest.mark.parametrize(
    "id_", ["../../x", "/tmp/x", "..", "", "a\nb", "a\x1bb", "a/b", "a\\b", " a", "a" * 300]
)
def test_an_id_is_no_path(tmp_path: Path, id_: str) -> None:
    path = case_file(tmp_path, id_)
    inner = tmp_path / "a" / "b"
    for words in (["report", str(path), "--into", str(inner)], ["replay", str(path)]):
        done = run(*words)
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1
        assert f"{path}: id: must be" in done.stderr
    lint = run("cases", "lint", str(path))
    assert lint.returncode == 1
    assert "id: must be" in lint.stdout
    assert {one.name for one in tmp_path.iterdir()} == {path.name}
    if id_:
        words = ["--clause", "BUN-17", "--title", "t", "--effect", "e", "--source", "s"]
        added = run("cases", "add", CASE, *words, f"--id={id_}", "--to", str(tmp_path))
        assert added.returncode == 2
        assert "--id " in added.stderr
