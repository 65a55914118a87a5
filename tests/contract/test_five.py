"""Pulsar's own five in the contract's cluster rest where chapter balancing says that they do.

Each decides round by round as the reference has it, with exact reports, and without what delays.
"""

from __future__ import annotations

from typing import Any

import pytest

from evenkeel.models.balancing.oscillation.matrix import (
    BROKERS,
    Setup,
    Spread,
    named,
    placed,
    settings_of,
    setups,
    shortest,
    spreads,
    swings,
    view_of,
)
from evenkeel.properties.contract.rebalance import REBALANCE
from evenkeel.properties.contract.rebalance.measures import measure
from evenkeel.properties.contract.rebalance.trials import Compare, Rebalance, Replies
from evenkeel.reference.balancing.settings import USUAL_PLACER, BalancerSpec, Strategy
from evenkeel.reference.balancing.strategies import hiring
from evenkeel.reference.contract.course import Node, Unit
from evenkeel.reference.edition import EDITIONS
from evenkeel_engine.subjects.base import Observed, reply_to
from evenkeel_engine.subjects.functions import FunctionSubject

USUAL = [setup for setup in setups() if setup.placement is USUAL_PLACER[setup.strategy]]
NAMES = [f"n{index}" for index in range(len(BROKERS))]


def answer(setup: Setup, turn: dict[str, Any]) -> dict[str, Any]:
    """What the reference's strategy moves in a turn of the contract, with its first choice."""
    if turn["do"] == "open":
        return {"promises": {"measure": "load", "waits": 0, "memory": False, "knows": []}}
    if any(unit["moving"] for unit in turn["units"]):
        return {}
    held = [[unit for unit in turn["units"] if unit["node"] == name] for name in NAMES]
    view = view_of(tuple(tuple(unit["load"] for unit in units) for units in held))
    edition = EDITIONS[setup.edition]
    spec = BalancerSpec(setup.strategy, setup.placement, settings_of(setup.strategy))
    balancer = hiring(spec, edition)()
    owners = placed(balancer, list(balancer.shedder.decide(view)), view, edition)[0]
    moves = []
    for index, units in enumerate(held):
        for place, unit in enumerate(units):
            to = NAMES[BROKERS.index(owners[named(index, place)])]
            if to != unit["node"]:
                moves.append({"unit": unit["name"], "from": unit["node"], "to": to})
    return {"moves": moves}


def rests(setup: Setup, spread: Spread) -> bool:
    """Whether it comes to rest from a distribution."""
    nodes = tuple(Node(name) for name in NAMES)
    loads = [(load, name) for name, own in zip(NAMES, spread, strict=True) for load in own]
    units = tuple(Unit(f"u{index}", load, name) for index, (load, name) in enumerate(loads))
    trial = Rebalance(nodes, units, 0, 0, 0, 0, (), Compare.NOTHING)

    class Balancer:
        def __call__(self, turn: dict[str, Any]) -> dict[str, Any]:
            return answer(setup, turn)

    subject: Any = {REBALANCE.name: Balancer}
    reply = reply_to(FunctionSubject(subject), REBALANCE, trial)
    assert isinstance(reply, Observed), reply
    assert isinstance(reply.observation, Replies)
    measured = measure(trial, reply.observation)
    assert measured is not None
    return measured.rests


@pytest.mark.parametrize("setup", USUAL, ids=str)
def test_it_rests_where_chapter_balancing_says_so(setup: Setup) -> None:
    """Where that has no cycle, from every distribution; else from the beginning of none."""
    if begins := [shortest(part)[0] for part in swings(setup)]:
        resting = [begin for begin in begins if rests(setup, begin)]
        assert len(resting) < len(begins)
        assert not resting or setup.strategy is Strategy.UNIFORM  # whose choice may end it
    else:
        assert all(rests(setup, spread) for spread in spreads()[::9])
