"""splitting.due_extensible, .due_modular: which bundles are split automatically.

Followed: document 001, "Section 2: Finding target bundles", and document 002, "Bundle
splitting", Workflow, step 1.
"""

from __future__ import annotations

from itertools import pairwise

from examples.from_documents.owning.interpretations import Interpretations
from examples.from_documents.owning.splitting_positions import MB
from examples.from_documents.owning.wire import Json, span


def reason(config: Json, load: Json) -> str | None:
    """The first threshold that a bundle's load exceeds."""
    limit = "loadBalancerNamespaceBundleMax"
    rate = float(load["msg_rate_in"]) + float(load["msg_rate_out"])
    throughput = float(load["throughput_in"]) + float(load["throughput_out"])
    if int(load["topics"]) > int(config[f"{limit}Topics"]):
        return "Topics"
    if int(load["producers"]) + int(load["consumers"]) > int(config[f"{limit}Sessions"]):
        return "Sessions"
    if rate > int(config[f"{limit}MsgRate"]):
        return "MsgRate"
    if throughput > int(config[f"{limit}BandwidthMbytes"]) * MB:
        return "Bandwidth"
    return None


def too_few(interpretations: Interpretations, load: Json) -> bool:
    """Whether a bundle has too few topics to be divided in a way that helps."""
    return int(load["topics"]) < 2 and not interpretations.one_topic_is_enough


def counts_of(trial: Json) -> dict[str, int]:
    """How many bundles each namespace has."""
    return {count["namespace"]: int(count["bundles"]) for count in trial["counts"]}


def may_grow(config: Json, counts: dict[str, int], bundle: str, more: int) -> bool:
    """Whether a namespace may have more bundles; if so, they are counted from now on."""
    namespace = bundle.rpartition("/")[0]
    have = counts.get(namespace, 0)
    if have >= int(config["loadBalancerNamespaceMaximumBundles"]):
        return False
    counts[namespace] = have + more
    return True


def ends_of(bundle: str) -> tuple[int, int]:
    """The ends of the range in a bundle's full name."""
    lower, _, upper = bundle.rpartition("/")[2].partition("_")
    return int(lower, 16), int(upper, 16)


class Cycles:
    """One broker, cycle after cycle."""

    def __init__(self, interpretations: Interpretations, config: Json) -> None:
        self.interpretations = interpretations
        self.config = config
        self.hits: dict[str, int] = {}

    def due(self, load: Json) -> str | None:
        """The reason why a bundle is due, once it has exceeded its thresholds often enough."""
        bundle = str(load["bundle"])
        why = reason(self.config, load)
        if why is None or too_few(self.interpretations, load):
            self.hits.pop(bundle, None)
            return None
        self.hits[bundle] = self.hits.get(bundle, 0) + 1
        needed = int(self.config["loadBalancerNamespaceBundleSplitConditionHitCountThreshold"])
        return why if self.hits[bundle] >= needed + self.interpretations.hits_beyond else None

    def cycle(self, cycle: Json) -> list[Json]:
        """The decisions of one cycle."""
        if not self.config["loadBalancerAutoBundleSplitEnabled"]:
            return []
        counts = counts_of(cycle)
        most = int(self.config["loadBalancerMaxNumberOfBundlesToSplitPerCycle"])
        decisions: list[Json] = []
        seen = {str(own["load"]["bundle"]) for own in cycle["loads"]}
        self.hits = {bundle: n for bundle, n in self.hits.items() if bundle in seen}
        for own in self.order_loads(cycle["loads"]):
            bundle = str(own["load"]["bundle"])
            if not own["owned"] or bundle in cycle["splitting"]:
                continue
            why = self.due(own["load"])
            lower, upper = ends_of(bundle)
            inside = sorted({int(p) for p in own["positions"] if lower < int(p) < upper})
            if why is None or not inside or len(decisions) >= most:
                continue
            if not may_grow(self.config, counts, bundle, len(inside)):
                continue
            self.hits.pop(bundle, None)
            ends = [lower, *inside, upper]
            children = [span(low, high) for low, high in pairwise(ends)]
            decisions.append({"bundle": bundle, "reason": why, "children": children})
        return decisions

    def order_loads(self, loads: list[Json]) -> list[Json]:
        """In the order of reports, or the busiest first."""
        if not self.interpretations.busiest_first:
            return loads
        return sorted(loads, key=lambda own: -busy(own["load"]))


def busy(load: Json) -> float:
    """A bundle's throughput."""
    return float(load["throughput_in"]) + float(load["throughput_out"])


def due_extensible(interpretations: Interpretations, trial: Json) -> Json:
    """The answer to splitting.due_extensible."""
    cycles = Cycles(interpretations, trial["config"])
    return {"cycles": [{"decisions": cycles.cycle(c), "broke": None} for c in trial["cycles"]]}


def due_modular(interpretations: Interpretations, trial: Json) -> Json:
    """The answer to splitting.due_modular."""
    config = trial["config"]
    enabled = trial["leader"] and config["loadBalancerAutoBundleSplitEnabled"]
    if interpretations.alone_splits_nothing and int(trial["known_brokers"]) < 2:
        enabled = False
    rounds = []
    averages: dict[str, Json] = {}
    for each in trial["rounds"]:
        rounds.append(modular_round(interpretations, config, each, averages) if enabled else [])
    return {"rounds": rounds}


def modular_round(
    interpretations: Interpretations, config: Json, each: Json, averages: dict[str, Json]
) -> list[Json]:
    """The bundles due in one round, each once."""
    counts = counts_of(each)
    due: dict[str, str] = {}
    loads = list(reversed(each["loads"])) if interpretations.last_report_counts else each["loads"]
    for load in loads:
        bundle = str(load["bundle"])
        if bundle in due or too_few(interpretations, load):
            continue
        shown = average_load(averages, load) if interpretations.averages_before_splitting else load
        if reason(config, shown) is not None and may_grow(config, counts, bundle, 1):
            due[bundle] = str(load["broker"])
    return [{"bundle": bundle, "broker": broker} for bundle, broker in due.items()]


def average_load(averages: dict[str, Json], load: Json) -> Json:
    """A load whose rates are the mean of all reports."""
    past = averages.setdefault(load["bundle"], {"times": 0})
    past["times"] += 1
    shown = dict(load)
    for rate in ("msg_rate_in", "msg_rate_out", "throughput_in", "throughput_out"):
        past[rate] = past.get(rate, 0.0) + (float(load[rate]) - past.get(rate, 0.0)) / past["times"]
        shown[rate] = past[rate]
    return shown
