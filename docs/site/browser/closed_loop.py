"""A scenario of `evenkeel operate simulate` under several strategies, over time."""

from __future__ import annotations

import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from evenkeel.operate.simulate import scenario_file
from evenkeel.operate.simulate.reading import BadScenarioFile
from evenkeel.operate.simulate.scenario_file import ScenarioFile
from evenkeel.properties.balancing.loop.trials import BalancingTrial, answer_loop
from evenkeel.reference.balancing.measures import measures
from evenkeel.reference.balancing.settings import USUAL_PLACER, BalancerSpec, Strategy
from evenkeel.reference.edition import EDITIONS

MOST_WORK: Final = 60_000
"""Steps times bundles: beyond that a page would have to be waited for too long."""


def answer(request: Any) -> Any:
    """`scenario` is the text of a scenario file; `strategies`, `edition` and `seed`. The answer
    has for each strategy the usage of every broker at every step, the moves and the measures.
    """
    file = read(request["scenario"])
    timing, bundles = file.scenario.timing, len(file.scenario.bundles)
    if timing.steps * bundles > MOST_WORK:
        raise ValueError(
            f"{timing.steps:,} steps of {bundles:,} bundles are too many for a page: together at "
            f"most {MOST_WORK:,}. `evenkeel operate simulate` has no such limit."
        )
    return {
        "title": file.title,
        "minutes": timing.end / 60_000,
        "runs": {name: run(file, Strategy(name), request) for name in request["strategies"]},
    }


def read(text: str) -> ScenarioFile:
    """The scenario in a text. Raises ValueError."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scenario.toml"
        path.write_text(text, "utf-8")
        try:
            return scenario_file.read(path, "scenario")
        except BadScenarioFile as bad:
            raise ValueError(str(bad)) from bad


def run(file: ScenarioFile, strategy: Strategy, request: Any) -> Any:
    """One run."""
    balancer = BalancerSpec(strategy, USUAL_PLACER[strategy], file.settings[strategy])
    trial = BalancingTrial(file.scenario, balancer, request.get("seed", 0))
    history = answer_loop(trial, EDITIONS[request["edition"]])
    usages: dict[str, list[Any]] = {}
    for broker in file.scenario.brokers:
        at = [{g.broker: g.usage for g in moment.gauges} for moment in history.moments]
        usages[broker.id] = [gauges.get(broker.id) for gauges in at]
    return {
        "at": [moment.at / 60_000 for moment in history.moments],
        "usage": usages,
        "moves": [len(moment.moves) for moment in history.moments],
        "measures": asdict(measures(file.scenario, history, balancer.settings.grace_minutes)),
    }
