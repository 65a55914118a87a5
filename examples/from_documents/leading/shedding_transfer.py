"""TransferShedder: from the highest to the lowest load (Concepts, "TransferShedder")."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import cast

from examples.from_documents.leading.common import Context, Json


@dataclass
class Side:
    """A broker with its load as it will be after the moves so far."""

    report: Json
    load: float
    traffic: float

    @property
    def name(self) -> str:
        """The broker's name."""
        return str(self.report["broker"])


@dataclass
class Counter:
    """The number of rounds in a row with a cause."""

    hits: int = 0


def decision(label: str, reason: str | None, figures: tuple[float, float] | None = None) -> Json:
    """A round without moves."""
    average, deviation = figures if figures else (None, None)
    if deviation is not None and math.isnan(deviation):
        deviation = None
    return {
        "label": label,
        "reason": reason,
        "moves": [],
        "average": average,
        "deviation": deviation,
    }


def unready(view: Json, config: Json) -> Json | None:
    """The decision if a round is skipped (TransferReason)."""
    if view["registered"] is None:
        return decision("Failure", "Unknown")
    if not any(report["broker"] in view["registered"] for report in view["reports"]):
        return decision("Skip", "NoBrokers")
    fresh = fresh_reports(view, config)
    if not fresh:
        return decision("Skip", "OutDatedData")
    if set(view["registered"]) - {report["broker"] for report in view["reports"]}:
        return decision("Skip", "NoLoadData")
    delay = config["loadBalanceSheddingDelayInSeconds"] * 1000
    gave = {entry["broker"]: entry["at"] for entry in view["recent_brokers"]}
    for report in fresh:
        if report["broker"] in gave and report["updated_at"] - gave[report["broker"]] < delay:
            return decision("Skip", "CoolDown")
    return None


def fresh_reports(view: Json, config: Json) -> list[Json]:
    """The reports of registered brokers that are not too old."""
    limit = config["loadBalancerBrokerLoadDataTTLInSeconds"] * 1000
    return [
        report
        for report in view["reports"]
        if view["now"] - report["updated_at"] <= limit and report["broker"] in view["registered"]
    ]


def figures(context: Context, loads: list[float]) -> tuple[float, float]:
    """Average and standard deviation."""
    average = context.divide(sum(loads), len(loads))
    squares = sum((load - average) * (load - average) for load in loads)
    count = len(loads) - 1 if context.interpretations.sample_deviation else len(loads)
    if count == 0:
        return average, math.nan
    return average, math.sqrt(context.divide(squares, count))


def is_underloaded(context: Context, side: Side, average: float, target: float) -> bool:
    """Concepts: "No broker receives 0 traffic. No broker's load < avgLoad * min(0.5, ...)"."""
    bound = average * min(context.constant("0.5"), context.divide(target, 2))
    return (side.report["throughput_average"] == 0 and side.traffic == 0) or side.load < bound


def is_overloaded(context: Context, side: Side, average: float, config: Json) -> bool:
    """Concepts: "No broker's load > ...ThresholdPercentage && load > avgLoad + ...TargetStd"."""
    limit = context.divide(config["loadBalancerBrokerOverloadedThresholdPercentage"], 100)
    target = config["loadBalancerBrokerLoadTargetStd"]
    return bool(side.load > limit and side.load > average + target)


def cause(context: Context, sides: list[Side], config: Json) -> str | None:
    """The cause for moves, if there is one."""
    average, deviation = figures(context, [side.load for side in sides])
    target = config["loadBalancerBrokerLoadTargetStd"]
    lowest = min(sides, key=lambda side: side.load)
    highest = max(sides, key=lambda side: side.load)
    if is_overloaded(context, highest, average, config) or deviation > target:
        return "Overloaded"
    if any(is_underloaded(context, side, average, target) for side in (lowest, *sides)):
        return "Underloaded"
    return None


def may_go(view: Json, config: Json, bundle: Json, source: str, destination: str) -> bool:
    """Whether a bundle of the list may leave for the destination."""
    namespace = bundle["bundle"].rpartition("/")[0]
    bound = namespace in view["isolated"] or namespace in view["anti_affine"]
    if bundle["bundle"] in view["recent_bundles"] or not bundle["owned"]:
        return False
    if bundle["filter_fails"] or (
        bound and not config["loadBalancerSheddingBundlesWithPoliciesEnabled"]
    ):
        return False
    if bundle["admits"] is None:
        return True
    if config["loadBalancerTransferEnabled"]:
        return destination in bundle["admits"]
    return bool(set(bundle["admits"]) - {source})


