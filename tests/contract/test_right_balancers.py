"""No clause objects to a right balancer, of whatever philosophy; each wrong one breaks a MUST."""

from __future__ import annotations

import pytest

from evenkeel_engine.check.seeded import Block, FailedTrial, run_block
from evenkeel_engine.check.tally import coverage_gaps
from evenkeel_engine.content import PROMISED
from evenkeel_engine.kit.draw import Generator
from evenkeel_engine.subjects.functions import FunctionSubject
from examples.contract.cluster import Balancer
from examples.contract.right import RIGHT
from tests.contract.wrong_balancers import WRONG, PromisesNothing

QUESTION = "contract.rebalance"
TRIALS = 40
RARE = {"LightAnywhere": 195, "Overflows": 170}
"""Wrong balancers that the first trials do not show, each with the number of one that does."""


def check(balancer: type[Balancer], block: Block) -> list[FailedTrial]:
    """What clauses say of a balancer."""
    failures: list[FailedTrial] = []
    tally = run_block(block, FunctionSubject({QUESTION: balancer}), PROMISED, failures=failures)
    assert not tally.errored
    assert not tally.skipped
    return failures


@pytest.mark.parametrize("generator", Generator)
@pytest.mark.parametrize("name", RIGHT)
def test_nothing_is_said_against_a_right_balancer(name: str, generator: Generator) -> None:
    assert not check(RIGHT[name], Block(QUESTION, 1, 0, TRIALS, generator))


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_balancer_is_found(name: str) -> None:
    start = RARE.get(name, 0)
    blocks = (Block(QUESTION, 1, at, 5) for at in range(start, start + 500, 5))
    assert any(check(WRONG[name], block) for block in blocks)


def test_of_who_promises_and_moves_nothing_nothing_is_known() -> None:
    nothing: type[Balancer] = PromisesNothing
    tally = run_block(Block(QUESTION, 1, 0, 300), FunctionSubject({QUESTION: nothing}), PROMISED)
    assert not tally.failures
    [gap] = coverage_gaps(tally, ["CON-21"], False)
    assert gap.startswith("no trial could show a breach of CON-21 (--allow-unexercised")
