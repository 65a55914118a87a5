"""Trials of the chapter *bundles*: ordinary ones, and many at the edges of the hash space."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from evenkeel.properties.bundles.crafted import VARIANTS, topic_with_hash
from evenkeel.properties.bundles.trials import (
    BoundariesTrial,
    CreationTrial,
    HashLookupTrial,
    MembershipTrial,
    RangeTrial,
    TopicLookupTrial,
    TopicTrial,
)
from evenkeel.properties.draw import Draw
from evenkeel.reference.bundles.boundaries import bundle_at, initial_boundaries
from evenkeel.reference.bundles.ranges import TOP_HASH, HashRange, range_name

NAMESPACES: Final = ("public/default", "pulsar/ns1", "pulsar/ns", "t/n", "tenant-1/a.b=c:d_e")
EDGES: Final = (0, TOP_HASH, 1, TOP_HASH - 1, 2, TOP_HASH - 2, 0x7FFFFFFF, 0x80000000, 0x40000000)


def draw_hash(draw: Draw, near: Sequence[int] = ()) -> int:
    """Any hash; often an edge of the hash space, often one of `near` or close to it."""
    sort = draw.integer(0, 3)
    if sort == 0:
        return draw.pick(EDGES)
    if sort == 1 and near:
        return min(max(draw.pick(near) + draw.pick((0, -1, 1, -2, 2)), 0), TOP_HASH)
    return draw.integer(0, TOP_HASH)


def draw_boundaries(draw: Draw, most: int = 7) -> tuple[int, ...]:
    """Legal boundaries of up to `most` + 1 bundles: equal ones, or cuts anywhere, often close."""
    if draw.chance(0.3):
        return initial_boundaries(draw.integer(1, most + 1))
    boundaries = {0, TOP_HASH}
    for _ in draw.items(most):
        boundaries.add(draw_hash(draw, sorted(boundaries)))
    return tuple(sorted(boundaries))


def pick_bundle(draw: Draw, boundaries: Sequence[int]) -> HashRange:
    """One of the bundles between legal boundaries."""
    return bundle_at(boundaries, draw.integer(0, len(boundaries) - 2))


# --------------------------------------------------------------------------- bundles.topic

_DOMAINS: Final = ("persistent", "non-persistent", "PERSISTENT", "Non-Persistent", "http", "")
_PIECES: Final = (
    "x",
    "public",
    "t",
    "a-b",
    "a.b",
    "a=b",
    "a:b",
    "a_b",
    "",
    "a b",
    "ü",
    "a/b",
    "%2F",
)
_LOCAL_ENDS: Final = (
    "",
    "-partition-0",
    "-partition-7",
    "-partition-2147483647",
    "-partition-2147483648",
    "-partition-01",
    "-partition--1",
    "-partition-+1",
    "-partition-",
    "-partition-0-partition-3",
    "-partition-3x",
    "-partition-\u0663",
    "-partition-1\u0660",
    "-partition-\U0001d7d9",
)
_LOCALS: Final = (
    "x",
    "my-topic",
    "a/b",
    " ",
    "",
    "\t",
    "\u00a0",
    "ünï",
    "日本",
    "😀",
    "a b",
    "://",
)


def draw_text(draw: Draw, items: Sequence[str]) -> str:
    """One of the texts, or a few letters."""
    if draw.chance(0.5):
        return draw.pick(items)
    return "".join(draw.pick("abcxyz019") for _ in draw.items(8, least=1))


def topic_trial(draw: Draw) -> TopicTrial:
    """Short, complete, legacy and malformed names; every sort of partition ending."""
    sort = draw.integer(0, 4)
    local = draw_text(draw, _LOCALS) + (draw.pick(_LOCAL_ENDS) if draw.chance(0.5) else "")
    if sort == 0:
        return TopicTrial(local)
    if sort == 1:
        return TopicTrial(topic_with_hash(draw_hash(draw), variant=draw.integer(0, VARIANTS - 1)))
    pieces = [draw_text(draw, _PIECES), draw_text(draw, _PIECES), local]
    if sort == 2:
        text = "/".join(pieces[draw.integer(0, 1) :])
        return TopicTrial("/" + text if draw.chance(0.2) else text)
    if draw.chance(0.15):
        pieces.insert(1, draw_text(draw, _PIECES))
    if draw.chance(0.1):
        pieces.pop()
    return TopicTrial(f"{draw.pick(_DOMAINS)}://{'/'.join(pieces)}")


# --------------------------------------------------------------------------- bundles.range

_INTEGERS: Final = ("", "ffffffff", "010", "08", "#ff", "-1", "+1", "0X1F", "0x", "x", " 1", "1L")


def draw_integer_text(draw: Draw) -> str:
    """An end of a range as somebody might write it."""
    sort = draw.integer(0, 5)
    if sort <= 2:
        return f"0x{draw_hash(draw):08x}"
    if sort == 3:
        return draw.pick(_INTEGERS)
    value = (
        draw.pick((2**32, 2**32 + 1, 2**36, -1, 2**63 - 1, 2**63, -(2**63)))
        if (draw.chance(0.3))
        else draw_hash(draw)
    )
    return draw.pick((str(value), f"{value:#x}", f"0{abs(value):o}", f"0x{abs(value):08X}"))


def range_trial(draw: Draw) -> RangeTrial:
    """Canonical names, other spellings, and texts that name no range."""
    if draw.chance(0.4):
        ends = sorted((draw_hash(draw), draw_hash(draw)))
        return RangeTrial(range_name(*ends))
    text = "_".join(draw_integer_text(draw) for _ in draw.items(3, 0.9))
    return RangeTrial(text + "_" if draw.chance(0.1) else text)


# ---------------------------------------------------------------------- bundles.boundaries


def boundaries_trial(draw: Draw) -> BoundariesTrial:
    """Legal lists, and lists with one thing wrong."""
    boundaries = list(draw_boundaries(draw))
    fault = draw.integer(0, 8)
    index = draw.integer(0, len(boundaries) - 1)
    if fault == 1:
        del boundaries[index]
    elif fault == 2:
        boundaries.insert(index, boundaries[index])
    elif fault == 3:
        boundaries[0] = draw.pick((1, -1, 2, draw_hash(draw)))
    elif fault == 4:
        boundaries[-1] = draw.pick((TOP_HASH - 1, TOP_HASH + 1, draw_hash(draw)))
    elif fault == 5:
        boundaries.reverse()
    elif fault == 6:
        boundaries = boundaries[: draw.integer(0, 1)]
    elif fault == 7:
        boundaries[index] = draw.pick((draw_hash(draw), 2**32, 2**32 + 5, -5))
    return BoundariesTrial(tuple(boundaries))


# ------------------------------------------------------------------------ bundles.creation

_COUNTS: Final = (1, 2, 3, 4, 9, 64, 0, -1, 5, 7, 16, 100, 128, 1000, 65536)


def creation_trial(draw: Draw) -> CreationTrial:
    """By count, by default, and by explicit boundaries with and without faults."""
    large = draw.chance(0.02)
    count = draw.pick(_COUNTS) if large or draw.chance(0.3) else draw.integer(-1, 40)
    default = draw.pick((4, 1, 2, 16))
    if draw.chance(0.5):
        return CreationTrial(count, None, default)
    values = list(draw_boundaries(draw))
    for _ in draw.items(2, 0.3):
        values.insert(
            draw.integer(0, len(values)),
            draw.pick((draw.pick(values), 2**32, 2**33 + 1, -1, draw_hash(draw))),
        )
    if draw.chance(0.15):
        del values[draw.pick((0, len(values) - 1))]
    texts = [draw.pick((f"{value:#010x}", str(value), f"{value:#X}")) for value in values]
    texts = [text.replace("0X", "0x") for text in texts]
    if draw.chance(0.05):
        texts.append(draw.pick(_INTEGERS))
    return CreationTrial(count, tuple(texts), default)


# -------------------------------------------------------------------------------- lookups


def hash_lookup_trial(draw: Draw) -> HashLookupTrial:
    """Hashes anywhere, on boundaries and beside them."""
    boundaries = draw_boundaries(draw)
    return HashLookupTrial(boundaries, draw_hash(draw, boundaries))


def topic_lookup_trial(draw: Draw) -> TopicLookupTrial:
    """Topics with constructed hashes; sometimes of another namespace, sometimes a partition."""
    namespace = draw.pick(NAMESPACES)
    boundaries = draw_boundaries(draw)
    owner = draw.pick(NAMESPACES) if draw.chance(0.15) else namespace
    topic = topic_with_hash(draw_hash(draw, boundaries), owner, draw.integer(0, VARIANTS - 1))
    if draw.chance(0.2):
        topic = "non-" + topic
    if draw.chance(0.2):
        topic += f"-partition-{draw.integer(0, 9)}"
    return TopicLookupTrial(namespace, boundaries, topic)


def membership_trial(draw: Draw) -> MembershipTrial:
    """Bundles, spans of several bundles, and ranges that share one end or none."""
    boundaries = draw_boundaries(draw)
    index = draw.integer(0, len(boundaries) - 2)
    lower, upper = boundaries[index], boundaries[index + 1]
    fault = draw.integer(0, 4)
    if fault == 1:
        upper = draw.pick(boundaries[1:])
    elif fault == 2:
        lower = draw_hash(draw, boundaries)
    elif fault == 3:
        lower, upper = draw_hash(draw, boundaries), draw_hash(draw, boundaries)
    elif fault == 4:
        lower = upper = TOP_HASH
    lower, upper = sorted((lower, upper))
    if lower == upper != TOP_HASH:
        upper += 1
    return MembershipTrial(boundaries, lower, upper)
