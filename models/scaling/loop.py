"""Graphs: whether a topic comes to rest under a load that stays (SCA-37, SCA-39 to SCA-43).

A move is one split or one merge that is due by the reference. Time is left out: cool-downs and
windows are over at any time, so a merge may come before a split that is due. Nor does it matter
what is chosen: any segment that is to be split may be, and any pair that may be merged. So where no
path is without an end, a topic comes to rest at any pace, whichever of several is chosen.

The load is messages in, a number for each zone of hashes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise, product
from typing import Any, Final, NamedTuple, TypeAlias

from evenkeel.properties.scaling.loop import LoopTrial
from evenkeel.reference.edition import DOCUMENTED, Edition
from evenkeel.reference.scaling.deciding import (
    Pair,
    Report,
    Snapshot,
    decide,
    mergeable,
    overload,
    required_segments,
    to_merge,
    to_split,
)
from evenkeel.reference.scaling.layout import HASHES, Layout, Segment, initial, merge, split
from evenkeel.reference.scaling.loop import Load, Phase
from evenkeel.reference.scaling.settings import Rates, ReportRules, ScaleRules
from evenkeel_engine.proofs.graph import Broken, Graph, Move, Size

SPLIT: Final = 4.0
"""What a segment is split above."""
CLOSE, HALF, NEVER = 3.0, 2.0, 0.0
"""What both are below that are merged: less than half of it apart, half of it, or no rate is."""
LEVELS: Final = (0, 1, 3, 5)
QUARTERS: Final = tuple(range(0, HASHES, HASHES // 4))
HOT_KEY: Final = (0, 1, HASHES // 2)
UNCAPPED: Final = 1_000_000
MINUTES: Final = 60

Past: TypeAlias = tuple["Past", ...]
"""The merges behind a segment: what its parents have behind them; () if it came of none."""


class Part(NamedTuple):
    """A live segment; `merged`: it came of a merge, not of a split."""

    start: int
    end: int
    merged: bool = False
    past: Past = ()


class Topic(NamedTuple):
    """The load of each zone, consumers of one subscription, the segments by hash, and what was
    wrong with the last move.
    """

    levels: tuple[int, ...]
    consumers: int
    live: tuple[Part, ...]
    wrong: str = ""


@dataclass(frozen=True, slots=True)
class Scope:
    """What is the same in all states: where zones begin, the settings, and who decides."""

    zones: tuple[int, ...]
    rules: ScaleRules
    edition: Edition = DOCUMENTED

    def rate(self, topic: Topic, start: int, end: int) -> float:
        """What these hashes have of the load."""
        rate = 0.0
        for (first, after), level in zip(
            pairwise((*self.zones, HASHES)), topic.levels, strict=True
        ):
            common = min(after, end + 1) - max(first, start)
            rate += level * max(common, 0) / (after - first)
        return rate


def rules(merge_below: float, most: int = 4, deepest: int = UNCAPPED) -> ScaleRules:
    """Thresholds of messages in, which alone count here, and no cap on merges."""
    return ScaleRules(
        split_msg_in=SPLIT, merge_msg_in=merge_below, max_segments=most, max_depth=deepest
    )


# ---------------------------------------------------------------------- the reference's layout


def ancestors(past: Past, child: int, numbers: Iterator[int]) -> Iterator[tuple[int, Segment]]:
    """The segments that were merged, with what is behind each."""
    own = [next(numbers) for _ in past]
    for number, older in zip(own, past, strict=True):
        found = dict(ancestors(older, number, numbers))
        parents = tuple(one for one, segment in found.items() if number in segment.children)
        yield number, Segment(number, 0, 0, True, parents, (child,))
        yield from found.items()


def layout_of(topic: Topic) -> Layout:
    """The layout with these segments live, numbered in their order, and their merged ancestors."""
    segments: dict[int, Segment] = {}
    numbers = iter(range(len(topic.live), UNCAPPED))
    for number, part in enumerate(topic.live):
        found = dict(ancestors(part.past, number, numbers))
        parents = tuple(one for one, segment in found.items() if number in segment.children)
        segments |= {number: Segment(number, part.start, part.end, parents=parents), **found}
    return Layout(segments, next(numbers))


def snapshot_of(scope: Scope, topic: Topic) -> Snapshot:
    """All is written and true, and has been so for the window."""
    reports = {
        number: Report(Rates(msg_rate_in=scope.rate(topic, part.start, part.end)), 0)
        for number, part in enumerate(topic.live)
    }
    return Snapshot(layout_of(topic), reports, (topic.consumers,), scope.rules.merge_window * 1000)


# ------------------------------------------------------------------------------------- moves


def moves(scope: Scope, topic: Topic) -> Iterator[Move[Topic]]:
    """Every split and every merge that is due."""
    snapshot = snapshot_of(scope, topic)
    for one in splits(scope, snapshot):
        yield f"split {place(one)}", after_split(snapshot, topic, one)
    if to_merge(snapshot, scope.rules, scope.edition) is not None:
        for pair in mergeable(snapshot, scope.rules, scope.edition):
            yield (
                f"merge {place(pair[0])} and {place(pair[1])}",
                after_merge(scope, snapshot, topic, pair),
            )


def place(one: Segment) -> str:
    """A segment in words."""
    return f"[{one.start:#06x}, {one.end:#06x}]"


def splits(scope: Scope, snapshot: Snapshot) -> Iterator[Segment]:
    """The segments that may be split, if the reference's choice can be."""
    chosen = to_split(snapshot, scope.rules, scope.edition)
    if chosen is None or chosen.size == 1:
        return
    live = snapshot.layout.live
    for one in live:
        too_much = overload(snapshot.rates(one), scope.rules) > 1.0
        if one.size > 1 and (too_much or required_segments(snapshot) > len(live)):
            yield one


