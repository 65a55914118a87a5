"""Pulsar's five as balancers of any kind: they promise what the adapter's classes promise, and rest
where chapter balancing says that they do.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evenkeel.models.balancing.oscillation.matrix import (
    Setup,
    Spread,
    setups,
    shortest,
    spreads,
    swings,
)
from evenkeel.operate.operating.advice import CLASSES
from evenkeel.properties.contract.rebalance import REBALANCE
from evenkeel.properties.contract.rebalance.measures import measure
from evenkeel.properties.contract.rebalance.strategies import ANY, PROMISES
from evenkeel.properties.contract.rebalance.trials import Compare, Rebalance, Replies
from evenkeel.reference.balancing.settings import USUAL_PLACER, Strategy
from evenkeel.reference.contract.course import Node, Unit
from evenkeel.reference.contract.promises import NUMBERS, Promises
from evenkeel.reference.edition import EDITIONS
from evenkeel_engine.check.seeded import Block, FailedTrial, run_block
from evenkeel_engine.content import PROMISED
from evenkeel_engine.kit.codec import BadData, from_json
from evenkeel_engine.subjects.base import Observed, reply_to
from evenkeel_engine.subjects.local import ReferenceSubject
from tests.command_line import run

ADAPTER = Path("adapters/apache-pulsar/src/main/resources/promises")

USUAL = [setup for setup in setups() if setup.placement is USUAL_PLACER[setup.strategy]]
POINTS = 20
"""Of a broker that a load of 1 takes."""


def test_reference_and_adapter_promise_the_same() -> None:
    written = {path.stem: json.loads(path.read_text("utf-8")) for path in ADAPTER.iterdir()}
    same = {"any": ANY, **{name: PROMISES[one] for name, one in CLASSES.items()}}
    for name, promises in same.items():
        assert promises == from_json(Promises, written.get(name, written["any"])), name


def test_a_strategy_is_checked_by_its_name(tmp_path: Path) -> None:
    words = ["check", "--question", REBALANCE.name, "--subject", "reference:PULSAR_4_0:avg"]
    done = run(*words, "--profile", "quick", "--format", "json", cache=tmp_path)
    assert done.returncode == 1, done.stderr
    failed = [one["clause"] for one in json.loads(done.stdout)["failures"]]
    assert sorted(failed) == ["CON-1", "CON-27"]


@pytest.mark.parametrize(
    ("edition", "strategy"), [("PULSAR_4_0", Strategy.THRESHOLD), ("DOCUMENTED", Strategy.AVG)]
)
def test_a_strategy_keeps_what_it_promises(edition: str, strategy: Strategy) -> None:
    subject, failures = ReferenceSubject(EDITIONS[edition], strategy.value), list[FailedTrial]()
    run_block(Block(REBALANCE.name, 1, 0, 200), subject, PROMISED, failures=failures)
    assert not failures


@pytest.mark.parametrize("name", ["share", *NUMBERS])
def test_a_promise_that_means_nothing_is_refused(name: str) -> None:
    with pytest.raises(BadData, match=name):
        from_json(Promises, {name: 0 if name == "share" else -1})


def test_a_strategy_answers_no_other_question() -> None:
    done = run("check", "--question", "bundles.range", "--subject", "reference:avg")
    assert done.returncode == 2
    assert "does not offer bundles.range" in done.stdout + done.stderr


def rests(setup: Setup, spread: Spread) -> bool:
    """Whether a strategy comes to rest from a distribution."""
    loads = [(load, f"n{index}") for index, own in enumerate(spread) for load in own]
    units = tuple(Unit(f"u{place}", POINTS * load, at) for place, (load, at) in enumerate(loads))
    nodes = tuple(Node(f"n{index}") for index in range(len(spread)))
    trial = Rebalance(nodes, units, 0, 0, 0, 0, (), Compare.NOTHING)
    subject = ReferenceSubject(EDITIONS[setup.edition], setup.strategy.value)
    reply = reply_to(subject, REBALANCE, trial)
    assert isinstance(reply, Observed)
    assert isinstance(reply.observation, Replies)
    found = measure(trial, reply.observation)
    assert found is not None
    return found.rests


@pytest.mark.parametrize("setup", USUAL, ids=str)
def test_it_rests_where_chapter_balancing_says_so(setup: Setup) -> None:
    """Where that has no cycle, from every distribution; else from few of those where one begins,
    since placement chooses by chance. UniformLoadShedder's begin at rates that are no whole load.
    """
    begins = [shortest(part)[0] for part in swings(setup)]
    if begins and setup.strategy is not Strategy.UNIFORM:
        assert sum(rests(setup, begin) for begin in begins) < len(begins) / 5
    else:
        assert all(rests(setup, spread) for spread in spreads()[::9])
