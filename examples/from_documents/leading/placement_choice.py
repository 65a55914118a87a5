"""The broker that a bundle is assigned to (Blog, "Section 1: Selecting a broker")."""

from __future__ import annotations

import math
from collections.abc import Callable

from examples.from_documents.leading.common import Context, Json

NAMES = ("cpu", "direct_memory", "bandwidth_in", "bandwidth_out")


def local_usage(context: Context, resources: Json, weights: Json | None) -> float:
    """The largest usage of a broker, a fraction."""
    names = [*NAMES, "memory"] if context.interpretations.overload_heap else list(NAMES)
    usages = [
        context.percent(resources[name]) * (weights[name] if weights else 1) for name in names
    ]
    return context.divide(max(usages), 100)


def message_rate_score(context: Context, trial: Json, report: Json) -> float:
    """Blog, "Section 1": unbounded for an overloaded broker, else its long-term rates."""
    weights = trial["weights"] if context.interpretations.rate_weighted else None
    usage = local_usage(context, report["resources"], weights)
    if usage > context.divide(trial["threshold"], 100):
        return math.inf
    rates: float = report["rate_in"] + report["rate_out"]
    return rates + sum(report["preallocated"])


def least_message_rate(context: Context, trial: Json) -> Json:
    """placement.least_long_term_message_rate."""
    known = {broker["name"]: broker["report"] for broker in trial["brokers"]}
    scores = {
        name: message_rate_score(context, trial, known[name]) if name in known else math.inf
        for name in trial["candidates"]
    }
    least = min(scores.values(), default=math.inf)
    minimal = [name for name, score in scores.items() if score == least]
    choices = [context.rng.choice(minimal) if minimal else None for _ in range(trial["times"])]
    return {"choices": choices}


def below_mean(context: Context, usages: dict[str, float], difference: float) -> list[str]:
    """The brokers `difference` points below the mean; else the variant's fallback."""
    if not usages:
        return []
    mean = context.divide(sum(usages.values()), len(usages))
    gap = context.divide(difference, 100)
    if context.interpretations.difference_included:
        found = [name for name, usage in usages.items() if usage + gap <= mean]
    else:
        found = [name for name, usage in usages.items() if usage + gap < mean]
    if not found and context.interpretations.fallback_least:
        found = [name for name, usage in usages.items() if usage == min(usages.values())]
    return found or list(usages)


def usage_extensible(context: Context, trial: Json) -> Json:
    """placement.least_resource_usage_extensible."""
    usages = {c["name"]: c["usage"] for c in trial["candidates"] if c["usage"] is not None}
    names = below_mean(context, usages, trial["difference"])
    if not names:
        names = [candidate["name"] for candidate in trial["candidates"]]
    return {"choices": [context.pick(names) for _ in range(trial["times"])]}


def usage_modular(context: Context, trial: Json) -> Json:
    """placement.least_resource_usage_modular: ThresholdShedder, 1.1 and 1.2."""
    config = trial["config"]
    reports: dict[str, Json] = {}
    scores: dict[str, float] = {}
    results: list[Json] = []
    for command in trial["commands"]:
        if command["do"] == "report":
            reports[command["broker"]] = command["report"]
            results.append({"do": "done"})
        elif command["do"] == "active":
            scores = {name: old for name, old in scores.items() if name in command["brokers"]}
            results.append({"do": "done"})
        else:
            choices: list[str | None] = []
            for _ in range(command["times"]):
                look(context, config, reports, scores, command["candidates"])
                usages = {name: scores[name] for name in command["candidates"] if name in scores}
                names = below_mean(context, usages, config["difference"])
                choices.append(context.pick(names or command["candidates"]))
            results.append({"do": "chosen", "choices": choices})
    return {"results": results}


def look(
    context: Context,
    config: Json,
    reports: dict[str, Json],
    scores: dict[str, float],
    candidates: list[str],
) -> None:
    """Check the candidates before each choice, and average their usage."""
    for name in candidates:
        if name not in reports:
            continue
        weights = config["weights"]
        resources = reports[name]["resources"]
        usages = [context.percent(resources[key]) * weights[key] for key in NAMES]
        usage = context.divide(max(usages), 100)
        if name in scores:
            usage = scores[name] * config["history"] + (1 - config["history"]) * usage
        scores[name] = usage


