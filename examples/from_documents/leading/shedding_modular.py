"""OverloadShedder, ThresholdShedder and UniformLoadShedder, round after round.

Concepts, "Bundle unloading strategies"; ThresholdShedder, chapters 1.1 to 1.4.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from examples.from_documents.leading.common import (
    Context,
    Json,
    messages,
    throughput,
    weighted_usage,
)

MINUTE = 60_000
# ThresholdShedder 1.4 names LOWER_BOUNDARY_THRESHOLD_MARGIN and gives no value.
LOWER_MARGIN = "0.5"
MIB = 1 << 20


@dataclass
class Memory:
    """The state of a strategy and its leader between rounds."""

    unloaded: dict[str, int] = field(default_factory=dict)
    history: dict[str, float] = field(default_factory=dict)

    def list_recent(self, context: Context, at: int, minutes: int) -> set[str]:
        """The bundles whose grace period is not over."""
        span = minutes * MINUTE
        if context.interpretations.grace_includes_end:
            return {name for name, then in self.unloaded.items() if at - then <= span}
        return {name for name, then in self.unloaded.items() if at - then < span}


@dataclass(frozen=True)
class Round:
    """The input of a strategy in one round."""

    context: Context
    data: Json
    config: Json
    recent: set[str]

    @property
    def averages(self) -> dict[str, Json]:
        """The averages that the variant uses, by bundle."""
        term = f"{self.context.interpretations.term}_term"
        return {bundle["bundle"]: bundle[term] for bundle in self.data["bundles"]}

    def heaviest(self, broker: Json, key: Callable[[Json], float]) -> list[tuple[str, float]]:
        """The broker's bundles that may go, heaviest first."""
        known = self.averages
        movable = [
            (name, key(known[name]))
            for name in broker["bundles"]
            if name in known and name not in self.recent
        ]
        return self.context.arrange(movable, lambda pair: -pair[1], lambda pair: pair[0])


Strategy = Callable[[Round, Memory], list[tuple[str, list[str]]]]


def run(context: Context, trial: Json, strategy: Strategy) -> Json:
    """All rounds of a trial."""
    memory = Memory({entry["bundle"]: entry["at"] for entry in trial["recently_unloaded"]})
    answer: list[list[Json]] = []
    for number, data in enumerate(trial["rounds"]):
        for membership in trial.get("memberships", []):
            if membership["round"] == number:
                forget(memory, membership["active"])
        minutes = trial["config"]["loadBalancerSheddingGracePeriodMinutes"]
        recent = memory.list_recent(context, data["at"], minutes)
        chosen = strategy(Round(context, data, trial["config"], recent), memory)
        for _, bundles in chosen:
            for bundle in bundles:
                if bundle not in data["failing"]:
                    memory.unloaded[bundle] = data["at"]
        answer.append([{"broker": broker, "bundles": names} for broker, names in chosen if names])
    return {"rounds": answer}


def forget(memory: Memory, active: list[str]) -> None:
    """Drop the history of all brokers but the active ones."""
    memory.history = {name: old for name, old in memory.history.items() if name in active}


def enough(
    bundles: list[tuple[str, float]], amount: float, taken: set[str], spare: int
) -> list[str]:
    """Bundles from the largest on until they meet the amount; `spare` of them stay."""
    chosen: list[str] = []
    moved: float = 0
    for name, weight in bundles:
        if moved >= amount or len(chosen) >= len(bundles) - spare:
            break
        if name not in taken:
            chosen.append(name)
            moved += weight
    return chosen


def count_spared(view: Round, broker: Json, bundles: list[tuple[str, float]]) -> int:
    """How many of the movable bundles must stay so that the broker keeps one."""
    everything = len(bundles) == len(broker["bundles"])
    return 1 if view.context.interpretations.keep_last and everything else 0