def after_split(snapshot: Snapshot, topic: Topic, one: Segment) -> Topic:
    """Two halves in its place; a segment that came of a merge must not be split."""
    part = topic.live[one.number]
    layout = split(snapshot.layout, one.number)
    halves = [found for found in layout.live if one.number in found.parents]
    parts = (Part(half.start, half.end, False, part.past) for half in halves)
    live = (*topic.live[: one.number], *parts, *topic.live[one.number + 1 :])
    wrong = f"{place(one)} came of a merge and is split" if part.merged else ""
    return topic._replace(live=live, wrong=wrong)


def after_merge(scope: Scope, snapshot: Snapshot, topic: Topic, pair: Pair) -> Topic:
    """One segment in their place; enough must be left for the consumers."""
    low, high = (topic.live[one.number] for one in pair)
    found = merge(snapshot.layout, pair[0].number, pair[1].number).live[pair[0].number]
    past = (low.past, high.past) if scope.rules.max_depth < UNCAPPED else ()
    first = pair[0].number
    merged = Part(found.start, found.end, True, past)
    live = (*topic.live[:first], merged, *topic.live[first + 2 :])
    few = len(live) < topic.consumers
    wrong = f"a merge leaves {len(live)} segments for {topic.consumers} consumers" if few else ""
    return topic._replace(live=live, wrong=wrong)


# -------------------------------------------------------------------------- what must hold


def wrong(scope: Scope, topic: Topic) -> str | None:
    """Within the limits, and no move was undone or will be."""
    least, most = scope.rules.min_segments, scope.rules.max_segments
    if not least <= len(topic.live) <= most:
        return f"{len(topic.live)} segments, of {least} to {most}"
    return topic.wrong or None


def wrong_end(scope: Scope, topic: Topic) -> str | None:
    """At rest nothing is left to be split, and no pair that could be merged for good."""
    count, settings = len(topic.live), scope.rules
    rates = [scope.rate(topic, part.start, part.end) for part in topic.live]
    hot = [
        part
        for part, rate in zip(topic.live, rates, strict=True)
        if rate > settings.split_msg_in and part.start < part.end
    ]
    if count < settings.max_segments and (hot or topic.consumers > count):
        return f"{count} segments for {topic.consumers} consumers, and above the threshold {hot}"
    for (one, rate), (two, other) in pairwise(zip(topic.live, rates, strict=True)):
        cold = max(rate, other) < settings.merge_msg_in and rate + other <= settings.split_msg_in
        below = max(height(one.past), height(two.past)) < settings.max_depth
        if cold and below and count > max(settings.min_segments, topic.consumers):
            return f"{one} and {two} are left of {count} segments"
    return None


def height(past: Past) -> int:
    """The merges on the longest line."""
    return 1 + max(map(height, past)) if past else 0


# ------------------------------------------------------------------------------------ graphs


def starts(
    scope: Scope, counts: tuple[int, ...], consumers: tuple[int, ...] = (0,)
) -> Iterator[Topic]:
    """New topics with every load, of these numbers of segments; idle, if there is one zone."""
    for loads in product(LEVELS if len(scope.zones) > 1 else (0,), repeat=len(scope.zones)):
        for count, required in product(counts, consumers):
            live = tuple(Part(one.start, one.end) for one in initial(count).live)
            yield Topic(loads, required, live)


def graph_of(
    name: str,
    scope: Scope,
    first: Callable[[], Iterable[Topic]],
    broken: Broken[Topic],
    clauses: tuple[str, ...],
    texts: tuple[str, str],
    size: Size,
) -> Graph[Topic]:
    """A scope as a graph; `texts` are its statement and its bound."""
    return Graph(
        name=name,
        chapter="scaling",
        clauses=("SCA-37", *clauses),
        statement=texts[0],
        bound=texts[1],
        initial=first,
        moves=partial(moves, scope),
        wrong=partial(wrong, scope),
        final=partial(wrong_end, scope),
        broken=broken,
        size=size,
    )


