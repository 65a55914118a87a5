"""AvgShedder: pairs of brokers, hits, planned destinations (Concepts, "AvgShedder")."""

from __future__ import annotations

from dataclasses import dataclass, field

from examples.from_documents.leading.common import (
    Context,
    Json,
    messages,
    throughput,
    weighted_usage,
)
from examples.from_documents.leading.shedding_modular import Memory, Round, fitting


@dataclass
class Hits:
    """The number of rounds in a row in which a pair's difference was above each threshold."""

    low: int = 0
    high: int = 0


@dataclass
class AvgMemory(Memory):
    """The state of AvgShedder."""

    hits: dict[tuple[str, str], Hits] = field(default_factory=dict)


def pairs(view: Round) -> list[tuple[Json, Json, float]]:
    """The highest with the lowest broker, the second with the second lowest, and so on."""
    context = view.context
    scored = [
        (broker, weighted_usage(context, broker["resources"], view.config) * 100)
        for broker in view.data["brokers"]
    ]
    order = context.arrange(scored, lambda pair: pair[1], lambda pair: str(pair[0]["broker"]))
    half = len(order) // 2
    return [
        (order[-1 - place][0], order[place][0], order[-1 - place][1] - order[place][1])
        for place in range(half)
    ]


def due(view: Round, memory: AvgMemory, key: tuple[str, str], difference: float) -> bool:
    """Count a round's hits; whether they are enough."""
    config, interpretations = view.config, view.context.interpretations
    hits = memory.hits.setdefault(key, Hits())
    over_low = difference > config["loadBalancerAvgShedderLowThreshold"]
    over_high = difference > config["loadBalancerAvgShedderHighThreshold"]
    hits.low = hits.low + 1 if over_low else 0
    hits.high = hits.high + 1 if over_high else 0
    by_low = over_low and hits.low >= config["loadBalancerAvgShedderHitCountLowThreshold"]
    by_high = over_high and hits.high >= config["loadBalancerAvgShedderHitCountHighThreshold"]
    if by_low or by_high:
        if by_low or interpretations.avg_reset_both:
            hits.low = 0
        if by_high or interpretations.avg_reset_both:
            hits.high = 0
    return bool(by_low or by_high)


def choose_moved(view: Round, high: Json, low: Json) -> list[str]:
    """The bundles that balance the pair: by messages or else by bytes (AvgRules)."""
    config = view.config
    for key, minimum in (
        (messages, config["minUnloadMessage"]),
        (throughput, config["minUnloadMessageThroughput"]),
    ):
        difference = key(high["traffic"]) - key(low["traffic"])
        amount = difference * config["maxUnloadPercentage"]
        if amount > 0 and amount > minimum:
            return fitting(view, view.heaviest(high, key), amount)
    return []


def shed(view: Round, memory: AvgMemory) -> list[Json]:
    """One round."""
    result: list[Json] = []
    taken: set[str] = set()
    present: set[tuple[str, str]] = set()
    for high, low, difference in pairs(view):
        key = (str(high["broker"]), str(low["broker"]))
        if not view.context.interpretations.avg_ordered_pairs:
            key = (min(key), max(key))
        present.add(key)
        if not due(view, memory, key, difference):
            continue
        chosen = [name for name in choose_moved(view, high, low) if name not in taken]
        taken.update(chosen)
        bundles = [{"bundle": name, "destination": low["broker"]} for name in chosen]
        if bundles:
            result.append({"broker": high["broker"], "bundles": bundles})
    memory.hits = {key: hits for key, hits in memory.hits.items() if key in present}
    return result


def run(context: Context, trial: Json) -> Json:
    """All rounds of a trial."""
    memory = AvgMemory({entry["bundle"]: entry["at"] for entry in trial["recently_unloaded"]})
    config = trial["config"]
    answer: list[list[Json]] = []
    for data in trial["rounds"]:
        recent = memory.list_recent(
            context, data["at"], config["loadBalancerSheddingGracePeriodMinutes"]
        )
        chosen = shed(Round(context, data, config, recent), memory)
        for broker in chosen:
            for planned in broker["bundles"]:
                if planned["bundle"] not in data["failing"]:
                    memory.unloaded[planned["bundle"]] = data["at"]
        answer.append(chosen)
    return {"rounds": answer}


HANDLERS = {"shedding.avg": run}
