"""Check whether a subject still answers as before, on a few trials of its campaign.

The command of a subject does not identify its code, and its version may not change with it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from evenkeel_engine.campaign.errors import CampaignUnusable
from evenkeel_engine.campaign.plan import CampaignPlan
from evenkeel_engine.campaign.tables import block_of, read_rows, read_tally
from evenkeel_engine.campaign.worker import Order, run_block_of
from evenkeel_engine.check.seeded import Block
from evenkeel_engine.check.tally import Tally, place_of_trial
from evenkeel_engine.content import EDITIONS, PROGRAM
from evenkeel_engine.kit.codec import Json
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


@dataclass(slots=True)
class Results:
    """Of sampled trials, by place: failed verdicts, stored answers; and what is unanswered."""

    failures: set[tuple[TrialPlace, str, str]] = field(default_factory=set)
    answers: dict[TrialPlace, Json] = field(default_factory=dict)
    unanswered: set[TrialPlace] = field(default_factory=set)

    def keep_questions(self, questions: Collection[str]) -> Results:
        """The same of some questions alone."""
        return Results(
            {one for one in self.failures if one[0][0] in questions},
            {place: one for place, one in self.answers.items() if place[0] in questions},
            {place for place in self.unanswered if place[0] in questions},
        )


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
    again = [tally.smallest[name] for name in sorted(reproduced)[:FAILURES]]
    places = [(one.question, one.seed, one.index) for one in again]
    single = [Block(*place, 1, plan.generator) for place in places if place[2] >= FIRST]
    before = read_stored_blocks(folders, blocks)
    before.failures |= {(at, one.clause, one.kind) for at, one in zip(places, again, strict=True)}
    now = answers_of(plan, [*blocks, *single])
    changed = find_changed_places(before, now) | otherwise_answered(tally, blocks, now)
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
    plan: CampaignPlan, blocks: Sequence[Block], now: Results, changed: Collection[TrialPlace]
) -> set[TrialPlace]:
    """Changed places that prove nothing: in another order the subject answers otherwise again."""
    found: set[TrialPlace] = set()
    for _ in range(REPEATS):
        open_ = {place[0] for place in changed} - {place[0] for place in found}
        some = [block for block in reversed(blocks) if block.question in open_]
        if not some:
            break
        again = answers_of(plan, some)
        changes = find_changed_places(now.keep_questions(open_), again, every=True)
        differs = {question for question, _, _ in changes}
        found |= {place for place in changed if place[0] in differs}
    return found


def read_stored_blocks(folders: Iterable[Path], blocks: Iterable[Block]) -> Results:
    """What the tables hold of these blocks."""
    counts, seen = {(block.question, block.seed): block.count for block in blocks}, Results()
    for folder in folders:
        for table in ("failures", "answers"):
            for row in read_rows(folder, table, below=FIRST):
                at = row["question"], row["seed"], row["index"]
                if row["index"] >= counts.get(at[:2], 0):
                    continue
                if table == "failures":
                    seen.failures.add((at, row["clause"], row["kind"]))
                else:
                    seen.answers[at] = take_essence(json.loads(row["observation"]))
    return seen


def answers_of(plan: CampaignPlan, blocks: Iterable[Block]) -> Results:
    """What a new process of the subject answers. Raises `SubjectUnusable`."""
    order = Order(plan.subject, plan.edition, plan.clauses, plan.limits, keep_all=plan.keep_answers)
    seen = Results()
    with closing(open_subject(plan.subject, EDITIONS[plan.edition], plan.limits)) as subject:
        for block in blocks:
            summary = run_block_of(order, subject, block, None)
            assert summary is not None  # without a time limit there is one
            at = block.question, block.seed
            seen.failures |= {((*at, f.index), f.clause, f.kind) for f in summary.failures}
            for stored in summary.stored:
                seen.answers[*at, stored.index] = take_essence(json.loads(stored.observation))
            if summary.tally.skipped or summary.tally.errored:
                seen.unanswered.add((*at, block.start))
    return seen


def find_changed_places(before: Results, now: Results, every: bool = False) -> set[TrialPlace]:
    """Trials with other results; but for the first ones, unless `every`, only known violations."""
    changed = {place for place, _, _ in before.failures - now.failures}
    changed |= {
        place for place, _, _ in now.failures - before.failures if every or place[2] < FIRST
    }
    changed |= {
        place
        for place in {*before.answers, *now.answers}
        if (every or place[2] < FIRST) and before.answers.get(place) != now.answers.get(place)
    }
    return changed | (before.unanswered ^ now.unanswered if every else set())


def otherwise_answered(tally: Tally, blocks: Iterable[Block], now: Results) -> set[TrialPlace]:
    """The questions that were answered always and are not now, or never and are now."""
    missing = tally.unanswered
    return {
        place
        for block in blocks
        for place in [(block.question, block.seed, 0)]
        if (place in now.unanswered and not missing[block.question])
        or (place not in now.unanswered and missing[block.question] == tally.trials[block.question])
    }
