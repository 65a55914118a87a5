"""Which strategies can oscillate: the matrix compared with specification and closed loop."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evenkeel.models.balancing.oscillation import drawings
from evenkeel.models.balancing.oscillation.drawings import caption, dot, svg, table
from evenkeel.models.balancing.oscillation.matrix import (
    BROKERS,
    Setup,
    Spread,
    name_at,
    rounds,
    settings_of,
    setups,
    shortest,
    spreads,
    swings,
    traffic,
)
from evenkeel.reference.balancing import loop, strategies
from evenkeel.reference.balancing.balancer import Choose
from evenkeel.reference.balancing.history import Moment
from evenkeel.reference.balancing.scenario import BrokerSpec, BundleSpec, Scenario, Timing
from evenkeel.reference.balancing.settings import USUAL_PLACER, BalancerSpec, Placer, Strategy
from evenkeel.reference.edition import EDITIONS
from evenkeel.reference.shedding.cluster import MINUTE
from evenkeel_engine import spec
from tests.command_line import run

pytestmark = pytest.mark.xdist_group("matrix")  # each process would explore them again

UNIFORM_4_0 = Setup(Strategy.UNIFORM, Placer.MESSAGE_RATE, "PULSAR_4_0")
USUAL = [setup for setup in setups() if setup.placement is USUAL_PLACER[setup.strategy]]
OSCILLATING = {Strategy.OVERLOAD, Strategy.THRESHOLD}
SWING = [setup for setup in USUAL if setup.strategy in OSCILLATING or setup == UNIFORM_4_0]
"""The oscillating strategies, stored so that collecting the tests explores nothing."""
REST = [setup for setup in USUAL if setup not in SWING]


CHOOSERS: tuple[Choose, ...] = (
    lambda choice: choice.allowed[0],
    lambda choice: choice.allowed[-1],
    *map(loop.seed_choices, range(20)),
)


def moments(setup: Setup, spread: Spread, steps: int, choose: Choose) -> tuple[Moment, ...]:
    """A run of the closed loop that begins with this distribution."""
    bundles = tuple(
        BundleSpec(name_at(index, place), traffic(load), owner=BROKERS[index])
        for index, loads in enumerate(spread)
        for place, load in enumerate(loads)
    )
    brokers = tuple(BrokerSpec(broker, 10_000.0, 1e9) for broker in BROKERS)
    timing = Timing(steps, MINUTE, MINUTE, 1000, 0, 30_000)
    balancer = BalancerSpec(setup.strategy, setup.placement, settings_of(setup.strategy))
    hire = strategies.hiring(balancer, EDITIONS[setup.edition])
    scenario = Scenario(brokers, bundles, timing)
    return loop.run(scenario, hire, choose, EDITIONS[setup.edition]).moments


def test_the_specification_table_equals_the_exploration() -> None:
    text = spec.chapter_text("balancing")
    assert text[text.index("| Strategy | Placement |") :] == table()


def test_which_strategies_can_oscillate() -> None:
    assert [setup for setup in USUAL if swings(setup)] == SWING


@pytest.mark.parametrize("setup", SWING, ids=str)
def test_graph_oscillations_occur_in_the_loop(setup: Setup) -> None:
    """From a shortest cycle: something moves in each of ten rounds, with some choices."""
    begin = min(map(shortest, swings(setup)), key=len)[0]
    runs = (moments(setup, begin, 10, choose)[1:] for choose in CHOOSERS)
    assert any(all(moment.moves for moment in run) for run in runs)


@pytest.mark.parametrize("setup", REST, ids=str)
def test_strategies_that_rest_in_the_graph_rest_in_the_loop(setup: Setup) -> None:
    for spread in spreads()[::27]:
        run = moments(setup, spread, 14, loop.seed_choices(1))
        assert not any(moment.moves for moment in run[-3:])


def test_a_round_of_4_0_that_changes_nothing_but_places() -> None:
    """1+1, 1, 1: the allowance of 1000 msg/s lets one go, and it is 1+1, 1, 1 again."""
    [found] = rounds(UNIFORM_4_0, ((1, 1), (1,), (1,)))
    assert (found.after, found.label, found.moves) == (((1, 1), (1,), (1,)), "1", True)
    assert rounds(UNIFORM_4_0._replace(edition="DOCUMENTED"), ((1, 1), (1,), (1,))) == {}


def test_drawings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = (UNIFORM_4_0, Setup(Strategy.AVG, Placer.AVG, "DOCUMENTED"))
    monkeypatch.setattr(drawings, "setups", lambda: chosen)
    monkeypatch.setattr(drawings, "table", lambda: "")
    result = run("prove", "--clause", "BAL-17", "--format", "json", "--drawings", str(tmp_path))
    assert result.returncode == 0
    names = [f"{UNIFORM_4_0}.dot", f"{UNIFORM_4_0}.svg", "who-can-oscillate.md"]
    assert [Path(path).name for path in json.loads(result.stdout)["drawings"]] == names
    text = (tmp_path / names[0]).read_text("utf-8")
    assert '"1+1 / 1 / 1" -> "1+1 / 1 / 1" [label="1"];' in text
    picture = (tmp_path / names[1]).read_bytes()
    assert b"<svg" in picture
    svg(UNIFORM_4_0, tmp_path / names[1])
    assert (tmp_path / names[1]).read_bytes() == picture


def test_every_swinging_distribution_is_in_the_text() -> None:
    setup = Setup(Strategy.THRESHOLD, Placer.MESSAGE_RATE, "DOCUMENTED")
    text = dot(setup)
    parts = swings(setup)
    assert text.count("subgraph") == len(parts)
    assert all(f'"{caption(spread)}"' in text for part in parts for spread in part)
    assert text.count("->") == sum(part.number_of_edges() for part in parts)
