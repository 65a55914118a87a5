"""How a campaign is cut into shares, blocks, tasks and waves."""

from dataclasses import replace
from pathlib import Path

import pytest

from evenkeel_engine.campaign.errors import CampaignUnusable
from evenkeel_engine.campaign.plan import CampaignPlan, More, blocks_of, check_plan, compute_shares
from evenkeel_engine.check.blocks import left_of
from evenkeel_engine.check.seeded import Block

PLAN = CampaignPlan(100_003, 7, "DOCUMENTED", Path("nowhere"))


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
    ],
)
def test_a_plan_that_makes_no_sense_is_one_sentence(
    change: dict[str, object], sentence: str
) -> None:
    with pytest.raises(CampaignUnusable) as caught:
        check_plan(replace(PLAN, **change))  # type: ignore[arg-type]
    assert str(caught.value).startswith(sentence)


def test_interrupted_blocks_continue_at_their_place() -> None:
    blocks = [Block("a", 1, 0, 40), Block("b", 1, 0, 40), Block("a", 1, 40, 100)]
    done = [Block("a", 1, 0, 40), Block("a", 1, 60, 10), Block("a", 1, 40, 5)]
    assert [*left_of(blocks, done)] == [
        Block("b", 1, 0, 40),
        Block("a", 1, 45, 15),
        Block("a", 1, 70, 70),
    ]
    assert [*left_of(blocks, [])] == blocks
    assert [*left_of(blocks, blocks)] == []


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
