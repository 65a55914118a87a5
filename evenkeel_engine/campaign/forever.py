"""A campaign without end: round after round with new seeds, and now and then a canary.

A canary is a mutant of the reference that must be found. If one is not, the campaign sees less
than it should, and says so, however clean it is.
"""

from __future__ import annotations

import json
import shlex
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, Final

from rich.console import Console

from evenkeel_engine.campaign.archive import archive_bytes
from evenkeel_engine.campaign.discovery import sorts_of, tell_estimate
from evenkeel_engine.campaign.errors import CampaignUnusable
from evenkeel_engine.campaign.folder import whole_lines
from evenkeel_engine.campaign.plan import CampaignPlan
from evenkeel_engine.campaign.run import CampaignResult, run_campaign
from evenkeel_engine.campaign.session import Spark, open_spark
from evenkeel_engine.campaign.tables import read_tally
from evenkeel_engine.content import EDITIONS
from evenkeel_engine.files import append
from evenkeel_engine.mutation.catalogue import MUTANTS
from evenkeel_engine.mutation.mutant import Mutant
from evenkeel_engine.stopping import Stopped

ROUND_TRIALS: Final = 200_000
"""Trials of a round by default."""
CANARY_EVERY: Final = 4
"""Rounds between two that are run against a mutant."""
CANARY_TRIALS: Final = 60_000
"""Trials of a canary, over the questions of its chapter."""
NEXT: Final = 1_000_000
"""What the estimate looks ahead to."""
HISTORY: Final = "forever.jsonl"


@dataclass(frozen=True, slots=True)
class CampaignRound:
    """One round: what it tried, and what it was the first to see."""

    number: int
    seed: int
    trials: int
    seen: int
    new: tuple[str, ...]
    failures: tuple[str, ...]
    canary: str | None = None
    found: bool | None = None
    seconds: float = 0.0


def go_on_for_ever(plan: CampaignPlan, console: Console) -> CampaignResult:
    """Run rounds until the user stops it, or a canary is missed.

    The folder has one campaign a round, and a line about each in `forever.jsonl`; a run that is
    started again continues after the last. Raises `CampaignUnusable`.
    """
    plan.out.mkdir(parents=True, exist_ok=True)
    done, counts = read_history(plan.out), Counter[str]()
    whole = _Forever(plan, console, done, counts)
    try:
        for one in done:
            if one["canary"] is None:
                add_counts(counts, folder_of(plan.out, one["number"]))
        with open_spark(plan.master, plan.out / "spark.log", archive_bytes()) as spark:
            return whole.run(spark)
    except (KeyboardInterrupt, Stopped):
        return whole.make_result()


def folder_of(out: Path, number: int) -> Path:
    """Where a round's campaign is."""
    return out / f"round-{number:06d}"


def read_history(out: Path) -> list[dict[str, Any]]:
    """The rounds that were done; a line that was cut off or damaged does not count."""
    lines, keys = whole_lines(out / HISTORY), {*CampaignRound.__slots__}
    return [one for one in lines if isinstance(one, dict) and one.keys() == keys]


def add_counts(counts: Counter[str], folder: Path) -> int:
    """Add a round's sorts to the counts; its trials."""
    tally = read_tally(folder)
    counts.update(sorts_of(tally))
    return sum(tally.trials.values())


def list_canaries(edition: str, chapters: Sequence[str]) -> list[Mutant]:
    """The handwritten mutants of real defects that a campaign of these chapters should find."""
    return [
        mutant
        for mutant in MUTANTS
        if not mutant.conforming
        and mutant.edition is EDITIONS[edition]
        and (not chapters or mutant.chapter in chapters)
    ]


