"""`evenkeel score` with sampled mutants: the last line, the tables, JSON, the exit status."""

from __future__ import annotations

import json

import pytest

from evenkeel_engine.cli import score_command
from evenkeel_engine.kit.catalogue import CLAUSES
from evenkeel_engine.mutation.catalogue import BY_NAME, MUTANTS
from evenkeel_engine.mutation.equivalents import read_survivors
from evenkeel_engine.mutation.mutant import Mutant
from evenkeel_engine.mutation.sampled import find_mutant, sample_mutants
from evenkeel_engine.mutation.scoring.detection import Detection, DifferingTrial
from evenkeel_engine.mutation.scoring.scope import ScoreScope
from evenkeel_engine.mutation.scoring.score_sampled import SampledScore
from tests.command_line import run

KILLED = Detection("SHD-80", "no", "shedding.threshold", 7, 3, None)
ENDLESS = Detection("no end", "", "bundles.range", 9, 1, None)
MISSED = Detection(None, "", "", 500, 2, None)
DIFFERENT = Detection(
    None, "", "", 500, 2, DifferingTrial("shedding.threshold", "DOCUMENTED", {"rounds": []}, 14, 3)
)


@pytest.fixture(autouse=True)
def _fates(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first mutant survives without a difference, the second with one, the third never ends."""

    def detect_some(mutants: list[Mutant], *_: object) -> list[SampledScore]:
        outcomes = [MISSED, DIFFERENT, ENDLESS, *[KILLED] * len(mutants)]
        return [
            SampledScore(one, outcome, 1.0) for one, outcome in zip(mutants, outcomes, strict=False)
        ]

    monkeypatch.setattr(score_command, "detect_mutants", detect_some)


def score(*options: str) -> tuple[int, str]:
    result = run("score", "--only-drawn", "--drawn", "10", *options)
    return result.returncode, result.stdout


def test_survivors_are_shown_and_fail_only_if_strict() -> None:
    status, text = score()
    assert status == 0
    assert text.splitlines()[-1] == "8 of 10 sampled mutants killed"
    first, second = (mutant.name for mutant in sample_mutants(1, 10)[:2])
    assert f"survived: {first}\n--- reference/" in text
    assert f"\n+++ {first}\n@@ " in text
    assert "no trial of 500 differs; 2 of them run the changed statement" in text
    assert f"survived: {second}\n" in text
    assert 'differs on shedding.threshold in DOCUMENTED: {"rounds": []}' in text
    assert score("--strict")[0] == 1


def test_in_the_reference() -> None:
    status, text = score("--in-reference")
    assert (status, text.splitlines()[-1]) == (0, "8 of 10 mutants of the reference detected")
    assert score("--in-reference", "--strict")[0] == 1
    hand = run("score", "--drawn", "0", "--in-reference")
    stored = [mutant for mutant in MUTANTS if not mutant.conforming]
    last = f"{len(stored) - 2} of {len(stored)} mutants of the reference detected"
    assert hand.stdout.splitlines()[-1] == last


def test_only_named_clauses_can_kill() -> None:
    words = ("--drawn", "0", "--clause", "BUN-12", "--edition", "DOCUMENTED", "--format", "json")
    result = run("score", *words)
    assert result.returncode == 0  # most of the chapter's mutants survive a single clause
    found = json.loads(result.stdout)
    killed = {one["name"]: one["clause"] for one in found["mutant"] if one["clause"]}
    assert set(killed.values()) == {"BUN-12"}
    assert "divide-top" in killed
    assert {one["chapter"] for one in found["mutant"]} == {"bundles"}
    asked = ScoreScope(clauses=("BUN-12",)).questions_about(BY_NAME["divide-top"])
    assert {*asked} == {clause.question for clause in CLAUSES if clause.id == "BUN-12"}


@pytest.mark.parametrize(
    "options", [("--idle", "--clause", "BUN-12"), ("--in-reference", "--question", "bundles.range")]
)
def test_options_that_do_not_go_together(options: tuple[str, ...]) -> None:
    assert "--in-reference with --chapter only" in run("score", *options).stderr


def test_for_programs() -> None:
    status, text = score("--in-reference", "--format", "json")
    data = json.loads(text)
    assert (status, data["status"]) == (0, 0)
    found = data["in_reference"]
    assert sum(share["mutants"] for share in found["by_chapter"].values()) == 10
    assert sum(share["detected"] for share in found["by_operator"].values()) == 8
    assert [one["detected_by"] for one in found["mutants"][:4]] == [None, None, "no end", "SHD-80"]
    assert found["mutants"][1]["differs_on"]["trial"] == {"rounds": []}
    assert json.loads(score("--format", "json")[1])["drawn"]["mutants"]


def test_nothing_to_score_and_a_bad_number() -> None:
    nothing = run("score", "--only-drawn", "--drawn", "0")
    assert nothing.stderr == "evenkeel: No mutant is selected.\n"
    assert run("score", "--drawn", "-1").returncode == 2


def test_only_a_survivor_that_is_not_listed_counts() -> None:
    names = (next(iter(read_survivors())), "reference/load/usage.py:max_weighted_usage:swap:0")
    both = [SampledScore(find_mutant(name), MISSED, 1.0) for name in names]
    assert score_command.count_survivors(both) == 2
    assert score_command.count_survivors(both, read_survivors()) == 1
