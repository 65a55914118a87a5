"""splitting.apply, .positions, .manual, .unloading: where bundles are cut.

Followed: document 002, "Bundle splitting algorithms" and the manual workflow above it.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from examples.from_documents.owning.bundles import is_bundle, parse_range, spans, topic_hash
from examples.from_documents.owning.interpretations import Interpretations
from examples.from_documents.owning.wire import LAST_HASH, Json, Refusal

MB = 1 << 20


def legal_positions(
    interpretations: Interpretations, lower: int, upper: int, positions: list[int], strict: bool
) -> list[int]:
    """Positions within a bundle, ascending, each once; others are refused or left out."""
    inside = sorted({p for p in positions if lower < p < upper})
    if strict and any(not lower < p < upper for p in positions):
        raise Refusal("BadPosition", f"a position is not within {lower:#010x} to {upper:#010x}")
    if strict and interpretations.refuses_repeated_positions and len(inside) < len(positions):
        raise Refusal("BadPosition", "a position is given twice")
    return inside


def cut(boundaries: list[int], inside: list[int]) -> list[int]:
    """All boundaries after a split ("Step 3: split bundles by boundaries")."""
    return sorted({*boundaries, *inside})


def apply(interpretations: Interpretations, trial: Json) -> Json:
    """The answer to splitting.apply."""
    lower, upper = int(trial["target"]["lower"]), int(trial["target"]["upper"])
    if not is_bundle(trial["boundaries"], lower, upper):
        raise Refusal("NoSuchBundle")
    inside = legal_positions(interpretations, lower, upper, trial["positions"], strict=True)
    return {
        "boundaries": cut(trial["boundaries"], inside),
        "children": spans([lower, *inside, upper]),
    }


def between(low: int, high: int) -> int | None:
    """The position half-way between two hashes, right of the left one; none if they are equal."""
    if low >= high:
        return None
    middle = (low + high) // 2
    return middle if middle > low else high


def middle_of(interpretations: Interpretations, lower: int, upper: int) -> list[int]:
    """range_equally_divide: the middle, of what the bundle holds or between its boundaries."""
    end = upper + 1 if upper == LAST_HASH and interpretations.counts_last_hash else upper
    middle = (lower + end) // 2
    return [middle] if lower < middle < upper else []


def topic_halves(interpretations: Interpretations, topics: list[Json]) -> list[int]:
    """topic_count_equally_divide: as many topics on the left as on the right, if possible."""
    hashes = sorted(topic_hash(topic["topic"]) for topic in topics)
    count = len(hashes)
    if count < 2:
        return []
    half = (count + 1) // 2 if interpretations.odd_topic_left else count // 2
    for distance in range(count):
        for index in (half - distance, half + distance):
            if 0 < index < count:
                position = between(hashes[index - 1], hashes[index])
                at_topic = interpretations.parts_at == "next topic" and hashes[index] < LAST_HASH
                if position is not None and at_topic:
                    return [hashes[index]]
                if position is not None:
                    return [position]
    return []


def flow_parts(interpretations: Interpretations, topics: list[Json], limits: Json) -> list[int]:
    """flow_or_qps_equally_divide: a part ends before the topic that would exceed its limits."""
    margin = 1 + Fraction(int(limits["flowOrQpsDifferenceThresholdPercentage"]), 100)
    most = (
        Fraction(int(limits["loadBalancerNamespaceBundleMaxMsgRate"])),
        Fraction(int(limits["loadBalancerNamespaceBundleMaxBandwidthMbytes"]) * MB),
    )
    known = [t for t in topics if t["reported"] or not interpretations.leaves_unreported_out]
    loads: dict[int, tuple[Fraction, Fraction]] = {}
    hashes = {topic_hash(topic["topic"]) for topic in known}
    for topic in known:
        value, load = topic_hash(topic["topic"]), load_of(topic)
        if value == LAST_HASH and LAST_HASH - 1 in hashes:
            value = LAST_HASH - 1  # no cut separates the last two hashes
        there = loads.get(value, (Fraction(0), Fraction(0)))
        loads[value] = (there[0] + load[0], there[1] + load[1])
    sums = (sum(load[0] for load in loads.values()), sum(load[1] for load in loads.values()))
    if all(total <= limit * margin for total, limit in zip(sums, most, strict=True)):
        return []
    return traffic_cuts(loads, most)


def traffic_cuts(
    loads: dict[int, tuple[Fraction, Fraction]], most: tuple[Fraction, Fraction]
) -> list[int]:
    """The positions before each hash whose topics would exceed the limits of the part so far."""
    positions = []
    rate = throughput = Fraction(0)
    last: int | None = None
    for value, (more_rate, more_throughput) in sorted(loads.items()):
        too_much = rate + more_rate > most[0] or throughput + more_throughput > most[1]
        position = None if last is None else between(last, value)
        if too_much and position is not None:
            positions.append(position)
            rate = throughput = Fraction(0)
        rate += more_rate
        throughput += more_throughput
        last = value
    return positions


def load_of(topic: Json) -> tuple[Fraction, Fraction]:
    """A topic's message rate and throughput, in and out; unknown ones are 0."""
    if not topic["reported"]:
        return Fraction(0), Fraction(0)
    rate = Fraction(topic["msg_rate_in"]) + Fraction(topic["msg_rate_out"])
    return rate, Fraction(topic["throughput_in"]) + Fraction(topic["throughput_out"])