def overload(view: Round, _memory: Memory) -> list[tuple[str, list[str]]]:
    """Concepts, "OverloadShedder"."""
    interpretations = view.context.interpretations
    limit = view.context.divide(view.config["loadBalancerBrokerOverloadedThresholdPercentage"], 100)
    result: list[tuple[str, list[str]]] = []
    taken: set[str] = set()
    for broker in view.data["brokers"]:
        usage = largest(view, broker["resources"])
        over = usage >= limit if interpretations.overload_at_limit else usage > limit
        if not over or len(broker["bundles"]) < 2:
            continue
        bundles = view.heaviest(broker, throughput)
        bundles = [pair for pair in bundles if pair[0] not in taken]
        chosen = overload_choice(view, broker, bundles, usage, usage - limit)
        taken.update(chosen)
        result.append((broker["broker"], chosen))
    return result


def overload_choice(
    view: Round, broker: Json, bundles: list[tuple[str, float]], usage: float, excess: float
) -> list[str]:
    """The bundles that one overloaded broker sheds."""
    interpretations = view.context.interpretations
    spare = count_spared(view, broker, bundles)
    if interpretations.overload_amount == "one":
        return [name for name, _ in bundles[:1]]
    if interpretations.overload_amount == "all":
        return [name for name, _ in bundles[: len(bundles) - spare]]
    share = excess + view.context.constant("0.05")
    if interpretations.overload_amount == "proportional" and usage > 0:
        share = view.context.divide(share, usage)
    chosen = enough(bundles, throughput(broker["traffic"]) * share, set(), spare)
    return chosen or [name for name, _ in bundles[:1]]


def largest(view: Round, resources: Json) -> float:
    """The maximum resource usage for OverloadShedder, a fraction."""
    if view.context.interpretations.overload_weighted:
        return weighted_usage(view.context, resources, view.config)
    names = ["cpu", "direct_memory", "bandwidth_in", "bandwidth_out"]
    if view.context.interpretations.overload_heap:
        names.append("memory")
    return view.context.divide(max(view.context.percent(resources[name]) for name in names), 100)


def threshold(view: Round, memory: Memory) -> list[tuple[str, list[str]]]:
    """ThresholdShedder, 1.1 to 1.4."""
    context, config = view.context, view.config
    if not view.data["brokers"]:
        return []
    weight = config["loadBalancerHistoryResourcePercentage"]
    seen: dict[str, float] = {}
    for broker in view.data["brokers"]:
        name = broker["broker"]
        usage = weighted_usage(context, broker["resources"], config)
        if name in memory.history:
            usage = memory.history[name] * weight + (1 - weight) * usage
        seen[name] = usage
    memory.history = (
        seen.copy() if context.interpretations.forget_silent else {**memory.history, **seen}
    )
    average = context.divide(sum(seen.values()), len(seen))
    points = context.divide(config["loadBalancerBrokerThresholdShedderPercentage"], 100)
    result: dict[str, list[str]] = {}
    taken: set[str] = set()
    for broker in view.data["brokers"]:
        usage = seen[broker["broker"]]
        if usage > average + points:
            share = usage - average + context.constant("0.05")
            if not context.interpretations.below_average:
                share -= points
            chosen = threshold_choice(view, broker, share, taken)
            taken.update(chosen)
            result[broker["broker"]] = chosen
    if config["lowerBoundarySheddingEnabled"]:
        lower_boundary(view, seen, average, result)
    return list(result.items())


def lower_boundary(
    view: Round, seen: dict[str, float], average: float, result: dict[str, list[str]]
) -> None:
    """ThresholdShedder, 1.4: the most loaded broker sheds for one with little load."""
    context = view.context
    points = context.divide(view.config["loadBalancerBrokerThresholdShedderPercentage"], 100)
    if min(seen.values()) >= average - points:
        return
    if context.interpretations.lower_only_if_idle and any(result.values()):
        return
    brokers = {broker["broker"]: broker for broker in view.data["brokers"]}
    busiest = context.pick([name for name in seen if seen[name] == max(seen.values())])
    if busiest is None or result.get(busiest):
        return
    taken = {bundle for chosen in result.values() for bundle in chosen}
    share = points * context.constant(LOWER_MARGIN)
    result[busiest] = threshold_choice(view, brokers[busiest], share, taken)