def weight(bundle: Json) -> float:
    """A bundle's throughput."""
    return cast(float, bundle["throughput_in"] + bundle["throughput_out"])


def candidates(context: Context, bundles: list[Json]) -> list[Json]:
    """The bundles of a list in the order in which the variant tries them."""
    sign = 1 if context.interpretations.transfer_smallest_first else -1
    return context.arrange(bundles, lambda b: sign * weight(b), lambda b: str(b["bundle"]))


def amount(context: Context, source: Side, target: Side, average: float) -> float:
    """The throughput that the source should move."""
    if source.load <= 0:
        return 0
    excess = context.divide(source.load - target.load, 2)
    if context.interpretations.transfer_amount == "average":
        excess = min(source.load - average, source.load - target.load)
    return source.traffic * context.divide(excess, source.load)


def deal(
    context: Context,
    view: Json,
    config: Json,
    pair: tuple[Side, Side],
    average: float,
    moved: set[str],
) -> list[Json]:
    """Moves between one pair of brokers, of bundles not moved in this round."""
    source, target = pair
    left = amount(context, source, target, average)
    moves: list[Json] = []
    bundles = [b for b in source.report["top"] or [] if b["bundle"] not in moved]
    free = [b for b in bundles if may_go(view, config, b, source.name, target.name)]
    for bundle in candidates(context, free):
        size = weight(bundle)
        if size <= 0 or size > left or source.traffic <= 0:
            continue
        left -= size
        share = source.load * context.divide(size, source.traffic)
        source.load -= share
        target.load += share
        source.traffic -= size
        target.traffic += size
        moves.append(
            {
                "source": source.name,
                "bundle": bundle["bundle"],
                "destination": target.name if config["loadBalancerTransferEnabled"] else None,
            }
        )
    return moves


def plan(context: Context, view: Json, config: Json, sides: list[Side]) -> list[Json]:
    """Pairs of the highest and the lowest broker until no cause is left."""
    moves: list[Json] = []
    moved: set[str] = set()
    remaining = list(sides)
    for _ in range(max(config["loadBalancerMaxNumberOfBrokerSheddingPerCycle"], 0)):
        why = cause(context, sides, config)
        if why is None or len(remaining) < 2:
            break
        order = context.arrange(remaining, lambda side: side.load, lambda side: side.name)
        average, _deviation = figures(context, [side.load for side in sides])
        found = deal(context, view, config, (order[-1], order[0]), average, moved)
        moved.update(move["bundle"] for move in found)
        moves.extend({**move, "reason": why} for move in found)
        if context.interpretations.transfer_once_each:
            remaining = [side for side in remaining if side not in (order[-1], order[0])]
        elif not found:
            remaining.remove(order[-1])
    return moves


def decide(context: Context, view: Json, config: Json, counter: Counter) -> Json:
    """One round."""
    early = unready(view, config)
    if early is not None:
        return early
    sides = [
        Side(report, report["load"], report["throughput_in"] + report["throughput_out"])
        for report in fresh_reports(view, config)
    ]
    found = figures(context, [side.load for side in sides])
    counter.hits = counter.hits + 1 if cause(context, sides, config) else 0
    limit = config["loadBalancerSheddingConditionHitCountThreshold"]
    if context.interpretations.hits_must_exceed:
        limit += 1
    if not counter.hits or counter.hits < limit:
        return decision("Skip", "HitCount", found)
    moves = plan(context, view, config, sides)
    if not moves:
        return decision("Skip", "NoBundles", found)
    if context.interpretations.transfer_restart_hits:
        counter.hits = 0
    return {**decision("Success", None, found), "moves": moves}


def run(context: Context, trial: Json) -> Json:
    """All rounds of a trial."""
    counter = Counter()
    config = trial["config"]
    return {"rounds": [decide(context, view, config, counter) for view in trial["rounds"]]}


def run_twice(context: Context, trial: Json) -> Json:
    """Debug mode writes more to the log and changes nothing else."""
    return {"quiet": run(context, trial), "debug": run(context, trial)}


HANDLERS = {"shedding.transfer": run, "shedding.transfer_debug": run_twice}
