"""Quotations are in the documents: their fingerprints are stored, and the command finds them."""

from pathlib import Path

import pytest

from evenkeel_engine import spec
from evenkeel_engine.cli import quotations as quoted
from evenkeel_engine.cli.options import Unusable
from tests.command_line import run

PAGES = {"001": "# 1. A **heading**\n\nIt’s `kept` in\n“two” lines.\n\nAnother\nMore words.\n"}
FOUND = spec.Quotation("001", "1. A heading", 'It\'s kept in "two" lines.')


@pytest.fixture
def documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one small document, and a specification that quotes it twice."""
    for name, text in PAGES.items():
        (tmp_path / f"{name}-a-page.txt").write_text(text)
    other = spec.Quotation("001", "Another", "More words.")
    monkeypatch.setattr(quoted, "list_quotations", lambda: [("BUN-1", FOUND), ("BUN-2", other)])
    return tmp_path


def test_every_quotation_was_found() -> None:
    unknown = [
        f"{place}: {one.text}"
        for place, one in quoted.list_quotations()
        if quoted.compute_fingerprint(one) not in quoted.read_fingerprints()
    ]
    assert unknown == [], "evenkeel spec quotations FOLDER --write keeps those that are found"


def test_no_fingerprint_is_left_over() -> None:
    needed = {quoted.compute_fingerprint(one) for _, one in quoted.list_quotations()}
    assert quoted.read_fingerprints() == needed


def test_typesetting_makes_no_difference(documents: Path) -> None:
    assert quoted.read_documents(documents)["001"].has(FOUND) == ""


@pytest.mark.parametrize(
    ("section", "words", "why"),
    [
        ("1. A heading", "It is kept", "does not have these words"),
        ("1. A heading", "More words.", "has these words under 'Another'"),
        ("Elsewhere", "More words.", "has no line 'Elsewhere'"),
    ],
)
def test_missing_quotation_is_reported(documents: Path, section: str, words: str, why: str) -> None:
    assert quoted.read_documents(documents)["001"].has(spec.Quotation("001", section, words)) == why


def test_fingerprints_tell_words_sections_and_documents_apart() -> None:
    others = [
        spec.Quotation("002", FOUND.section, FOUND.text),
        spec.Quotation("001", "Another", FOUND.text),
        spec.Quotation("001", FOUND.section, "It's kept"),
    ]
    assert len({quoted.compute_fingerprint(one) for one in [FOUND, *others]}) == 4
    spaced = spec.Quotation("001", FOUND.section, "It’s  kept\nin “two” lines.")
    assert quoted.compute_fingerprint(spaced) == quoted.compute_fingerprint(FOUND)


def test_fingerprints_are_written_and_read(tmp_path: Path) -> None:
    path = tmp_path / "quotations.toml"
    quoted.write([FOUND, FOUND], path)
    assert path.read_text().count(quoted.compute_fingerprint(FOUND)) == 1


def test_a_folder_without_the_documents_is_refused(documents: Path) -> None:
    (documents / "001-a-page.txt").unlink()
    with pytest.raises(Unusable, match="must have one file with a name that begins with 001"):
        quoted.read_documents(documents)
    with pytest.raises(Unusable, match="is no folder"):
        quoted.read_documents(documents / "no")


def test_command_lists_invented_quotations(
    documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    invented = spec.Quotation("001", "Another", "exactly one broker")
    monkeypatch.setattr(quoted, "list_quotations", lambda: [("OWN-6", invented), ("BUN-1", FOUND)])
    done = run("spec", "quotations", str(documents))
    assert done.returncode == 1
    assert 'OWN-6: document 001 does not have these words: "exactly one broker"' in done.stdout
    assert "1 of 2 quotations are in the documents" in done.stdout
