"""Topics and bundles on the hash circle, and where each algorithm would cut a bundle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from evenkeel.reference.bundles.boundaries import bundles_of, check_boundaries, initial_boundaries
from evenkeel.reference.bundles.ranges import HashRange
from evenkeel.reference.bundles.topics import parse_topic_name, topic_hash
from evenkeel.reference.edition import BASE_EDITIONS, EDITIONS, Edition
from evenkeel.reference.splitting import algorithms
from evenkeel.reference.splitting.algorithms import Flow
from evenkeel.reference.splitting.settings import FlowLimits
from evenkeel_engine.frame.errors import Breakage, Refusal

MOST: Final = 1_024
"""Bundles, and topics, that a page draws."""


def answer(request: Any) -> Any:
    """`topics`: names with a load each; `bundles`: how many; `cuts`: further boundaries;
    `limits`: of one bundle. The answer has hashes, bundles, and every algorithm's positions for
    the bundle with most topics, or for `bundle`, by edition.
    """
    boundaries = boundaries_of(request["bundles"], request.get("cuts", []))
    topics = [topic_of(name, load) for name, load in request["topics"]]
    bundles = bundles_of(boundaries)
    held = [[topic for topic in topics if topic["hash"] in bundle] for bundle in bundles]
    chosen = request.get("bundle")
    if chosen is None or not 0 <= chosen < len(bundles):
        chosen = max(range(len(bundles)), key=lambda place: len(held[place]))
    return {
        "boundaries": list(boundaries),
        "topics": topics,
        "chosen": chosen,
        "bundles": [
            {"name": bundle.name, "topics": len(own), "load": sum(t["load"] for t in own)}
            for bundle, own in zip(bundles, held, strict=True)
        ],
        "cuts": {
            name: positions(bundles[chosen], held[chosen], request["limits"], edition)
            for name, edition in BASE_EDITIONS.items()
        },
    }


def boundaries_of(count: int, cuts: list[int]) -> tuple[int, ...]:
    """The boundaries of a number of equal bundles, and these. Raises ValueError."""
    if not 1 <= count <= MOST:
        raise ValueError(f"The bundles must be from 1 to {MOST}.")
    boundaries = tuple(sorted({*initial_boundaries(count), *cuts}))
    try:
        check_boundaries(boundaries, EDITIONS["DOCUMENTED"])
    except Refusal as refusal:
        raise ValueError(str(refusal)) from refusal
    return boundaries


def topic_of(text: str, load: float) -> Any:
    """A topic by its complete name, and its hash. Raises ValueError."""
    try:
        name = parse_topic_name(text, EDITIONS["DOCUMENTED"]).name
    except Refusal as refusal:
        raise ValueError(str(refusal)) from refusal
    return {"name": name, "hash": topic_hash(name), "load": load}


def positions(bundle: HashRange, topics: list[Any], limits: Any, edition: Edition) -> Any:
    """Where each algorithm cuts; the sentence, where it refuses or breaks."""
    hashes = [topic["hash"] for topic in topics]
    flows = [Flow(topic["hash"], topic["load"], topic["load"] * 1024.0) for topic in topics]
    bound = FlowLimits(limits["messages"], limits["megabytes"], limits["difference"])
    cuts: dict[str, Callable[[], Sequence[int]]] = {
        "range_equally_divide": lambda: algorithms.range_positions(bundle, edition),
        "topic_count_equally_divide": lambda: algorithms.topic_count_positions(hashes, edition),
        "flow_or_qps_equally_divide": lambda: flow(flows, bound, edition),
    }
    return {name: cut_or_why(cut) for name, cut in cuts.items()}


def cut_or_why(cut: Callable[[], Sequence[int]]) -> list[int] | str:
    """The positions, or why there are none."""
    try:
        return list(cut())
    except (Refusal, Breakage) as error:
        return str(error)


def flow(flows: list[Flow], limits: FlowLimits, edition: Edition) -> tuple[int, ...]:
    """By traffic, of which all topics have some."""
    return algorithms.flow_positions(flows, len(flows), limits, edition)
