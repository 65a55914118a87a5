"""A check begins with the trials that failed last time, and counts no trial twice."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from evenkeel.reference.edition import DOCUMENTED
from evenkeel_engine.check.blocks import Part, blocks_of, left_of, run_blocks
from evenkeel_engine.check.seeded import Block
from evenkeel_engine.cli import check_command, check_output, last_failures
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.kit.draw import Generator
from evenkeel_engine.kit.observations import Broke
from evenkeel_engine.subjects.base import Observed, Reply, Request
from evenkeel_engine.subjects.local import ReferenceSubject
from tests.command_line import Done, run

LOOKUP, OWN = "bundles.hash_lookup", Generator.OWN


@dataclass
class Frail:
    """Breaks on the last hash, unless it is mended; keeps what it was asked."""

    mended: bool = False
    asked: list[Any] = field(default_factory=list)
    name: str = "frail 1.0"
    questions: frozenset[str] | None = None

    def replies(self, requests: Iterable[Request]) -> Iterator[tuple[Request, Reply]]:
        for request in requests:
            self.asked.append(request.trial)
            known = request.question.observe(request.trial, DOCUMENTED)
            last = getattr(request.trial, "hash", None) == 0xFFFFFFFF
            yield request, Observed(Broke("off the end") if last and not self.mended else known)

    def close(self) -> None:
        """Nothing is open."""


def check(frail: Frail, monkeypatch: pytest.MonkeyPatch, *words: str) -> Done:
    for module in (check_command, check_output):
        monkeypatch.setattr(module, "open_subject", lambda *_: frail)
    return run("check", "--question", LOOKUP, "--subject", "frail", *words)


@pytest.fixture(autouse=True)
def _cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def read_stored() -> last_failures.Stored:
    return last_failures.read(last_failures.locate_file("frail 1.0", "DOCUMENTED"))


def data_of(result: Done) -> Any:
    return json.loads(result.stdout)


def test_failed_trials_come_first_until_they_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    first, again, mended, after = Frail(), Frail(), Frail(mended=True), Frail(mended=True)
    whole = data_of(check(first, monkeypatch, "--format", "json"))
    assert first.asked[0].hash != 0xFFFFFFFF
    assert read_stored()[LOOKUP]
    same = data_of(check(again, monkeypatch, "--format", "json"))
    assert again.asked[0].hash == 0xFFFFFFFF
    assert (same["summary"], same["failures"]) == (whole["summary"], whole["failures"])
    check(mended, monkeypatch, "--quiet")
    assert mended.asked[0].hash == 0xFFFFFFFF
    assert not read_stored()
    check(after, monkeypatch, "--quiet")
    assert after.asked == first.asked[: len(after.asked)]


def test_the_first_trial_of_another_seed_is_enough_to_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    check(Frail(), monkeypatch, "--quiet")
    frail = Frail()
    result = data_of(
        check(frail, monkeypatch, "--seed", "9", "--stop-at-first", "--format", "json")
    )
    assert result["status"] == 1
    assert " in 1 trials" in result["summary"]
    assert read_stored()[LOOKUP]  # a check that ends early forgets nothing


def test_it_can_be_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    check(Frail(), monkeypatch, "--quiet", "--no-last-failures")
    assert not read_stored()
    check(Frail(), monkeypatch, "--quiet")
    before, frail = read_stored(), Frail(mended=True)
    check(frail, monkeypatch, "--quiet", "--no-last-failures")
    assert frail.asked[0].hash != 0xFFFFFFFF
    assert read_stored() == before != {}


def test_a_baseline_counts_all_that_the_screen_counts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """So it does not begin with what failed last time, of which a baseline compares nothing."""
    check(Frail(), monkeypatch, "--quiet")
    frail, path = Frail(), tmp_path / "known.json"
    options = ("--baseline", str(path), "--update-baseline", "--format", "json")
    data = data_of(check(frail, monkeypatch, *options))
    assert frail.asked[0].hash != 0xFFFFFFFF
    [counts] = json.loads(path.read_text("utf-8"))["known"][0]["questions"].values()
    assert counts["failed"][""] == data["clauses"]["BUN-17"]["violated"] > 0


def test_no_trial_counts_twice() -> None:
    parts = [Part(QUESTIONS[LOOKUP], 700)]
    first = [Block(LOOKUP, 1, index, 1) for index in (0, 3, 499, 500, 699)]
    other = [Block(LOOKUP, 2, 3, 1), Block(LOOKUP, 1, 900, 1)]
    early = [*first, *other]
    blocks = [*early, *left_of(blocks_of(parts, 1), early)]
    assert blocks[: len(first)] == first
    made = [(b.seed, i) for b in blocks for i in range(b.start, b.start + b.count)]
    assert sorted(made) == [*((1, i) for i in range(700)), (1, 900), (2, 3)]
    subject = ReferenceSubject(DOCUMENTED)
    tallies = [
        run_blocks(one, subject, DOCUMENTED, None, lambda *_: None)
        for one in ([*first, *left_of(blocks_of(parts, 1), first)], blocks_of(parts, 1))
    ]
    assert tallies[0] == tallies[1]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"a": 1}',
        '{"a": [[1, 2]]}',
        '{"a": [["own", 1, -1]]}',
        '{"a": [["own", 1, true]]}',
        "\xff",
    ],
)
def test_spoilt_file_is_named_and_rewritten(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "spoilt.json"
    path.write_text(text, "latin-1")
    assert last_failures.read(path) == {}
    assert "holds no readable failures" in " ".join(capsys.readouterr().err.split())


def test_unchecked_question_keeps_its_failures(monkeypatch: pytest.MonkeyPatch) -> None:
    path = last_failures.locate_file("frail 1.0", "DOCUMENTED")
    last_failures.write(path, {"load.usage": [(OWN, 1, 5)], LOOKUP: [(OWN, 1, 2)]})
    check(Frail(mended=True), monkeypatch, "--quiet")
    assert read_stored() == {"load.usage": [(OWN, 1, 5)]}
