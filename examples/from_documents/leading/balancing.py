"""Settings and strategies of the load managers (Concepts, "Bundle unloading strategies")."""

from __future__ import annotations

import tomllib
from pathlib import Path

from examples.from_documents.leading.common import Context, Json, RefusedError

DEFAULTS = tomllib.loads(Path(__file__).with_name("defaults.toml").read_text("utf-8"))

SHEDDING = {
    "modular": {"OverloadShedder", "ThresholdShedder", "UniformLoadShedder", "AvgShedder"},
    "extensible": {"TransferShedder"},
}
USUAL_SHEDDING = {"modular": "ThresholdShedder", "extensible": "TransferShedder"}
PLACING = {
    "modular": {
        "LeastLongTermMessageRate",
        "LeastResourceUsageWithWeight",
        "RoundRobinBrokerSelector",
        "AvgShedder",
    },
    "extensible": {"LeastResourceUsageWithWeight"},
}
USUAL_PLACING = {
    "modular": "LeastLongTermMessageRate",
    "extensible": "LeastResourceUsageWithWeight",
}


def defaults(_context: Context, trial: Json) -> Json:
    """balancing.defaults."""
    return {"values": [DEFAULTS.get(key) for key in trial["keys"]]}


def strategy(context: Context, trial: Json) -> Json:
    """balancing.strategy: Concepts' table says which manager has which strategy."""
    manager = trial["manager"]
    sheds = trial["strategy"] or USUAL_SHEDDING[manager]
    places = trial.get("placement") or USUAL_PLACING[manager]
    if sheds not in SHEDDING[manager]:
        if context.interpretations.unavailable_refused:
            raise RefusedError(f"{sheds} is not available in the {manager} manager")
        sheds = USUAL_SHEDDING[manager]
    if places not in PLACING[manager]:
        places = USUAL_PLACING[manager]
    return {"sheds": sheds, "places": places}


HANDLERS = {"balancing.defaults": defaults, "balancing.strategy": strategy}
