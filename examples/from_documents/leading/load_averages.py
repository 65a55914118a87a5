"""Averages of bundles, smoothed scores of brokers, and what the leader knows.

Blog, "Load data model" and "Section 5"; ThresholdShedder, 1.1 and 1.2.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from examples.from_documents.leading.common import Context, Json

SHORT, LONG = 10, 1000
FIELDS = ("msg_rate_in", "msg_rate_out", "throughput_in", "throughput_out")
NOTHING: Json = dict.fromkeys(FIELDS, 0.0)


@dataclass
class Mean:
    """The mean of a limited number of samples."""

    most: int
    sliding: bool
    samples: int = 0
    value: float = 0.0
    window: deque[float] = field(default_factory=deque)

    def add(self, context: Context, sample: float) -> None:
        """Add a sample."""
        self.samples = min(self.samples + 1, self.most)
        if self.sliding:
            self.window.append(sample)
            if len(self.window) > self.most:
                self.window.popleft()
            self.value = context.divide(sum(self.window), len(self.window))
        else:
            self.value = context.divide(self.value * (self.samples - 1) + sample, self.samples)

    def preset(self, value: float) -> None:
        """Start as if every sample had been this one."""
        self.samples = self.most
        self.value = value
        if self.sliding:
            self.window = deque([value] * self.most)


class Averages:
    """Both averages of a bundle."""

    def __init__(self, context: Context) -> None:
        self.context = context
        sliding = context.interpretations.sliding_window
        self.short = {name: Mean(SHORT, sliding) for name in FIELDS}
        self.long = {name: Mean(LONG, sliding) for name in FIELDS}
        self.topics = 0

    def preset(self, quota: Json) -> None:
        """Start with a resource quota."""
        for name in FIELDS:
            self.short[name].preset(quota[name])
            self.long[name].preset(quota[name])

    def add(self, traffic: Json, topics: int) -> None:
        """Add a sample."""
        self.topics = topics
        for name in FIELDS:
            self.short[name].add(self.context, traffic[name])
            self.long[name].add(self.context, traffic[name])

    def to_answer(self) -> Json:
        """The averages in the form of answers."""
        return {
            "short_samples": self.short["msg_rate_in"].samples,
            "short_term": {name: float(mean.value) for name, mean in self.short.items()},
            "long_samples": self.long["msg_rate_in"].samples,
            "long_term": {name: float(mean.value) for name, mean in self.long.items()},
            "topics": self.topics,
        }


def bundle_averages(context: Context, trial: Json) -> Json:
    """load.bundle_averages."""
    averages = Averages(context)
    if trial["start"] == "quota":
        averages.preset(trial["quota"])
    result = [averages.to_answer()]
    for sample in trial["samples"]:
        for _ in range(sample["times"]):
            averages.add(sample["traffic"], sample["topics"])
        result.append(averages.to_answer())
    return {"averages": result}


def history(context: Context, trial: Json) -> Json:
    """load.history: ThresholdShedder, 1.2."""
    weight = trial["weight"]
    known: dict[str, float] = {}
    results: list[Json] = []
    for command in trial["commands"]:
        if command["do"] == "active":
            known = {name: old for name, old in known.items() if name in command["brokers"]}
            results.append({"do": "told"})
            continue
        seen: dict[str, float] = {}
        for broker in command["brokers"]:
            usage = context.divide(context.percent({"usage": broker["cpu"], "limit": 100}), 100)
            if broker["broker"] in known:
                usage = known[broker["broker"]] * weight + (1 - weight) * usage
            seen[broker["broker"]] = usage
        known = seen.copy() if context.interpretations.forget_silent else {**known, **seen}
        scores = [{"broker": name, "score": score} for name, score in seen.items()]
        mean = context.divide(sum(seen.values()), len(seen)) if seen else None
        if trial["keeper"] != "threshold_shedder":
            mean = None
        results.append({"do": "scores", "scores": scores, "mean": mean})
    return {"results": results}


@dataclass
class Leader:
    """The leader's data from the reports."""

    context: Context
    reports: dict[str, list[str]] = field(default_factory=dict)
    bundles: dict[str, Averages] = field(default_factory=dict)

    def do(self, command: Json) -> None:
        """Carry out one command."""
        if command["do"] == "publish":
            self.reports[command["broker"]] = [b["bundle"] for b in command["bundles"]]
            for bundle in command["bundles"]:
                averages = self.bundles.setdefault(bundle["bundle"], Averages(self.context))
                averages.add(bundle["traffic"], bundle["topics"])
        elif command["do"] == "leave":
            self.reports.pop(command["broker"], None)
        if not self.context.interpretations.keep_unreported:
            named = {name for report in self.reports.values() for name in report}
            self.bundles = {name: old for name, old in self.bundles.items() if name in named}

    def to_answer(self) -> Json:
        """All averages by name."""
        averages = {name: self.bundles[name].to_answer() for name in sorted(self.bundles)}
        brokers = [
            {
                "broker": broker,
                "averages": {
                    term: total([averages[name][term] for name in self.reports[broker]])
                    for term in ("short_term", "long_term")
                },
            }
            for broker in sorted(self.reports)
        ]
        bundles = [{"bundle": name, "averages": known} for name, known in averages.items()]
        return {"bundles": bundles, "brokers": brokers}


