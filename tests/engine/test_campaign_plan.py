"""How a campaign is cut into shares, blocks, tasks and waves."""

from collections import deque
from dataclasses import replace
from pathlib import Path

import pytest

from evenkeel_engine.campaign.errors import CampaignUnusable
from evenkeel_engine.campaign.plan import (
    CampaignPlan,
    More,
    Pace,
    blocks_of,
    check_plan,
    compute_shares,
    deal,
    left_of,
    next_wave,
    wave_seconds,
)
from evenkeel_engine.campaign.worker import Summary
from evenkeel_engine.check.seeded import Block
from evenkeel_engine.check.tally import Tally
from evenkeel_engine.kit.catalogue import QUESTIONS

PLAN = CampaignPlan(100_003, 7, "DOCUMENTED", Path("nowhere"))


@pytest.mark.parametrize("trials", [len(QUESTIONS), 100, 12_345, 1_000_000])
def test_shares_add_up_and_cover_all_questions(trials: int) -> None:
    given = compute_shares(list(QUESTIONS.values()), trials)
    assert sum(given.values()) == trials
    assert set(given) == set(QUESTIONS)
    assert min(given.values()) >= 1


def test_blocks_cover_every_share_once() -> None:
    questions = check_plan(PLAN)
    blocks = blocks_of(PLAN, questions)
    for name, count in compute_shares(questions, PLAN.trials).items():
        own = [block for block in blocks if block.question == name]
        assert [block.start for block in own] == sorted({block.start for block in own})
        covered = [i for block in own for i in range(block.start, block.start + block.count)]
        assert covered == list(range(count))
    first = [block.question for block in blocks[: len(questions)]]
    assert first == [question.name for question in questions]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"edition": "PULSAR_9"}, "There is no edition PULSAR_9; the editions are "),
        ({"trials": 1}, "1 trials are too few for "),
        ({"chapters": ("bundles",), "clauses": ("SPL-1",)}, "No check is left: bundles, SPL-1"),
        ({"partitions": 0}, "A campaign cannot have 0 partitions."),
    ],
)
def test_a_plan_that_makes_no_sense_is_one_sentence(
    change: dict[str, object], sentence: str
) -> None:
    with pytest.raises(CampaignUnusable) as caught:
        check_plan(replace(PLAN, **change))  # type: ignore[arg-type]
    assert str(caught.value).startswith(sentence)


def summary(block: Block, per_trial: float) -> Summary:
    return Summary(block, Tally(), (), block.count * per_trial, "here:1")


def test_dealing_gives_every_block_to_one_task_and_balances() -> None:
    pace = Pace()
    blocks = [Block("a", 1, i, 100) for i in range(7)] + [Block("b", 1, i, 100) for i in range(7)]
    pace.learn([summary(blocks[0], 0.01), summary(blocks[7], 0.03)])
    hands = deal(blocks, 3, pace)
    assert sorted((b.question, b.start) for hand in hands for b in hand) == sorted(
        (b.question, b.start) for b in blocks
    )
    loads = [sum(map(pace.seconds, hand)) for hand in hands]
    assert max(loads) - min(loads) <= 3.0
    assert len(deal(blocks[:2], 8, pace)) == 2
    assert deal([], 8, pace) == []


def test_waves_measure_first_and_then_take_enough() -> None:
    questions = check_plan(PLAN)
    blocks = blocks_of(replace(PLAN, trials=3_000_000), questions)
    pending, pace = deque(blocks), Pace()
    first = next_wave(PLAN, pending, pace, 2, 4.0)
    assert sorted(b.question for task in first for b in task) == sorted(
        question.name for question in questions
    )
    assert len(first) == 2
    pace.learn([summary(block, 1e-4) for task in first for block in task])
    second = next_wave(PLAN, pending, pace, 2, 4.0)
    assert len(second) % 2 == 0
    for task in second:
        assert sum(map(pace.seconds, task)) >= 4.0
    waves = [first, second]
    while pending:
        waves.append(next_wave(PLAN, pending, pace, 2, 4.0))
    done = [block for wave in waves for task in wave for block in task]
    assert len(done) == len(blocks)
    assert set(done) == set(blocks)


def test_partitions_make_one_wave() -> None:
    plan = replace(PLAN, partitions=3)
    pending = deque(blocks_of(plan, check_plan(plan)))
    assert len(next_wave(plan, pending, Pace(), 2, 4.0)) == 3
    assert not pending


def test_interrupted_blocks_continue_at_their_place() -> None:
    blocks = [Block("a", 1, 0, 40), Block("b", 1, 0, 40), Block("a", 1, 40, 100)]
    done = [Block("a", 1, 0, 40), Block("a", 1, 60, 10), Block("a", 1, 40, 5)]
    assert left_of(blocks, done) == [
        Block("b", 1, 0, 40),
        Block("a", 1, 45, 15),
        Block("a", 1, 70, 70),
    ]
    assert left_of(blocks, []) == blocks
    assert left_of(blocks, blocks) == []


def test_extension_begins_after_existing_trials() -> None:
    plan = replace(PLAN, trials=1000, chapters=("bundles",))
    before = blocks_of(plan, check_plan(plan))
    more = replace(plan, more=(More(500), More(200, ("throttling.quota",))))
    after = blocks_of(more, check_plan(more))
    assert after[: len(before)] == before
    assert sum(block.count for block in after) == 1700
    assert sum(b.count for b in after if b.question == "throttling.quota") == 200
    places = [(b.question, i) for b in after for i in range(b.start, b.start + b.count)]
    assert len(set(places)) == len(places)


def test_waves_are_short_at_first_and_never_long() -> None:
    assert wave_seconds(0) == 4.0
    assert wave_seconds(1000) == 10.0
    assert wave_seconds(1e6) == 60.0
