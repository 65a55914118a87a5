"""Which segment and entry bucket a client gives a message (SCA-75 to SCA-79)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from evenkeel.properties.scaling.trial_parts import HASHES
from evenkeel.reference.edition import Edition
from evenkeel.reference.scaling.routing import KnownSegment, Route, route_messages
from evenkeel_engine.kit.clause import Case, in_full
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.exempt import Exempt
from evenkeel_engine.kit.judge import monitor
from evenkeel_engine.kit.observations import Broke, Refused
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import MonitorRun, fill
from evenkeel_engine.kit.trial import LONG, require, require_different, require_name


@dataclass(frozen=True, slots=True)
class RoutingTrial:
    """`scaling.routing`: a client has this layout, and sends messages with these keys in order.

    Null is a message without a key; an empty text is a key. If all live segments are legacy, they
    are partitions 0 and up of a classic topic, in the order of their ranges; nothing is sealed.

    Let h be the 32-bit Murmur3 hash, with seed 0, of a key's UTF-8 bytes. The live segment whose
    range contains `h >> 16` is the key's (SCA-75), and its bucket the one that contains
    `h & 0xffff` (SCA-79). If all N live segments are legacy, it is partition
    `(h & 0x7fffffff) % N` (SCA-77).
    """

    segments: tuple[KnownSegment, ...]
    keys: tuple[str | None, ...]

    def __post_init__(self) -> None:
        require_different("segments", [one.number for one in self.segments])
        for one in self.segments:
            require_segment(one)
        live = live_of(self.segments)
        ends = [-1, *(one.end for one in live)]
        tiled = [one.start for one in live] == [end + 1 for end in ends[:-1]]
        require(tiled and ends[-1] == HASHES - 1, "segments", "live ones must have each hash once")
        if is_legacy(live):
            numbers = [one.number for one in self.segments]
            require(len(live) == len(numbers), "segments", "no sealed one where all are legacy")
            right = [one.number for one in live] == list(range(len(live)))
            require(right, "segments", "legacy ones must be numbered by their ranges, from 0")
        for key in filter(None, self.keys):
            require_name("keys", key)


@dataclass(frozen=True, slots=True)
class RoutingAnswer:
    """Where each message goes. Of a message without a key the segment alone counts."""

    routes: tuple[Route, ...]


def require_segment(one: KnownSegment) -> None:
    """A segment that a client can be informed of."""
    require(0 <= one.number < LONG, "segments", "a number must be 0 to 2^63 - 1")
    require(0 <= one.start <= one.end < HASHES, "segments", "a range must be within 0 to 65535")
    require_splits(one.splits)
    require(not (one.legacy and one.splits), "splits", "a legacy segment has none")


def require_splits(splits: Sequence[int]) -> None:
    """Where the buckets of a segment can begin, but the first."""
    ascending = list(splits) == sorted({*splits})
    within = all(0 < first < HASHES for first in splits)
    require(ascending and within, "splits", "must ascend within 1 to 65535")


def live_of(segments: Sequence[KnownSegment]) -> list[KnownSegment]:
    """Those that take messages, by their ranges."""
    return sorted((one for one in segments if not one.sealed), key=lambda one: one.start)


def is_legacy(live: Sequence[KnownSegment]) -> bool:
    """Whether all are partitions of a classic topic."""
    return all(one.legacy for one in live)


# -------------------------------------------------------------------------- trials

LETTERS: Final = "a1-Zß€鍵😀"


def routing_trial(draw: Draw) -> RoutingTrial:
    """Any layout, whose segments and buckets often begin or end at the hash of a key."""
    keys = tuple(draw_key(draw) for _ in draw.items(12, 0.85, 1))
    hashes = [hash_of(key) for key in keys if key is not None]
    cuts = draw_cuts(draw, [one >> 16 for one in hashes])
    ranges = list(zip([0, *cuts], [*(cut - 1 for cut in cuts), HASHES - 1], strict=True))
    if draw.chance(0.15):
        partitions = (KnownSegment(at, *one, legacy=True) for at, one in enumerate(ranges))
        return RoutingTrial(tuple(partitions), keys)
    lows, first = [one % HASHES for one in hashes], draw.integer(0, 3)
    segments = list[KnownSegment]()
    for at, (start, end) in enumerate(ranges):
        legacy = at > 0 and draw.chance(0.1)
        splits = () if legacy else draw_cuts(draw, lows)
        segments.append(KnownSegment(first + len(ranges) - at, start, end, False, legacy, splits))
    for at in draw.items(2, 0.4):
        start, number = draw.pick((0, draw.integer(0, HASHES - 1))), first + len(ranges) + 1 + at
        sealed = KnownSegment(number, start, draw.integer(start, HASHES - 1), True)
        segments.insert(draw.integer(0, len(segments)), sealed)
    return RoutingTrial(tuple(segments), keys)


def draw_key(draw: Draw) -> str | None:
    """A key, of any length modulo 4, seldom none; also beyond ASCII, and not in a usual form."""
    if draw.chance(0.2):
        return None
    if draw.chance(0.1):
        return draw.pick((" a", "a ", "a\0b", "e\u0301", "\u00e9", "A"))
    if draw.chance(0.5):
        return "".join(draw.pick(LETTERS) for _ in draw.items(9, 0.7))
    return f"order-{draw.integer(0, 99_999)}"


def draw_cuts(draw: Draw, hashes: Sequence[int]) -> tuple[int, ...]:
    """Where ranges begin but the first: at a hash, after it, or anywhere."""
    cuts = set[int]()
    for _ in draw.items(4, 0.6):
        near = draw.pick((HASHES // 2, *hashes)) + draw.integer(0, 1)
        cuts.add(draw.pick((near, draw.integer(1, HASHES - 1))))
    return tuple(sorted(cut for cut in cuts if 0 < cut < HASHES))


def routing_labels(trial: RoutingTrial) -> Iterator[str]:
    """What there is to choose from."""
    live = live_of(trial.segments)
    others = "some legacy" if any(one.legacy for one in live) else "ranges"
    yield "legacy" if is_legacy(live) else others
    if any(one.sealed for one in trial.segments):
        yield "sealed"
    if any(one.splits for one in live):
        yield "buckets"
    if None in trial.keys:
        yield "without a key"


# -------------------------------------------------------------- the reference's answer


def answer_routing(trial: RoutingTrial, edition: Edition) -> RoutingAnswer:
    """The reference's answer."""
    return RoutingAnswer(tuple(route_messages(trial.keys, live_of(trial.segments), edition)))