def total(parts: Sequence[Json]) -> Json:
    """Sums of traffic."""
    return {name: sum((part[name] for part in parts), 0.0) for name in FIELDS}


def leader(context: Context, trial: Json) -> Json:
    """load.leader."""
    knows = Leader(context)
    results = []
    for command in trial["commands"]:
        knows.do(command)
        results.append(knows.to_answer())
    return {"results": results}


def meter_resource(context: Context, resource: Json) -> float:
    """The percentage of one resource; not a number if its usage is none."""
    if resource["usage"] is None:
        return math.nan
    return float(context.percent(resource))


def most(context: Context, usages: list[float]) -> float | None:
    """The largest of some fractions."""
    if any(math.isnan(usage) for usage in usages):
        if context.interpretations.not_a_number_spreads:
            return None
        usages = [usage for usage in usages if not math.isnan(usage)]
    largest = max([*usages, 0.0]) / 100
    return largest if math.isfinite(largest) else None


def chosen_weight(context: Context, present: float, old: float) -> float:
    """A bandwidth's weight under its present or its old name; 1.0 is not configured."""
    first, second = (old, present) if context.interpretations.old_name_wins else (present, old)
    return float(first if first != 1 else second)


def usage(context: Context, trial: Json) -> Json:
    """load.usage: ThresholdShedder, 1.1."""
    names = ("cpu", "memory", "direct_memory", "bandwidth_in", "bandwidth_out")
    percents = {name: meter_resource(context, trial[name]) for name in names}
    weights = {name: float(trial["weights"][name]) for name in names}
    for side in ("in", "out"):
        present, old = weights[f"bandwidth_{side}"], float(trial[f"misspelt_{side}"])
        weights[f"bandwidth_{side}"] = chosen_weight(context, present, old)
    heap = context.interpretations.memory_is_heap
    modular = [name for name in names if name != ("direct_memory" if heap else "memory")]
    without = [name for name in names if name != "memory"]
    unweighted = names if context.interpretations.overload_heap else without
    heavy = {name: percents[name] * weights[name] for name in names if weights[name]}
    return {
        **{name: None if math.isnan(value) else value for name, value in percents.items()},
        "weight_in": weights["bandwidth_in"],
        "weight_out": weights["bandwidth_out"],
        "weighted": most(context, [heavy[name] for name in modular if name in heavy]),
        "weighted_with_heap": most(
            context, [heavy[name] for name in (modular if heap else names) if name in heavy]
        ),
        "unweighted": most(context, [percents[name] for name in unweighted]),
        "unweighted_extensible": most(context, [percents[name] for name in names]),
    }


HANDLERS = {
    "load.bundle_averages": bundle_averages,
    "load.history": history,
    "load.leader": leader,
    "load.usage": usage,
}
