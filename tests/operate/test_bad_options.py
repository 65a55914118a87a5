"""Options and files that make no sense: one sentence, whatever the command."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Final

import pytest

from tests.command_line import run

BAD: Final = tomllib.loads(Path(__file__).with_name("bad_options.toml").read_text("utf-8"))
LONG: Final = [f"day --set x={sign * 5000}" for sign in "1["]


@pytest.mark.parametrize(
    ("command", "words", "sentence"),
    [
        *((command, *one) for command, many in BAD.items() for one in many),
        *(
            ("simulate --edition DOCUMENTED", one, "... is no number, true or false.")
            for one in LONG
        ),
    ],
)
def test_bad_options_get_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, words: str, sentence: str
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    done = run("operate", *command.split(), *words.split())
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert sentence in done.stderr
