"""Bundles: boundaries, names, and where a hash or a topic belongs.

Followed: document 001, "Topics are assigned to brokers at the bundle level" (the last bundle
holds its upper boundary, the others do not) and document 002, "Topic bundling", Workflow.
"""

from __future__ import annotations

import re
import zlib
from bisect import bisect_right
from itertools import pairwise

from examples.from_documents.owning.interpretations import Interpretations
from examples.from_documents.owning.wire import LAST_HASH, Json, Refusal, span

NAME = re.compile(r"[A-Za-z0-9\-=:._]+", re.ASCII)
PARTITION = re.compile(r"(.*)-partition-(0|[1-9][0-9]*)", re.DOTALL | re.ASCII)
NUMBER = re.compile(r"(0[xX])?([0-9a-fA-F]+)", re.ASCII)


def check_boundaries(boundaries: list[int]) -> None:
    """Boundaries ascend from the first hash to the last one."""
    if len(boundaries) < 2:
        raise Refusal("BadBoundaries", "at least two boundaries are needed")
    if boundaries[0] != 0 or boundaries[-1] != LAST_HASH:
        raise Refusal("BadBoundaries", "all hashes must belong to a bundle")
    if any(low >= high for low, high in pairwise(boundaries)):
        raise Refusal("BadBoundaries", "boundaries must ascend")


def spans(boundaries: list[int]) -> list[Json]:
    """The bundles between boundaries."""
    return [span(low, high) for low, high in pairwise(boundaries)]


def holder(boundaries: list[int], value: int) -> Json:
    """The bundle that holds a hash."""
    index = min(bisect_right(boundaries, value), len(boundaries) - 1)
    return span(boundaries[index - 1], boundaries[index])


def is_bundle(boundaries: list[int], lower: int, upper: int) -> bool:
    """Whether a range is a bundle of these boundaries."""
    return (lower, upper) in pairwise(boundaries)


def topic_hash(name: str) -> int:
    """The hash of a topic's complete name, as specified on the wire page."""
    return zlib.crc32(name.encode("utf-8"))


def number(text: str) -> int:
    """An integer in hexadecimal with its prefix, or else in decimal digits."""
    found = NUMBER.fullmatch(text)
    if found is None or (found[1] is None and not found[2].isdecimal()):
        raise Refusal("BadNumber", f"{text!r} is no integer")
    return int(found[2], 16 if found[1] else 10)


def check_namespace(namespace: str, parts: tuple[int, ...] = (2, 3)) -> None:
    """A namespace is named by its tenant and its own name."""
    names = namespace.split("/")
    if len(names) not in parts or not all(NAME.fullmatch(name) for name in names):
        raise Refusal("BadNamespace", f"{namespace!r} is no namespace")


def boundaries(_interpretations: Interpretations, trial: Json) -> Json:
    """The answer to bundles.boundaries."""
    check_boundaries(trial["boundaries"])
    return {"bundles": spans(trial["boundaries"])}


def creation(interpretations: Interpretations, trial: Json) -> Json:
    """The answer to bundles.creation."""
    texts = trial["boundaries"]
    if texts is not None and (texts or interpretations.empty_lists_are_given):
        given = [number(text) for text in texts]
        if interpretations.sorts_given_boundaries:
            given = sorted(set(given))
        check_boundaries(given)
        return {"boundaries": given}
    count = int(trial["count"])
    if count < 0:
        raise Refusal("BadCount", f"{count} bundles")
    return {"boundaries": equal_parts(interpretations, count or int(trial["default_count"]))}


def equal_parts(interpretations: Interpretations, count: int) -> list[int]:
    """The boundaries of `count` bundles of the same size, as nearly as possible."""
    if interpretations.parts_of == "each its share":
        inner = [part * (LAST_HASH + 1) // count for part in range(1, count)]
    else:
        inner = [part * (LAST_HASH // count) for part in range(1, count)]
    return [0, *inner, LAST_HASH]


def hash_lookup(_interpretations: Interpretations, trial: Json) -> Json:
    """The answer to bundles.hash_lookup."""
    return {"bundle": holder(trial["boundaries"], int(trial["hash"]))}


def topic_lookup(interpretations: Interpretations, trial: Json) -> Json:
    """The answer to bundles.topic_lookup."""
    name = topic_name(interpretations, trial["topic"])
    if name["namespace"] != trial["namespace"]:
        raise Refusal("WrongNamespace", f"{trial['topic']} is not of {trial['namespace']}")
    bundle = holder(trial["boundaries"], int(name["hash"]))
    return {"bundle": bundle, "holders": [bundle]}


def membership(_interpretations: Interpretations, trial: Json) -> Json:
    """The answer to bundles.membership."""
    lower, upper = int(trial["lower"]), int(trial["upper"])
    if not is_bundle(trial["boundaries"], lower, upper):
        raise Refusal("NoSuchBundle", f"{lower:#010x} to {upper:#010x} is no bundle")
    return {"bundle": span(lower, upper)}


def bundle_range(interpretations: Interpretations, trial: Json) -> Json:
    """The answer to bundles.range."""
    lower, upper = parse_range(interpretations, trial["text"])
    return {"range": span(lower, upper), "name": f"0x{lower:08x}_0x{upper:08x}"}


def parse_range(interpretations: Interpretations, text: str) -> tuple[int, int]:
    """The ends of a range in its text."""
    ends = text.split("_")
    if len(ends) != 2:
        raise Refusal("BadRangeText", "a range has two ends")
    if interpretations.ranges_in_hexadecimal and not all(end[:2] in ("0x", "0X") for end in ends):
        raise Refusal("BadRangeText", "ends of a range begin with 0x")
    lower, upper = number(ends[0]), number(ends[1])
    single = lower == upper == LAST_HASH
    if upper > LAST_HASH or (lower >= upper and not single):
        raise Refusal("BadRangeText", f"{text} is no range")
    return lower, upper


def topic(interpretations: Interpretations, trial: Json) -> Json:
    """The answer to bundles.topic."""
    return topic_name(interpretations, trial["text"])


def topic_name(interpretations: Interpretations, text: str) -> Json:
    """A topic's complete name and its pieces."""
    domain, mark, rest = text.partition("://")
    if not mark:
        domain, rest = "persistent", complete_name(interpretations, text)
    domain = domain.lower()
    if domain not in ("persistent", "non-persistent"):
        raise Refusal("BadTopicName", f"{domain!r} is no domain")
    pieces = rest.split("/", 2)
    if len(pieces) != 3 or not pieces[2]:
        raise Refusal("BadTopicName", f"{text!r} lacks a piece")
    namespace = f"{pieces[0]}/{pieces[1]}"
    check_namespace(namespace, (2,))
    local = pieces[2]
    if "/" in local and interpretations.refuses_slashes_in_topics:
        raise Refusal("BadTopicName", f"{local!r} has a slash")
    name = f"{domain}://{namespace}/{local}"
    found = PARTITION.fullmatch(name)
    return {
        "name": name,
        "domain": domain,
        "namespace": namespace,
        "local_name": local,
        "base_name": name if found is None else found[1],
        "partition": None if found is None else int(found[2]),
        "hash": topic_hash(name),
    }


def complete_name(interpretations: Interpretations, text: str) -> str:
    """A short name with its omitted parts, if this balancer accepts short names."""
    pieces = text.split("/")
    if interpretations.takes_short_names and len(pieces) == 1:
        return f"public/default/{text}"
    if interpretations.takes_short_names and len(pieces) == 3:
        return text
    raise Refusal("BadTopicName", f"{text!r} names no domain")
