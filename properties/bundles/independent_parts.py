"""How the independent generator draws fields of this chapter, alone and together."""

from __future__ import annotations

from typing import Any, Final

from evenkeel.properties.independent_parts import Production
from evenkeel.properties.production import LAST, LAST_HASHED, Cluster
from evenkeel_engine.kit.independent.fields import Fields
from evenkeel_engine.kit.independent.maker import Shaper
from evenkeel_engine.kit.independent.numbers import Whole

FIELDS: Final = Fields(wholes={"hash": Cluster.hash, "default_count": Whole(4, 1, 128)})


def boundaries(maker: Production) -> dict[str, Any]:
    """Legal boundaries of a namespace."""
    return {"boundaries": maker.world.boundaries}


def any_boundaries(maker: Production) -> dict[str, Any]:
    """Boundaries, sometimes with an error in them."""
    draw, ends = maker.draw, list(maker.world.boundaries)
    slip = draw.integer(0, 9)
    if slip == 1:
        ends.reverse()
    elif slip == 2:
        ends.append(draw.pick(ends))
    elif slip == 3:
        ends.pop(draw.integer(0, len(ends) - 1))
    elif slip == 4:
        ends.insert(draw.integer(0, len(ends)), draw.pick((-1, LAST + 1, 2**31, 2**63)))
    elif slip == 5:
        ends = ends[: draw.integer(0, 1)]
    return {"boundaries": tuple(ends)}


def creation(maker: Production) -> dict[str, Any]:
    """A namespace with explicit boundaries, or without."""
    draw = maker.draw
    forms = ("0x{:08x}", "0x{:x}", "{}", "0X{:08X}", "{:#o}", " {}")
    ends = tuple(draw.pick(forms).format(end) for end in maker.world.boundaries)
    odd = ("", "0x", "0xfffffffff", "-1", "zz", "\u0661")
    if draw.chance(0.2):
        ends = (*ends, draw.pick(odd))
    counts = (0, 1, 4, 64, 1024, -1, 3, 2**31 - 1)
    return {
        "boundaries": ends if draw.chance(0.6) else None,
        "count": len(ends) - 1 if draw.chance(0.4) else draw.pick(counts),
    }


def topic_lookup(maker: Production) -> dict[str, Any]:
    """A topic of the namespace, mostly."""
    world, draw = maker.world, maker.draw
    namespace = draw.pick(world.namespaces)
    if draw.chance(0.02):
        topic = f"persistent://{LAST_HASHED}"
        namespace = LAST_HASHED.rpartition("/")[0]
        return {"namespace": namespace, "boundaries": world.boundaries, "topic": topic}
    other = draw.chance(0.15)
    return {
        "namespace": namespace,
        "boundaries": world.boundaries,
        "topic": world.topic(None if other else namespace),
    }


def membership(maker: Production) -> dict[str, Any]:
    """A bundle, or a range that looks like one."""
    world, draw = maker.world, maker.draw
    place = draw.integer(0, len(world.boundaries) - 2)
    lower, upper = world.boundaries[place], world.boundaries[place + 1]
    slips = ((0, 0), (0, 0), (1, 0), (0, -1), (-1, 0), (0, 1))
    if draw.chance(0.05):
        return {"boundaries": world.boundaries, "lower": LAST, "upper": LAST}
    below, above = draw.pick(slips)
    return {"boundaries": world.boundaries, "lower": lower + below, "upper": upper + above}


def range_text(maker: Production) -> dict[str, Any]:
    """The name of a range."""
    return {"text": maker.world.range_text()}


def topic_text(maker: Production) -> dict[str, Any]:
    """A topic's name: full, short, old, or nonsense."""
    world, draw = maker.world, maker.draw
    full = world.topic()
    forms = (
        full,
        full.rpartition("/")[2],
        full.partition("://")[2],
        full.replace("persistent://", "persistent://cluster/", 1),
        f"{full}-partition-{draw.integer(0, 20)}",
        f"{full}-partition-0{draw.integer(0, 9)}",
        f"{full}-partition--1",
        full.replace("://", ":/"),
        full.upper(),
        f"{full}/deep/er",
        "",
        "://",
        f" {full} ",
        full.replace("/", "//", 1),
    )
    return {"text": draw.pick(forms)}


SHAPERS: Final[dict[str, Shaper]] = {
    "bundles.boundaries/BoundariesTrial": any_boundaries,
    "bundles.creation/CreationTrial": creation,
    "bundles.hash_lookup/HashLookupTrial": boundaries,
    "bundles.topic_lookup/TopicLookupTrial": topic_lookup,
    "bundles.membership/MembershipTrial": membership,
    "bundles.range/RangeTrial": range_text,
    "bundles.topic/TopicTrial": topic_text,
}
