"""Check whether a subject still answers as before, on a few trials of its campaign.

The command of a subject does not identify its code, and its version may not change with it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from evenkeel_engine.campaign.errors import CampaignUnusable
from evenkeel_engine.campaign.plan import CampaignPlan
from evenkeel_engine.campaign.tables import block_of, read_rows, read_tally
from evenkeel_engine.campaign.worker import Order, run_block_of
from evenkeel_engine.check.seeded import Block
from evenkeel_engine.check.tally import Tally, place_of_trial
from evenkeel_engine.content import EDITIONS, PROGRAM
from evenkeel_engine.subjects.choose import open_subject
from evenkeel_engine.subjects.essence import take_essence

FIRST: Final = 8
"""Trials of each question that are put again: fewer than the stored answers of a block."""
REPEATS: Final = 8
"""Times that changed trials are put again, since the subject may answer by chance."""
FAILURES: Final = 20
"""Failures that could be shrunk of which the smallest trial is put again."""

TrialPlace = tuple[str, int, int]
"""Question, seed and index of a trial."""


Fact = tuple[TrialPlace, str, str]
"""What came of a trial: a failed verdict, a stored answer, or that there was none; and which."""
FAILED, ANSWERED, UNANSWERED = "failed", "answered", "unanswered"


def require_unchanged(
    plan: CampaignPlan, tally: Tally, folders: Sequence[Path], reproduced: Collection[str] = ()
) -> None:
    """Put some trials to the subject of a plan; `folders` hold their tables and `tally` the sum,
    and of the signatures that were `reproduced` the smallest trial. Raises `CampaignUnusable` where
    it answers otherwise, and steadily so.
    """
    if plan.in_process:
        return  # the reference's code is part of the campaign's identity
    rows = [row for folder in folders for row in read_rows(folder, "blocks")]
    blocks = [
        replace(block_of(row), count=min(row["count"], FIRST)) for row in rows if row["start"] == 0
    ]
    again = {name: tally.smallest[name] for name in sorted(reproduced)[:FAILURES]}
    places = {name: (one.question, one.seed, one.index) for name, one in again.items()}
    single = [Block(*place, 1, plan.generator) for place in places.values() if place[2] >= FIRST]
    before = read_stored_blocks(folders, blocks)
    before |= {(place, FAILED, name) for name, place in places.items()}
    now = answers_of(plan, [*blocks, *single])
    # Of trials but the first ones only known violations count.
    changed = otherwise_answered(tally, blocks, now) | {
        fact[0]
        for fact in before ^ now
        if fact[1] != UNANSWERED and (fact[0][2] < FIRST or (fact in before and fact[1] == FAILED))
    }
    changed -= find_unsteady(plan, [*blocks, *single], now, changed)
    if changed:
        question, seed, index = min(changed)
        raise CampaignUnusable(
            f"{plan.out} holds answers that the subject {plan.subject} does not give any more "
            f"({PROGRAM} replay {place_of_trial(question, seed, index, plan.generator)} "
            f"and {len(changed) - 1} more of "
            f"{sum(block.count for block in [*blocks, *single])} trials that were put again); "
            f"run the campaign from its beginning with --again, or choose another folder."
        )


def require_unchanged_result(plan: CampaignPlan, result: dict[str, Any]) -> None:
    """The same of a finished campaign with this result. Raises `CampaignUnusable`."""
    if plan.in_process:
        return
    try:
        tally = read_tally(plan.out)
        shrunk = {one["signature"] for one in result["failures"] if one["trial"] is not None}
        require_unchanged(plan, tally, [plan.out], shrunk & tally.smallest.keys())
    except (KeyError, TypeError, ValueError) as error:
        raise CampaignUnusable(f"The tables in {plan.out} cannot be used: {error}.") from error


def find_unsteady(
    plan: CampaignPlan, blocks: Sequence[Block], now: set[Fact], changed: Collection[TrialPlace]
) -> set[TrialPlace]:
    """Changed places that prove nothing: in another order the subject answers otherwise again."""
    found: set[TrialPlace] = set()
    for _ in range(REPEATS):
        open_ = {place[0] for place in changed} - {place[0] for place in found}
        some = [block for block in reversed(blocks) if block.question in open_]
        if not some:
            break
        differs = {place[0] for place, _, _ in now ^ answers_of(plan, some) if place[0] in open_}
        found |= {place for place in changed if place[0] in differs}
    return found


def read_stored_blocks(folders: Iterable[Path], blocks: Iterable[Block]) -> set[Fact]:
    """What the tables hold of these blocks."""
    counts = {(block.question, block.seed): block.count for block in blocks}
    seen: set[Fact] = set()
    for folder in folders:
        for table in ("failures", "answers"):
            for row in read_rows(folder, table, below=FIRST):
                at = row["question"], row["seed"], row["index"]
                if row["index"] < counts.get(at[:2], 0):
                    seen.add(
                        (at, FAILED, row["signature"])
                        if table == "failures"
                        else note_answer(at, row["observation"])
                    )
    return seen


def note_answer(at: TrialPlace, observation: str) -> Fact:
    """The stored answer to a trial, as far as it counts."""
    return at, ANSWERED, json.dumps(take_essence(json.loads(observation)), sort_keys=True)


def answers_of(plan: CampaignPlan, blocks: Iterable[Block]) -> set[Fact]:
    """What a new process of the subject answers. Raises `SubjectUnusable`."""
    order = Order(plan.subject, plan.edition, plan.clauses, plan.limits, keep_all=plan.keep_answers)
    seen: set[Fact] = set()
    with closing(open_subject(plan.subject, EDITIONS[plan.edition], plan.limits)) as subject:
        for block in blocks:
            summary = run_block_of(order, subject, block, None)
            assert summary is not None  # without a time limit there is one
            at = block.question, block.seed
            seen |= {((*at, f.index), FAILED, f.verdict.signature) for f in summary.failures}
            seen |= {note_answer((*at, one.index), one.observation) for one in summary.stored}
            if summary.tally.skipped or summary.tally.errored:
                seen.add(((*at, block.start), UNANSWERED, ""))
    return seen


def otherwise_answered(tally: Tally, blocks: Iterable[Block], now: set[Fact]) -> set[TrialPlace]:
    """The questions that were answered always and are not now, or never and are now."""
    missing = tally.unanswered
    return {
        place
        for place in {(block.question, block.seed, 0) for block in blocks}
        if missing[place[0]] == (0 if (place, UNANSWERED, "") in now else tally.trials[place[0]])
    }