def threshold_choice(view: Round, broker: Json, share: float, taken: set[str]) -> list[str]:
    """ThresholdShedder, 1.3: which bundles an overloaded broker sheds."""
    interpretations = view.context.interpretations
    amount = throughput(broker["traffic"]) * share
    minimum = view.config["loadBalancerBundleUnloadMinThroughputThreshold"] * MIB
    if amount < minimum or (amount == minimum and not interpretations.minimum_included):
        return []
    if len(broker["bundles"]) < 2:
        return []
    bundles = view.heaviest(broker, throughput)
    if not interpretations.shed_idle:
        bundles = [pair for pair in bundles if pair[1] > 0]
    return enough(bundles, amount, taken, count_spared(view, broker, bundles))


def uniform(view: Round, _memory: Memory) -> list[tuple[str, list[str]]]:
    """Concepts, "UniformLoadShedder"."""
    context, config = view.context, view.config
    brokers = view.data["brokers"]
    if len(brokers) < 2:
        return []
    rate = config["loadBalancerMsgRateDifferenceShedderThreshold"]
    ratio = config["loadBalancerMsgThroughputMultiplierDifferenceShedderThreshold"]
    by_rate = uniform_pair(view, messages)
    by_bytes = uniform_pair(view, throughput)
    plans: list[tuple[str, list[str]]] = []
    over_rate = rate > 0 and exceeds(context, by_rate, messages, 1 + context.divide(rate, 100))
    over_bytes = ratio > 0 and exceeds(context, by_bytes, throughput, ratio)
    if over_rate:
        plans.append(uniform_choice(view, by_rate, messages, config["minUnloadMessage"]))
    if over_bytes:
        least = config["minUnloadMessageThroughput"]
        plans.append(uniform_choice(view, by_bytes, throughput, least))
    if not context.interpretations.uniform_prefers_rate:
        plans.reverse()
    return [plan for plan in plans if plan[1]][:1]


def uniform_pair(view: Round, key: Callable[[Json], float]) -> tuple[Json, Json]:
    """The most and the least loaded broker."""
    order = view.context.arrange(
        view.data["brokers"], lambda broker: key(broker["traffic"]), lambda b: str(b["broker"])
    )
    return order[-1], order[0]


def exceeds(
    context: Context, pair: tuple[Json, Json], key: Callable[[Json], float], factor: float
) -> bool:
    """Whether the most loaded broker carries more than `times` the load of the least loaded."""
    most, least = (key(broker["traffic"]) for broker in pair)
    if least <= 1 and context.interpretations.uniform_least_is_one:
        least = 1
    return most > least * factor


def uniform_choice(
    view: Round, pair: tuple[Json, Json], key: Callable[[Json], float], minimum: int
) -> tuple[str, list[str]]:
    """The bundles for a part of the difference between the two brokers."""
    interpretations = view.context.interpretations
    most, least = pair
    share = view.config["maxUnloadPercentage"]
    amount = (key(most["traffic"]) - key(least["traffic"])) * share
    name = str(most["broker"])
    small = amount < minimum or (amount == minimum and not interpretations.uniform_minimum_included)
    if amount <= 0 or small or len(most["bundles"]) < 2:
        return name, []
    bundles = view.heaviest(most, key)
    chosen = fitting(view, bundles, amount)
    most_bundles = view.config["maxUnloadBundleNumPerShedding"]
    return name, chosen[:most_bundles] if most_bundles >= 0 else chosen


def fitting(view: Round, bundles: list[tuple[str, float]], amount: float) -> list[str]:
    """Bundles from the largest on, within the amount or as near to it as possible."""
    reach = 2 if view.context.interpretations.nearest else 1
    chosen: list[str] = []
    for name, weight in bundles:
        if 0 < weight <= amount * reach and (reach == 1 or weight < amount * reach):
            chosen.append(name)
            amount -= weight
    return chosen


HANDLERS = {
    "shedding.overload": lambda context, trial: run(context, trial, overload),
    "shedding.threshold": lambda context, trial: run(context, trial, threshold),
    "shedding.uniform": lambda context, trial: run(context, trial, uniform),
}
