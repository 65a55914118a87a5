"""`evenkeel replay` with cases: what is stored, and a subject's answers judged."""

import json
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evenkeel.reference.edition import DOCUMENTED
from evenkeel_engine.cli import replay_command
from evenkeel_engine.cli.options import Format
from evenkeel_engine.cli.replay_command import replay_cases
from evenkeel_engine.kit.question import Verdict, judge
from evenkeel_engine.stored import cases
from tests.command_line import run
from tests.engine.misbehaving import script
from tests.engine.test_cli import last

pytestmark = pytest.mark.slow

LAST_HASH = {"boundaries": [0, 4294967295], "hash": 4294967295}
TRIAL = {"question": "bundles.hash_lookup", "trial": LAST_HASH}
STORED = "last-hash-lookup"


def file_of(tmp_path: Path, data: Any) -> str:
    path = tmp_path / "mine.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data))
    return str(path)


@pytest.mark.parametrize(
    ("more", "words", "status", "word"),
    [
        ({}, [], 0, "BUN-17: holds"),
        ({}, ["--subject", "reference:PULSAR_4_0"], 1, "BUN-17: violated: the last hash: must be"),
        ({}, ["--edition", "PULSAR_4_0"], 0, "BUN-18: holds"),
        ({"edition": "PULSAR_4_0"}, ["--subject", "reference:DOCUMENTED"], 1, "BUN-18: violated"),
    ],
)
def test_a_trial_of_ones_own_is_judged(
    tmp_path: Path, more: dict[str, str], words: list[str], status: int, word: str
) -> None:
    done = run("replay", file_of(tmp_path, {**TRIAL, **more}), *words)
    assert done.returncode == status, done.stderr
    assert word in done.stdout
    assert last(done.stdout).endswith(f"violates clauses in {status} of 1 trials")


def test_half_a_place_is_explained() -> None:
    done = run("replay", "shedding.threshold@1")
    assert done.returncode == 2
    assert "a trial of a run is named QUESTION@SEED:INDEX" in done.stderr
    done = run("replay", "shedding.threshold@" + "9" * 300)
    assert "a trial of a run is named QUESTION@SEED:INDEX" in done.stderr


def test_a_cases_trial_is_judged_by_all_clauses() -> None:
    done = run("replay", STORED, "--subject", "reference:PULSAR_4_0")
    assert done.returncode == 1
    assert "4.0.8 did (BUN-17): 1 of 3 checks violated" in done.stdout
    assert "BUN-17: violated: the last hash" in done.stdout
    assert last(done.stdout).startswith("1 of 1 cases are as stored, reference PULSAR_4_0")
    done = run("replay", STORED, "--subject", "reference:DOCUMENTED")
    assert done.returncode == 0
    assert "what DOCUMENTED did (holds): 0 of 3 checks violated" in done.stdout


def test_replay_in_json_is_one_object(tmp_path: Path) -> None:
    own = file_of(tmp_path, TRIAL)
    words = ["--subject", "reference:PULSAR_4_0", "--format", "json"]
    done = run("replay", own, STORED, *words)
    data = json.loads(done.stdout)
    assert data["status"] == done.returncode == 1
    assert [case["id"] for case in data["cases"]] == [STORED]
    assert [judged["id"] for judged in data["judged"]] == ["mine", STORED]
    for judged in data["judged"]:
        statuses = {clause: status for clause, status, _ in judged["verdicts"]}
        assert statuses["BUN-17"] == "violated"


def test_unanswered_trial_is_no_success(tmp_path: Path) -> None:
    done = run("replay", file_of(tmp_path, TRIAL), "--subject", shlex.join(script(tmp_path, "")))
    assert done.returncode == 2
    assert "odd 1 did not answer: not supported" in done.stdout
    assert last(done.stdout).endswith("1 not answered")


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (
            {**TRIAL, "question": "bundles.colour"},
            "question: there is no question 'bundles.colour'",
        ),
        ({**TRIAL, "question": []}, "question: there is no question []"),
        ({**TRIAL, "edition": "PULSAR_9"}, "edition: must be one of DOCUMENTED, PULSAR_4_0"),
        ({**TRIAL, "edition": None}, "edition: must be a text"),
        ({**TRIAL, "id": 1}, "id: must be a text"),
        ({"question": "bundles.hash_lookup"}, "trial: is missing"),
        ({"trial": LAST_HASH}, "question: is missing"),
        ({**TRIAL, "trial": None}, "trial: must be an object"),
        ({}, "question: is missing"),
        ('{"question": ', "line 1, column 14: is no JSON"),
        ('{"question": ' + "9" * 5000 + "}", "has a number of too many digits"),
    ],
)
def test_a_bad_file_is_one_sentence(tmp_path: Path, data: Any, sentence: str) -> None:
    path = file_of(tmp_path, data)
    done = run("replay", path)
    assert done.returncode == 2
    assert f"evenkeel: {path}: {sentence}" in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("hash_", "sentence"), [(-1, "must be 0 to 0xffffffff"), (True, "must be an integer, not true")]
)
def test_a_bad_trial_is_one_sentence(tmp_path: Path, hash_: Any, sentence: str) -> None:
    done = run("replay", file_of(tmp_path, {**TRIAL, "trial": {**LAST_HASH, "hash": hash_}}))
    assert done.returncode == 2
    assert f"evenkeel: mine: trial.hash: {sentence}" in done.stderr


def test_a_trial_of_which_the_judge_cannot_tell_is_not_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def gives_up(*case: Any) -> tuple[Verdict, ...]:
        return tuple(replace(verdict, status="undecided") for verdict in judge(*case))

    found = cases.read_any(Path(file_of(tmp_path, TRIAL)))
    assert replay_cases(found, "reference", DOCUMENTED, Format.TEXT, False) == 0
    monkeypatch.setattr(replay_command, "judge", gives_up)
    assert replay_cases(found, "reference", DOCUMENTED, Format.TEXT, False) == 2
    assert last(capsys.readouterr().out).endswith("in 0 of 1 trials, 3 verdicts undecided")