def round_robin(context: Context, trial: Json) -> Json:
    """placement.round_robin."""
    counter = trial["counter"]
    results: list[Json] = []
    for ask in trial["asks"]:
        names = ask["candidates"]
        if context.interpretations.round_robin_sorted:
            names = sorted(names)
        choices: list[str | None] = []
        for _ in range(ask["times"]):
            choices.append(names[counter % len(names)] if names else None)
            if names:
                counter = (counter + 1) % (1 << 31)
        results.append({"do": "chosen", "choices": choices})
    return {"results": results}


def avg_shedder(context: Context, trial: Json) -> Json:
    """placement.avg_shedder: Concepts, "AvgShedder": placement follows the shedding's plans."""
    plans: dict[str, str] = {}

    def place(command: Json) -> Json:
        planned = plans.get(command["bundle"])
        if planned in command["candidates"]:
            if context.interpretations.plan_used_up:
                del plans[command["bundle"]]
            return {"do": "chosen", "choices": [planned]}
        return {"do": "chosen", "choices": [context.pick(command["candidates"])]}

    results: list[Json] = []
    for command in trial["commands"]:
        if command["do"] == "place":
            results.append(place(command))
            continue
        if command["do"] == "plan":
            plans[command["bundle"]] = command["broker"]
        results.append({"do": "done"})
    return {"results": results}


class Preallocation:
    """Lookups, proposals, reports and unloads by LeastLongTermMessageRate."""

    def __init__(self, context: Context, trial: Json) -> None:
        self.context = context
        self.evenly = trial["evenly"]
        self.rates = {bundle["bundle"]: bundle["rate"] for bundle in trial["bundles"]}
        self.reported: dict[str, list[str]] = {name: [] for name in trial["brokers"]}
        self.allocated: dict[str, str] = {}
        self.destined: dict[str, str] = {}

    def held(self, broker: str) -> list[str]:
        """The bundles that a broker serves or is about to serve."""
        given = [bundle for bundle, owner in self.allocated.items() if owner == broker]
        return [*self.reported[broker], *given]

    def best(self, bundle: str) -> str | None:
        """The broker that the bundle would be assigned to."""
        names = list(self.reported)
        namespace = bundle.rpartition("/")[0]
        if self.evenly and names:
            counts = {
                name: sum(b.rpartition("/")[0] == namespace for b in self.held(name))
                for name in names
            }
            names = [name for name in names if counts[name] == min(counts.values())]
        loads = {name: sum(self.rates.get(b, 0) for b in self.held(name)) for name in names}
        least = min(loads.values(), default=0)
        return self.context.pick([name for name in names if loads[name] == least])

    def unload(self, bundle: str, broker: str) -> Json:
        """Concepts, "Bundle unloading": a specific bundle to a destination broker."""
        if broker not in self.reported:
            return {"do": "refused", "reason": "no such broker"}
        self.destined[bundle] = broker
        return {"do": "done"}

    def do(self, command: Json) -> Json:
        """One command."""
        if command["do"] == "reports":
            self.reported[command["broker"]] = command["bundles"]
            for bundle in command["bundles"]:
                self.allocated.pop(bundle, None)
            return {"do": "done"}
        if command["do"] == "leaves":
            self.reported.pop(command["broker"], None)
            self.allocated = {b: o for b, o in self.allocated.items() if o in self.reported}
            self.destined = {b: o for b, o in self.destined.items() if o in self.reported}
            return {"do": "done"}
        bundle = command["bundle"]
        if command["do"] == "unload":
            return self.unload(bundle, command["broker"])
        destination = self.destined.pop(bundle, None) if command["do"] == "look_up" else None
        chosen = destination or self.allocated.get(bundle) or self.best(bundle)
        if command["do"] == "look_up" and chosen is not None:
            self.allocated[bundle] = chosen
        return {"do": "chosen", "choices": [chosen]}


def preallocation(context: Context, trial: Json) -> Json:
    """placement.preallocation."""
    state = Preallocation(context, trial)
    return {"results": [state.do(command) for command in trial["commands"]]}


HANDLERS: dict[str, Callable[[Context, Json], Json]] = {
    "placement.avg_shedder": avg_shedder,
    "placement.least_long_term_message_rate": least_message_rate,
    "placement.least_resource_usage_extensible": usage_extensible,
    "placement.least_resource_usage_modular": usage_modular,
    "placement.preallocation": preallocation,
    "placement.round_robin": round_robin,
}
