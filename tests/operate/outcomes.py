"""What the shipped scenarios come to: `python -m tests.operate.outcomes` writes them again."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from evenkeel.operate.simulate import running, scenario_file
from evenkeel.operate.simulate.running import Run, RunJob
from evenkeel.reference.balancing.settings import Strategy
from evenkeel.reference.edition import EDITIONS
from evenkeel.reference.shedding.cluster import MINUTE
from evenkeel_engine.kit.codec import to_json

PATH = Path(__file__).with_suffix(".json")
STRATEGIES = [strategy for strategy in Strategy if strategy is not Strategy.NONE]
SEED = 1


def outcome(run: Run) -> dict[str, Any]:
    """A run in a few numbers for people, and the digest of all of it."""
    found = run.measures
    steady = found.steady_after
    history = json.dumps(to_json(run.history), sort_keys=True)
    return {
        "moves": found.unloads,
        "back": found.returned,
        "most_of_one_bundle_an_hour": found.most_unloads,
        "steady_after_minutes": None if steady is None else steady / MINUTE,
        "rests_after_minutes": None if run.rests_after is None else run.rests_after / MINUTE,
        "highest": round(found.highest, 4),
        "mean_deviation": round(found.mean_deviation, 4),
        "last_deviation": round(found.last_deviation, 4),
        "thrashing": round(found.thrashing, 4),
        "digest": hashlib.sha256(history.encode()).hexdigest()[:16],
    }


def outcomes(scenario: str, edition: str) -> dict[str, dict[str, Any]]:
    """What each strategy makes of a scenario."""
    file = scenario_file.load(scenario)
    found = {}
    for strategy in STRATEGIES:
        job = RunJob(file, running.balancer_for(file, strategy, None), SEED, EDITIONS[edition])
        found[strategy.value] = outcome(running.carry_out(job))
    return found


def read_pins() -> dict[str, Any]:
    """The outcomes as they were written."""
    data: dict[str, Any] = json.loads(PATH.read_text())
    return data


def main() -> None:
    """Write all outcomes: in DOCUMENTED those that documents or the specification speak of."""
    asked = {"DOCUMENTED": [*read_pins()["DOCUMENTED"]], "PULSAR_4_0": scenario_file.list_shipped()}
    data = {of: {name: outcomes(name, of) for name in names} for of, names in asked.items()}
    PATH.write_text(json.dumps(data, indent=1) + "\n")


if __name__ == "__main__":
    main()