class _Forever:
    def __init__(
        self, plan: CampaignPlan, console: Console, done: list[dict[str, Any]], counts: Counter[str]
    ) -> None:
        self._plan, self._console, self._done, self._counts = plan, console, done, counts

    def run(self, spark: Spark, rounds: int | None = None) -> CampaignResult:
        begun = len(self._done)
        while rounds is None or len(self._done) - begun < rounds:
            number = len(self._done)
            canary = number % (CANARY_EVERY + 1) == CANARY_EVERY
            result = self._run_canary(spark, number) if canary else self._run_round(spark, number)
            if result is not None:
                return result
        return self.make_result()

    def _plan_of(self, number: int, **changes: Any) -> CampaignPlan:
        seed, out = self._plan.seed + number, folder_of(self._plan.out, number)
        return replace(self._plan, seed=seed, out=out, allow_unexercised=True, **changes)

    def _run_round(self, spark: Spark, number: int) -> CampaignResult | None:
        plan = self._plan_of(number)
        began, before = time.monotonic(), set(self._counts)
        result = run_campaign(plan, self._console, spark)
        if result.unusable or result.data.get("stopped"):
            return result if result.unusable else self.make_result()
        trials = add_counts(self._counts, plan.out)
        new = tuple(sorted(self._counts.keys() - before))
        found = result.data["failures"]
        failures = tuple(one["signature"] for one in found if not one["departure"])
        seconds = round(time.monotonic() - began, 1)
        seen = len(self._counts)
        self._keep(CampaignRound(number, plan.seed, trials, seen, new, failures, seconds=seconds))
        fresh = [name for name in failures if name in new]
        self._say(f"round {number}: {result.summary}; {len(new)} sorts new")
        for name in fresh:
            self._say(f"round {number}: new failure {name}")
        self._say(self._estimate())
        return None

    def _run_canary(self, spark: Spark, number: int) -> CampaignResult | None:
        if not (known := list_canaries(self._plan.edition, self._plan.chapters)):
            raise CampaignUnusable("No mutant is known that could be the canary.")
        mutant = Random(self._plan.seed + number).choice(known)
        serve = [sys.executable, "-m", "evenkeel_engine.subjects.serve", "--mutant", mutant.name]
        alone = {"chapters": (mutant.chapter,), "questions": (), "clauses": ()}
        plan = self._plan_of(number, subject=shlex.join(serve), trials=CANARY_TRIALS, **alone)
        result = run_campaign(plan, self._console, spark)
        if result.unusable or result.data.get("stopped"):
            return result if result.unusable else self.make_result()
        found = bool(result.data["failures"])
        trials = sum(result.data["trials"].values())
        failures = tuple(one["signature"] for one in result.data["failures"])
        seen = len(self._counts)
        self._keep(CampaignRound(number, plan.seed, trials, seen, (), failures, mutant.name, found))
        if found:
            self._say(f"round {number}: the canary {mutant.name} was found")
            return None
        return self.make_result(f"the canary {mutant.name} was not found in {trials:,} trials")

    def _keep(self, one: CampaignRound) -> None:
        row = json.loads(json.dumps(asdict(one)))
        self._done.append(row)
        append(self._plan.out / HISTORY, json.dumps(row, ensure_ascii=False) + "\n")

    def _say(self, sentence: str) -> None:
        self._console.print(sentence, markup=False, soft_wrap=True)

    def _estimate(self) -> str:
        trials = sum(one["trials"] for one in self._done if one["canary"] is None)
        return tell_estimate(self._counts.values(), trials, NEXT)

    def make_result(self, missed: str = "") -> CampaignResult:
        """What all rounds came to."""
        own = [one for one in self._done if one["canary"] is None]
        failures = sorted({name for one in own for name in one["failures"]})
        birds = [one for one in self._done if one["canary"] is not None]
        found = sum(bool(one["found"]) for one in birds)
        trials = sum(one["trials"] for one in own)
        status = 2 if missed or not own else 1 if failures else 0
        summary = (
            f"{len(own)} rounds of {trials:,} trials in all: {len(failures)} failures, "
            f"{found} of {len(birds)} canaries found" + (f"; {missed}" if missed else "")
        )
        curve = [
            f"{sum(o['trials'] for o in own[: at + 1]):>14,} trials  {one['seen']:>8,} sorts"
            for at, one in enumerate(own)
        ]
        report = "\n".join([*curve[-20:], *failures, self._estimate()])
        return CampaignResult(status, summary, report, {"rounds": self._done, "status": status})
