"""A small cluster under each strategy, round by round, in both editions."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, Final

from evenkeel.properties.balancing.loop.trials import BalancingTrial, answer_loop
from evenkeel.reference.balancing.history import History, Moment
from evenkeel.reference.balancing.measures import measures
from evenkeel.reference.balancing.scenario import BrokerSpec, BundleSpec, Scenario, Timing
from evenkeel.reference.balancing.settings import USUAL_PLACER, BalancerSpec, Settings, Strategy
from evenkeel.reference.edition import BASE_EDITIONS, EDITIONS
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.shedding.cluster import MINUTE, BrokerId, BundleName

STRATEGIES: Final = tuple(one for one in Strategy if one is not Strategy.NONE)
PERCENT: Final = 1_000_000.0
"""Bytes a second, in each direction, that are one percent of a broker."""
MESSAGES: Final = 100.0
"""Messages a second, in and out together, that are one percent of a broker."""
MOST_ROUNDS: Final = 90
MOST_BROKERS: Final = 8
MOST_BUNDLES: Final = 60


def answer(request: Any) -> Any:
    """`brokers`: for each the loads of its bundles, in percent of a broker; `rounds`: minutes;
    `settings`: by Pulsar's names. The answer has the runs by strategy and edition.
    """
    scenario = scenario_of(request["brokers"], request["rounds"])
    settings = settings_of(request.get("settings", {}))
    return {
        strategy.value: {
            name: run(scenario, BalancerSpec(strategy, USUAL_PLACER[strategy], settings), name)
            for name in BASE_EDITIONS
        }
        for strategy in STRATEGIES
    }


def scenario_of(brokers: list[list[float]], rounds: int) -> Scenario:
    """The cluster. Raises ValueError."""
    if not 1 <= rounds <= MOST_ROUNDS:
        raise ValueError(f"The rounds must be from 1 to {MOST_ROUNDS}.")
    if not 2 <= len(brokers) <= MOST_BROKERS:
        raise ValueError(f"There must be from 2 to {MOST_BROKERS} brokers.")
    loads = [(place, load) for place, own in enumerate(brokers, 1) for load in own]
    if not 1 <= len(loads) <= MOST_BUNDLES:
        raise ValueError(f"There must be from 1 to {MOST_BUNDLES} bundles.")
    step = 0xFFFFFFFF // len(loads)
    bundles = tuple(
        BundleSpec(
            BundleName(f"t/ns/0x{index * step:08x}_0x{(index + 1) * step:08x}"),
            traffic_of(load),
            owner=BrokerId(f"broker-{place}"),
        )
        for index, (place, load) in enumerate(loads)
    )
    full = 100 * MESSAGES, 100 * PERCENT
    there = tuple(BrokerSpec(BrokerId(f"broker-{n}"), *full) for n in range(1, len(brokers) + 1))
    return Scenario(there, bundles, Timing(rounds))


def traffic_of(percent: float) -> Traffic:
    """Traffic of a percentage of a broker in every dimension. Raises ValueError."""
    if not 0 <= percent <= 1000:
        raise ValueError("A bundle's load must be from 0 to 1000 percent.")
    rate, throughput = percent * MESSAGES / 2, percent * PERCENT
    return Traffic(rate, rate, throughput, throughput)


def settings_of(given: dict[str, float]) -> Settings:
    """The settings, the others at their defaults. Raises ValueError."""
    known = {one.metadata["wire"]: one for one in fields(Settings)}
    values: dict[str, Any] = {}
    for wire, value in given.items():
        if wire not in known:
            raise ValueError(f"No setting is called {wire}.")
        default = known[wire].default
        if isinstance(default, int) and value != int(value):
            raise ValueError(f"{wire} must be a whole number.")
        values[known[wire].name] = int(value) if isinstance(default, int) else float(value)
    return replace(Settings(), **values)


def run(scenario: Scenario, balancer: BalancerSpec, edition: str) -> Any:
    """One run: its rounds, and how it went."""
    history = answer_loop(BalancingTrial(scenario, balancer), EDITIONS[edition])
    found = measures(scenario, history, balancer.settings.grace_minutes)
    still = [moment.at for moment in history.moments if moment.moves or moment.away]
    return {
        "rounds": [round_of(history, place) for place in range(len(history.moments))],
        "unloads": found.unloads,
        "returned": found.returned,
        "highest": max(gauge.usage for gauge in history.moments[-1].gauges),
        "lowest": min(gauge.usage for gauge in history.moments[-1].gauges),
        "last": still[-1] // MINUTE if still else None,
    }


def round_of(history: History, place: int) -> Any:
    """One minute: what every broker carries, and what then leaves it."""
    moment = history.moments[place]
    return {
        "minute": moment.at // MINUTE,
        "brokers": {
            gauge.broker: {"usage": gauge.usage, "bundles": list(map(number_of, gauge.bundles))}
            for gauge in moment.gauges
        },
        "away": list(map(number_of, moment.away)),
        "moves": [
            {
                "bundle": number_of(move.bundle),
                "from": move.source,
                "to": move.destination or find_next(history.moments[place + 1 :], move.bundle),
                "reason": move.reason,
            }
            for move in moment.moves
        ],
    }


def number_of(bundle: str) -> str:
    """A bundle's place on the hash circle, which is all of its name that matters here."""
    return bundle.rpartition("/")[2].partition("_")[0]


def find_next(later: tuple[Moment, ...], bundle: str) -> str | None:
    """The next broker that serves a bundle, if any does before the end."""
    found = (one.broker for moment in later for one in moment.placed if one.bundle == bundle)
    return next(found, None)