def with_switch(scope: Scope, switch: str, sentence: str) -> Broken[Topic]:
    """The scope with a switch of 5.0."""
    on: Any = {switch: True}
    edition = replace(scope.edition, **on)
    return Broken(switch, sentence, partial(moves, replace(scope, edition=edition)))


FOUR: Final = "at most 4 segments"
LOADED: Final = Scope(QUARTERS, rules(CLOSE))
TWICE: Final = Scope(QUARTERS, rules(HALF), replace(DOCUMENTED, merges_ignore_sums=True))
SHARED: Final = Scope(QUARTERS[::2], rules(CLOSE))
IDLE: Final = Scope((0,), rules(CLOSE, most=8, deepest=3))
HOT: Final = Scope(HOT_KEY, rules(NEVER, most=20))

GRAPHS: Final = (
    graph_of(
        "segments-rest",
        LOADED,
        partial(starts, LOADED, (1, 2, 4)),
        with_switch(LOADED, "merges_ignore_sums", "Merges do not look at sums."),
        ("SCA-39", "SCA-41", "SCA-42", "SCA-43"),
        (
            "A topic comes to rest, and with as many segments as it needs, however close the two "
            "thresholds are.",
            f"{FOUR}, four loads in each quarter of the hashes",
        ),
        Size(2000, 1840),
    ),
    graph_of(
        "segments-rest-at-half",
        TWICE,
        partial(starts, TWICE, (1, 2, 4)),
        Broken(
            "closer-thresholds",
            "The threshold for splits is less than twice that for merges.",
            partial(moves, replace(TWICE, rules=rules(CLOSE))),
        ),
        ("SCA-39", "SCA-41", "SCA-42", "SCA-43"),
        (
            "So it does where merges do not look at sums, as in 5.0, if the threshold for splits "
            "is twice that for merges.",
            f"{FOUR}, four loads in each quarter of the hashes",
        ),
        Size(1665, 1376),
    ),
    graph_of(
        "consumers-rest",
        SHARED,
        partial(starts, SHARED, (1, 2, 3, 4), (0, 1, 2, 3, 5)),
        with_switch(SHARED, "merges_ignore_consumers", "Merges do not look at consumers."),
        ("SCA-40", "SCA-41", "SCA-42", "SCA-43"),
        (
            "So it does with any number of consumers, and no merge takes a segment that they need.",
            f"{FOUR}, up to 5 consumers, four loads in each half of the hashes",
        ),
        Size(842, 761),
    ),
    graph_of(
        "idle-comes-down",
        IDLE,
        partial(starts, IDLE, tuple(range(1, 8)), (0, 2)),
        with_switch(IDLE, "all_merges_counted", "The cap counts all merges among the ancestors."),
        ("SCA-11", "SCA-41", "SCA-43"),
        (
            "An idle topic comes down as far as the cap on the longest line of merges lets it.",
            "up to 7 segments, a cap of 3 merges",
        ),
        Size(626, 953),
    ),
    graph_of(
        "hot-key-does-not-block",
        HOT,
        partial(starts, HOT, (1,)),
        with_switch(HOT, "single_hashes_chosen", "A segment of one hash is chosen, and not split."),
        ("SCA-32", "SCA-42"),
        (
            "A key that is too hot for its segment of one hash keeps no other from being split.",
            "one hot hash, four loads in each half of the others, at most 20 segments",
        ),
        Size(462, 465),
    ),
)


# ------------------------------------------------------------------------------------ cycles


def decide_move(scope: Scope, topic: Topic) -> Move[Topic] | None:
    """What the reference itself decides, if anything."""
    snapshot = snapshot_of(scope, topic)
    decision = decide(snapshot, scope.rules, scope.edition)
    live = snapshot.layout.live
    if decision.split is not None:
        one = live[decision.split]
        return f"split {place(one)}", after_split(snapshot, topic, one)
    if decision.merge:
        low, high = (live[number] for number in decision.merge)
        return f"merge {place(low)} and {place(high)}", after_merge(
            scope, snapshot, topic, (low, high)
        )
    return None


def endless(scope: Scope, topic: Topic) -> tuple[str, ...]:
    """The moves that the reference takes again and again from this topic on; none: it rests."""
    seen: dict[Topic, int] = {}
    labels: list[str] = []
    while topic not in seen:
        seen[topic] = len(seen)
        if (move := decide_move(scope, topic)) is None:
            return ()
        labels.append(move[0])
        topic = move[1]._replace(wrong="")
    return tuple(labels[seen[topic] :])


def trial_of(scope: Scope, topic: Topic) -> LoopTrial:
    """The same topic for an hour, minute by minute."""
    zones = zip(pairwise((*scope.zones, HASHES)), topic.levels, strict=True)
    loads = tuple(
        Load(first, after - 1, level * HASHES / (after - first)) for (first, after), level in zones
    )
    phase = Phase(MINUTES, loads, (topic.consumers,))
    return LoopTrial(scope.rules, ReportRules(), len(topic.live), (phase,), 0, 0, 10_000, ())