# -------------------------------------------------------------------------- the judge


def hash_of(key: str) -> int:
    """The Murmur3 hash of a key's UTF-8 bytes, 32 bits, seed 0; as it was published."""
    data, hash_ = key.encode(), 0
    for at in range(0, len(data), 4):
        part = data[at : at + 4]
        word = sum(byte << 8 * place for place, byte in enumerate(part)) * 0xCC9E2D51 % 2**32
        hash_ ^= (word * 2**15 | word >> 17) % 2**32 * 0x1B873593 % 2**32
        if len(part) == 4:
            hash_ = ((hash_ * 2**13 | hash_ >> 19) % 2**32 * 5 + 0xE6546B64) % 2**32
    hash_ ^= len(data)
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35)):
        hash_ = (hash_ ^ hash_ >> shift) * factor % 2**32
    return hash_ ^ hash_ >> 16


@monitor("scaling.routing", "SCA-75", "SCA-76", "SCA-77", "SCA-78", "SCA-79")
def judge_routing(run: MonitorRun, case: Case[RoutingTrial, RoutingAnswer]) -> None:
    trial, observed = case.trial, case.observation
    if isinstance(observed, Refused | Broke) or len(observed.routes) != len(trial.keys):
        run.require("SCA-76", False, fill("the client {}", in_full(observed)), "shape")
        return
    live, turns = live_of(trial.segments), list[int]()
    for key, route in zip(trial.keys, observed.routes, strict=True):
        if key is None:
            turns.append(route.segment)
            require_turn(run, turns, live)
        elif is_legacy(live):
            right = hash_of(key) % 2**31 % len(live)
            sentence = "{} goes to partition {} of {}, not to {}"
            wrong = fill(sentence, key, right, len(live), route.segment)
            run.require("SCA-77", route.segment == right, wrong)
        else:
            require_route(run, key, route, live, case.edition)


def require_turn(run: MonitorRun, turns: Sequence[int], live: Sequence[KnownSegment]) -> None:
    """What the last message without a key may get: what those just before it did not."""
    last, others = turns[-1], turns[-len(live) : -1]
    known = last in {one.number for one in live}
    wrong = fill("segment {} without a key, after {} of {} segments", last, others, len(live))
    run.require("SCA-78", known and last not in others, wrong)


def require_route(
    run: MonitorRun, key: str, route: Route, live: Sequence[KnownSegment], edition: Edition
) -> None:
    """What a message with this key gets, by the first clause that it breaks."""
    high, low = divmod(hash_of(key), HASHES)
    right = low if edition.segments_by_low_half else high
    run.require(
        "SCA-75", route.hash == right, fill("{} has hash {}, not {}", key, right, route.hash)
    )
    if route.hash != right:
        return
    [segment] = [one for one in live if one.start <= right <= one.end]
    sentence = "{} with hash {} goes to segment {}, not to {}"
    wrong = fill(sentence, key, right, segment.number, route.segment)
    run.require("SCA-76", route.segment == segment.number, wrong)
    if route.segment == segment.number and not edition.segments_without_buckets:
        bucket = bucket_at(segment.splits, low)
        sentence = "{} with bucket hash {} is in bucket {}, not in {}"
        wrong = fill(sentence, key, low, bucket, route.bucket)
        run.require("SCA-79", route.bucket == bucket, wrong)


def bucket_at(splits: Sequence[int], low: int) -> int:
    """The last bucket that begins at this hash or before."""
    return max(place for place, first in enumerate((0, *splits)) if first <= low)


ROUTING: Final = Question(
    "scaling.routing",
    RoutingTrial,
    RoutingAnswer,
    routing_trial,
    answer_routing,
    routing_labels,
    commands="keys",
    exempt=Exempt(world=r"segments\[\]\.(start|end)"),
)

QUESTIONS: Final = (ROUTING,)
