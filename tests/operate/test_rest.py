"""Whether a run rests: compared with longer runs, and with the table of who can oscillate."""

from __future__ import annotations

from dataclasses import replace

import networkx as nx
import pytest

from evenkeel.models.balancing.oscillation import matrix
from evenkeel.models.balancing.oscillation.matrix import Spread
from evenkeel.operate.simulate.rest import Rest, carried_out
from evenkeel.properties.balancing.loop.trials import BalancingTrial
from evenkeel.reference.balancing.curves import Daily, Spike
from evenkeel.reference.balancing.history import History
from evenkeel.reference.balancing.scenario import BrokerSpec, BundleSpec, Scenario, Timing
from evenkeel.reference.balancing.settings import USUAL_PLACER, BalancerSpec, Settings, Strategy
from evenkeel.reference.edition import BASE_EDITIONS, EDITIONS, PULSAR_4_0, Edition
from evenkeel.reference.shedding.cluster import MINUTE

SWINGING: Spread = ((2, 1), (1,), (1,))
"""The first cycle of ThresholdShedder in the table of who can oscillate."""
HORIZONS = (60, 120, 300, 600)


def scenario(spread: Spread, minutes: int) -> Scenario:
    """Brokers that serve bundles of these loads, in tenths of a broker."""
    brokers = tuple(BrokerSpec(name, 10_000.0, 1e9) for name in matrix.BROKERS)
    bundles = tuple(
        BundleSpec(matrix.name_at(index, place), matrix.traffic(load), owner=matrix.BROKERS[index])
        for index, loads in enumerate(spread)
        for place, load in enumerate(loads)
    )
    return Scenario(brokers, bundles, Timing(minutes))


def follow_run(
    cluster: Scenario, strategy: Strategy, settings: Settings, edition: Edition = PULSAR_4_0
) -> tuple[History, Rest]:
    """A run under a strategy with its usual placement."""
    spec = BalancerSpec(strategy, USUAL_PLACER[strategy], settings)
    return carried_out(BalancingTrial(cluster, spec, 1), edition)


@pytest.mark.parametrize("grace", [1, 5, 30])
def test_an_oscillation_is_no_rest_whatever_the_horizon(grace: int) -> None:
    settings = Settings(grace_minutes=grace, min_throughput=0.0, threshold_percent=3)
    for minutes in HORIZONS:
        _, rest = follow_run(scenario(SWINGING, minutes), Strategy.THRESHOLD, settings)
        assert (rest.since, rest.endless) == (None, True), minutes


SETTLING: Spread = ((4, 4, 2), (), ())


@pytest.mark.parametrize("strategy", [Strategy.TRANSFER, Strategy.AVG, Strategy.UNIFORM])
@pytest.mark.parametrize("grace", [1, 30])
def test_rest_does_not_depend_on_the_horizon(strategy: Strategy, grace: int) -> None:
    settings = Settings(grace_minutes=grace)
    rests = [follow_run(scenario(SETTLING, n), strategy, settings)[1] for n in (5, 60, 120)]
    assert len(set(rests)) == 1
    assert rests[0].since is not None
    longer, _ = follow_run(scenario(SETTLING, 1200), strategy, settings)
    assert not any(one.moves or one.away for one in longer.moments if one.at >= rests[0].since)


@pytest.mark.parametrize("edition", BASE_EDITIONS)
@pytest.mark.parametrize("strategy", [one for one in Strategy if one is not Strategy.NONE])
def test_rest_agrees_with_the_table_of_who_can_oscillate(strategy: Strategy, edition: str) -> None:
    """Setup rests in the table rests here from every distribution tried; and what a run here does
    for ever lies on a cycle there.
    """
    who = matrix.Setup(strategy, USUAL_PLACER[strategy], edition)
    spreads, restless = matrix.spreads()[::180], []
    if swings := matrix.swings(who):
        spreads = (*spreads, *(matrix.shortest(part)[0] for part in swings[:2]))
    for spread in spreads:
        run = follow_run(
            scenario(spread, 1), strategy, matrix.settings_of(strategy), EDITIONS[edition]
        )
        if run[1].since is None:
            restless.append(spread)
    if not swings:
        assert restless == []
    elif strategy is not Strategy.UNIFORM:
        assert restless
    on_cycles = {spread for part in swings for spread in part}
    for spread in restless:
        reached = set(nx.descendants(matrix.network_of(who), spread)) | {spread}
        assert reached & on_cycles, spread


def test_a_spike_to_come_is_waited_for() -> None:
    cluster = scenario(SETTLING, 5)
    spike = Spike(90 * MINUTE, 100 * MINUTE, 3.0)
    bundles = (replace(cluster.bundles[0], curve=spike), *cluster.bundles[1:])
    _, rest = follow_run(replace(cluster, bundles=bundles), Strategy.UNIFORM, Settings())
    assert rest.looked > 100 * MINUTE


def test_traffic_that_follows_the_day_recurs_after_a_day() -> None:
    cluster = scenario(((2, 2), (2,), (2,)), 5)
    day = tuple(replace(one, curve=Daily(0, 0.5)) for one in cluster.bundles)
    _, rest = follow_run(replace(cluster, bundles=day), Strategy.OVERLOAD, Settings())
    assert rest.since == 0
    assert rest.looked >= 24 * 60 * MINUTE