def find_positions(
    interpretations: Interpretations,
    algorithm: str,
    ends: tuple[int, int],
    topics: list[Json],
    trial: Json,
) -> list[int]:
    """The positions of one of the four algorithms."""
    lower, upper = ends
    if algorithm == "range_equally_divide":
        return middle_of(interpretations, lower, upper)
    if algorithm == "topic_count_equally_divide":
        found = topic_halves(interpretations, topics)
    elif algorithm == "flow_or_qps_equally_divide":
        found = flow_parts(interpretations, topics, trial["limits"])
    elif algorithm != "specified_positions_divide":
        raise Refusal("UnknownAlgorithm", algorithm)
    else:
        if not trial["positions"]:
            raise Refusal("NoPositionsGiven")
        strict = interpretations.refuses_positions_outside
        return legal_positions(interpretations, lower, upper, trial["positions"], strict)
    return [position for position in found if lower < position < upper]


def positions(interpretations: Interpretations, trial: Json) -> Json:
    """The answer to splitting.positions."""
    ends = (int(trial["bundle"]["lower"]), int(trial["bundle"]["upper"]))
    found = find_positions(interpretations, trial["algorithm"], ends, trial["topics"], trial)
    return {"positions": found}


def select(interpretations: Interpretations, trial: Json) -> tuple[int, int]:
    """The bundle that an operator selects."""
    boundaries, selector = trial["boundaries"], trial["selector"]
    pairs = list(pairwise(boundaries))
    if selector == "LARGEST":
        return max(pairs, key=lambda ends: len(topics_of(trial, ends)))
    if selector == "HOT":
        warm = [heat for heat in trial["heat"] if bundle_of(heat) in pairs]
        if interpretations.hot_has_topics:
            warm = [heat for heat in warm if heat["topics"] > 1]
        if not warm:
            raise Refusal("NoHotBundle")
        return bundle_of(max(warm, key=lambda heat: float(heat["throughput"])))
    ends = parse_range(interpretations, selector)
    if ends not in pairs:
        raise Refusal("NoSuchBundle")
    return ends


def bundle_of(heat: Json) -> tuple[int, int]:
    """The ends of a bundle's range."""
    return int(heat["bundle"]["lower"]), int(heat["bundle"]["upper"])


def topics_of(trial: Json, ends: tuple[int, int]) -> list[Json]:
    """The topics that lie in a bundle."""
    last = ends[1] + 1 if ends[1] == LAST_HASH else ends[1]
    return [t for t in trial["topics"] if ends[0] <= topic_hash(t["topic"]) < last]


def manual(interpretations: Interpretations, trial: Json) -> Json:
    """The answer to splitting.manual."""
    algorithm = trial["algorithm"] or trial["defaultNamespaceBundleSplitAlgorithm"]
    if algorithm not in trial["supportedNamespaceBundleSplitAlgorithms"]:
        raise Refusal("UnknownAlgorithm", algorithm)
    ends = select(interpretations, trial)
    found = find_positions(interpretations, algorithm, ends, topics_of(trial, ends), trial)
    if not found:
        if interpretations.refuses_empty_splits:
            raise Refusal("NothingToCut")
        return {"boundaries": trial["boundaries"], "split": None, "unloaded": []}
    children = spans([ends[0], *found, ends[1]])
    return {
        "boundaries": cut(trial["boundaries"], found),
        "split": spans(list(ends))[0],
        "unloaded": children if trial["unload"] else [],
    }


def unloading(interpretations: Interpretations, trial: Json) -> Json:
    """The answer to splitting.unloading."""
    enabled = bool(trial["config"]["loadBalancerAutoUnloadSplitBundlesEnabled"])
    alone = len(set(trial["brokers"])) < 2 and interpretations.keeps_children_if_alone
    return {"unloads": [enabled and not alone for _ in trial["splits"]]}
