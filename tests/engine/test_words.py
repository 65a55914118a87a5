"""The check of words: where it looks, and what it leaves alone."""

from __future__ import annotations

import pytest

from tests.words import Words, in_markdown, in_python, main, read_list

WORDS = Words(
    ["operate/*"],
    {"told": "given", "anew": "again"},
    {"held against": "compared with"},
)


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("told_rounds = 1", [(1, "told")]),
        ("x = isTold", [(1, "told")]),
        ("retold = untold = 1", []),
        ("x = {'told': 1}", []),
        ("x = 'it is told'", [(1, "told")]),
        ("x = f'it is Told {1}'", [(1, "told")]),
        ('"""A summary.\n\nRead anew.\n"""', [(3, "anew")]),
        ("x = 1\n# held\n# against it", [(2, "held against")]),
        ("# told\n\nx = 1\n# anew", [(1, "told"), (4, "anew")]),
    ],
)
def test_names_comments_and_prose_of_python(source: str, found: list[tuple[int, str]]) -> None:
    assert list(in_python(WORDS, source)) == found


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("# Title\n\nIt is told anew.", [(3, "told"), (3, "anew")]),
        ("It is held\nagainst this.", [(1, "held against")]),
        ("`told`, [told](told.md), “told”", [(1, "told")]),
        ('the document says "brokers are told"', []),
        ("> told\n\n    told\n\n```\ntold\n```\n<!-- told\n-->\nanew", [(10, "anew")]),
    ],
)
def test_prose_of_markdown_without_code_and_quotations(
    source: str, found: list[tuple[int, str]]
) -> None:
    assert list(in_markdown(WORDS, source)) == found


def test_unchecked_folders_are_left_out() -> None:
    assert WORDS.covers("evenkeel_engine/cli/main.py")
    assert not WORDS.covers("operate/live/run.py")


def test_a_hit_says_what_to_write(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tests/engine/test_words.py"]) == 1
    assert "anew: write again (tests/words.toml)" in capsys.readouterr().out


def test_every_allowed_word_is_listed() -> None:
    words = read_list()
    assert words.allowed.keys() <= words.words.keys() | words.phrases.keys()
