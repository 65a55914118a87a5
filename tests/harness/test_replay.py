"""`evenkeel replay` with files: what was recorded, and a subject's answers judged."""

import json
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evenkeel.cli import replay_command
from evenkeel.cli.options import Format
from evenkeel.cli.replay_command import replay_files
from evenkeel.properties.kit.question import Verdict, judge
from evenkeel.reference.edition import DOCUMENTED
from tests.command_line import run
from tests.harness.misbehaving import script
from tests.harness.test_cli import SHIPPED, last

pytestmark = pytest.mark.slow

LAST_HASH = {"boundaries": [0, 4294967295], "hash": 4294967295}
TRIAL = {"question": "bundles.hash_lookup", "trial": LAST_HASH}
RECORDED = SHIPPED / "bundles" / "last-hash-lookup.json"


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


def test_half_a_place_is_told_what_a_place_is() -> None:
    done = run("replay", "shedding.threshold@1")
    assert done.returncode == 2
    assert "a trial of a run is named QUESTION@SEED:INDEX" in done.stderr


def test_a_counterexamples_trial_is_judged_by_all_clauses() -> None:
    done = run("replay", str(RECORDED), "--subject", "reference:PULSAR_4_0")
    assert done.returncode == 1
    assert "observes what the file observed: 1 of 3 checks violated" in done.stdout
    assert "BUN-17: violated: the last hash" in done.stdout
    assert last(done.stdout).startswith("1 of 1 files do what they recorded, reference PULSAR_4_0")
    done = run("replay", str(RECORDED), "--subject", "reference:DOCUMENTED")
    assert done.returncode == 0
    assert "observes what the file expected: 0 of 3 checks violated" in done.stdout


def test_replay_in_json_is_one_object(tmp_path: Path) -> None:
    own = file_of(tmp_path, TRIAL)
    words = ["--subject", "reference:PULSAR_4_0", "--format", "json"]
    done = run("replay", own, str(RECORDED), *words)
    data = json.loads(done.stdout)
    assert data["status"] == done.returncode == 1
    assert [file["path"] for file in data["files"]] == [str(RECORDED)]
    assert [judged["path"] for judged in data["judged"]] == [own, str(RECORDED)]
    for judged in data["judged"]:
        statuses = {clause: status for clause, status, _ in judged["verdicts"]}
        assert statuses["BUN-17"] == "violated"


def test_what_is_not_answered_is_no_success(tmp_path: Path) -> None:
    subject = shlex.join(script(tmp_path, ""))
    done = run("replay", file_of(tmp_path, TRIAL), "--subject", subject)
    assert done.returncode == 2
    assert "odd 1 did not answer: not offered" in done.stdout
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
        ({**TRIAL, "edition": None}, "edition: must be one of"),
        ({**TRIAL, "id": 1}, "id: is not a field here"),
        ({"question": "bundles.hash_lookup"}, "trial: is missing"),
        ({"trial": LAST_HASH}, "question: is missing"),
        ({**TRIAL, "trial": None}, "trial: must be an object, not null"),
        ({**TRIAL, "trial": {**LAST_HASH, "hash": -1}}, "trial.hash: must be 0 to 0xffffffff"),
        ({**TRIAL, "trial": {**LAST_HASH, "hash": True}}, "trial.hash: must be an integer, not tr"),
        ({}, "format: must be 'evenkeel counterexample 1'"),
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


def test_a_trial_of_which_the_judge_cannot_tell_is_not_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def gives_up(*case: Any) -> tuple[Verdict, ...]:
        return tuple(replace(verdict, status="undecided") for verdict in judge(*case))

    path = Path(file_of(tmp_path, TRIAL))
    assert replay_files([path], "reference", DOCUMENTED, Format.TEXT, False) == 0
    monkeypatch.setattr(replay_command, "judge", gives_up)
    assert replay_files([path], "reference", DOCUMENTED, Format.TEXT, False) == 2
    assert last(capsys.readouterr().out).endswith("in 0 of 1 trials, 3 verdicts undecided")
