"""The command line as a user meets it: exit status, last line, one sentence for bad input."""

import json
import os
import shlex
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from evenkeel_engine.stored import cases
from tests.command_line import run
from tests.engine.misbehaving import script
from tests.processes import start

pytestmark = pytest.mark.slow

EVENKEEL = [sys.executable, "-m", "evenkeel"]
BROKEN = f"{sys.executable} -m evenkeel_engine.subjects.serve --edition PULSAR_4_0"


def last(text: str) -> str:
    return text.strip().splitlines()[-1]


def test_check_of_unanswered_questions(tmp_path: Path) -> None:
    done = run("check", "--question", "load.usage", "--subject", shlex.join(script(tmp_path, "")))
    assert done.returncode == 2
    assert done.stderr == "evenkeel: the subject does not offer load.usage; it has bundles.range.\n"


def test_check_finds_explains_and_replays() -> None:
    done = run("check", "--clause", "BUN-17", "--subject", BROKEN)
    assert done.returncode == 1
    assert "the last hash: must be" in done.stdout
    assert "hash: 4294967295" in done.stdout
    command = next(line for line in done.stdout.splitlines() if "again: " in line)
    again = run(*shlex.split(command.partition("again: evenkeel ")[2]))
    assert again.returncode == 1
    assert "BUN-17: violated" in again.stdout


def test_replay_of_a_file_of_cases() -> None:
    done = run("replay", str(cases.path_of("bundles.hash_lookup")))
    assert done.returncode == 0, done.stdout
    assert last(done.stdout).endswith("cases are as stored")


def test_replay_of_a_case_that_is_no_longer_so(tmp_path: Path) -> None:
    case = cases.find_case("last-hash-lookup")
    assert case is not None
    wrong = replace(case, answers=tuple(replace(a, verdict="holds") for a in case.answers))
    cases.store_text(tmp_path / "x.json", cases.text_of_one(wrong))
    done = run("replay", str(tmp_path))
    assert done.returncode == 1
    assert last(done.stdout) == "0 of 1 cases are as stored"


def test_explain() -> None:
    done = run("explain", "BUN-17")
    assert done.returncode == 0
    assert "The last hash is in the last bundle" in done.stdout
    assert "the judge of bundles.hash_lookup" in done.stdout
    assert "check of " not in done.stdout
    assert last(done.stdout).startswith("BUN-17 of chapter bundles")


BAD = json.loads(Path(__file__).with_name("bad_input.json").read_text("utf-8"))


@pytest.mark.parametrize(("words", "sentence"), BAD)
def test_bad_input_is_one_sentence_and_status_2(words: list[str], sentence: str) -> None:
    done = run(*words)
    assert done.returncode == 2, done.stdout
    assert sentence in done.stderr


def test_output_that_cannot_encode_a_character_gets_an_escape() -> None:
    both = (
        "import sys; from evenkeel_engine.cli.main import main, status_of; explain = sys.argv[1:]; "
        "status_of([*explain, '--format', 'json']); print('next', flush=True); main()"
    )
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = start(sys.executable, "-c", both, "explain", "BUN-15", env=ascii_only)
    assert done.stdout.isascii()
    data, text = done.stdout.split("next\n")
    assert "BUN-15" in last(text)
    assert "BUN-15" in json.loads(data)["summary"]


def test_a_sentence_has_no_control_characters() -> None:
    done = run("operate", "simulate", "a\x1b[31m\nb")
    assert done.returncode == 2
    assert done.stderr.startswith(r"evenkeel: a\x1b[31m\nb: ")
    assert len(done.stderr.splitlines()) == 1
