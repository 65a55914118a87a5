"""Mutants and equivalent mutants of the chapter *bundles*."""

from __future__ import annotations

import zlib
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import ModuleType
from typing import Any, Final

from evenkeel.properties.mutant import Mutant
from evenkeel.reference.bundles import boundaries, lookup, ranges, topics
from evenkeel.reference.bundles.ranges import HASH_COUNT, TOP_HASH, BadRangeText, HashRange
from evenkeel.reference.bundles.topics import TopicName
from evenkeel.reference.edition import DOCUMENTED, PULSAR_4_0, Edition
from evenkeel.reference.switches.bundles import LegacyNames

Function = Callable[..., Any]


def _defect(
    name: str,
    module: ModuleType,
    function: str,
    make: Callable[[Function], Function],
    story: str,
    defect: str = "",
    edition: Edition = DOCUMENTED,
) -> Mutant:
    return Mutant(name, "bundles", module, function, make, story, defect, edition=edition)


def _correct(
    name: str, module: ModuleType, function: str, make: Callable[[Function], Function], story: str
) -> Mutant:
    return Mutant(name, "bundles", module, function, make, story, correct=True)


def _always(value: Any) -> Callable[[Function], Function]:
    return lambda original: lambda *arguments: value


def _in_edition(edition: Edition) -> Callable[[Function], Function]:
    """The function as it is in another edition."""
    return lambda original: lambda *arguments: original(*arguments[:-1], edition)


def _hash_of_local_name(original: Function) -> Function:
    return lambda name: original(name.rpartition("/")[2])


def _hash_of_base_name(original: Function) -> Function:
    return lambda name: original(name.partition(topics.PARTITION_MARK)[0])


def _latin_hash(original: Function) -> Function:
    return lambda name: zlib.crc32(name.encode("latin-1", "replace"))


def _without_last_hash(original: Function) -> Function:
    return lambda bundle_boundaries, topic: tuple(
        bundle
        for bundle in original(bundle_boundaries, topic)
        if topics.topic_hash(topic.name) != TOP_HASH
    )


def _bisect_left(original: Function) -> Function:
    def index(points: Sequence[int], hash_: int, edition: Edition) -> int:
        return max(bisect_left(points, hash_) - 1, 0)

    return index


def _divide_top(original: Function) -> Function:
    def divided(count: int) -> tuple[int, ...]:
        if count <= 0:
            raise boundaries.BadBundleCount(f"{count} bundles were asked for")
        return (*(TOP_HASH // count * i for i in range(count)), TOP_HASH)

    return divided


def _remainder_lost(original: Function) -> Function:
    def divided(count: int) -> tuple[int, ...]:
        points: tuple[int, ...] = original(count)
        return (
            points if HASH_COUNT % count == 0 else (*points[:-1], HASH_COUNT // count * count - 1)
        )

    return divided


def _unsorted(original: Function) -> Function:
    def listed(texts: Sequence[str], edition: Edition) -> tuple[int, ...]:
        points = tuple(dict.fromkeys(ranges.parse_integer(text) for text in texts))
        boundaries.check_boundaries(points, edition)
        return points

    return listed


def _no_namespace_check(original: Function) -> Function:
    def find(
        namespace: str, points: Sequence[int], topic: TopicName, edition: Edition
    ) -> HashRange:
        found: HashRange = original(topic.namespace, points, topic, edition)
        return found

    return find


def _lower_end_only(original: Function) -> Function:
    def found(points: Sequence[int], range_: HashRange, edition: Edition) -> HashRange:
        for bundle in boundaries.bundles_of(points):
            if bundle.lower == range_.lower:
                return bundle
        raise lookup.NoSuchBundle("no bundle starts there")

    return found


def _canonical_only(original: Function) -> Function:
    def parsed(text: str, edition: Edition) -> tuple[int, int]:
        lower, upper = original(text, edition)
        if ranges.range_name(lower, upper) != text:
            raise BadRangeText("not the canonical name")
        return lower, upper

    return parsed


MUTANTS: Final = (
    _defect(
        "bare-name-hash",
        topics,
        "topic_hash",
        _hash_of_local_name,
        "Topics with one local name in different namespaces or domains share a hash.",
    ),
    _defect(
        "partitions-share-hash",
        topics,
        "topic_hash",
        _hash_of_base_name,
        "All partitions of a topic land in one bundle, and so on one broker.",
    ),
    _defect(
        "latin-hash",
        topics,
        "topic_hash",
        _latin_hash,
        "Clients in other languages compute other bundles for names outside Latin-1.",
    ),
    _defect(
        "any-short-name",
        topics,
        "expand_short_name",
        lambda original: lambda text: f"persistent://public/default/{text}",
        "`tenant/namespace/topic` is created as a topic of public/default.",
    ),
    _defect(
        "blank-names",
        topics,
        "is_blank",
        _always(False),
        "Topics with blank names are created, and cannot be addressed.",
    ),
    _defect(
        "partition-01",
        topics,
        "partition_index",
        lambda original: (
            lambda text, edition: (
                original(text, edition) if not text.endswith("-partition-01") else 1
            )
        ),
        "`x-partition-01` is taken for partition 1 of x.",
    ),
    _defect(
        "upper-case-range",
        ranges,
        "range_name",
        lambda original: lambda lower, upper: original(lower, upper).upper(),
        "Locks and policies are stored under names that no other broker looks for.",
    ),
    _defect(
        "extra-pieces",
        ranges,
        "parse_range",
        _in_edition(PULSAR_4_0),
        "A mistyped range names another bundle instead of being refused.",
        "F28",
    ),
    _defect(
        "any-first-boundary",
        boundaries,
        "check_boundaries",
        _in_edition(PULSAR_4_0),
        "A namespace is accepted in which hashes below the first boundary have no bundle.",
    ),
    _defect(
        "divide-top",
        boundaries,
        "initial_boundaries",
        _divide_top,
        "Two bundles meet at 0x7fffffff, so that replicated clusters disagree.",
        "F2",
    ),
    _defect(
        "remainder-lost",
        boundaries,
        "initial_boundaries",
        _remainder_lost,
        "With 3 bundles the hashes above 0xfffffffe belong to none.",
    ),
    _defect(
        "boundaries-as-listed",
        boundaries,
        "explicit_boundaries",
        _unsorted,
        "Boundaries listed out of order are refused although they are legal.",
    ),
    _defect(
        "nine-digits",
        boundaries,
        "explicit_boundaries",
        _in_edition(PULSAR_4_0),
        "A namespace with boundary 0x100000000 is created and cannot be loaded.",
        "F28",
    ),
    _defect(
        "boundaries-ignored",
        boundaries,
        "creation_boundaries",
        _in_edition(PULSAR_4_0),
        "Boundaries given without a count are ignored silently.",
        "F28",
    ),
    _defect(
        "lookup-below",
        lookup,
        "bundle_index",
        _bisect_left,
        "A topic whose hash is a boundary is served by the bundle below.",
    ),
    _defect(
        "last-hash-breaks",
        lookup,
        "bundle_index",
        _in_edition(PULSAR_4_0),
        "A topic with hash 0xffffffff can never be used.",
        "F1",
    ),
    _defect(
        "last-hash-not-included",
        lookup,
        "holders",
        _without_last_hash,
        "The two ways of asking where a topic is disagree about the last hash.",
    ),
    _defect(
        "any-namespace",
        lookup,
        "bundle_of_topic",
        _no_namespace_check,
        "A topic is served by a bundle of somebody else's namespace.",
    ),
    _defect(
        "lower-end-decides",
        lookup,
        "member",
        _lower_end_only,
        "A range that was split away is still taken for a bundle.",
        "SP6",
    ),
    # In PULSAR_4_0 a subject that is right where 4.0 is not differs from it, and must be noticed.
    _defect(
        "ascii-digits-only",
        topics,
        "partition_index",
        _in_edition(DOCUMENTED),
        "Not 4.0: partition numbers in other scripts are ordinary names.",
        edition=PULSAR_4_0,
    ),
    _defect(
        "legacy-refused",
        topics,
        "parse_topic_name",
        _in_edition(DOCUMENTED),
        "Not 4.0: names with a cluster are refused.",
        edition=PULSAR_4_0,
    ),
    _defect(
        "strict-ranges",
        ranges,
        "parse_range",
        _in_edition(DOCUMENTED),
        "Not 4.0: only two pieces inside the hash space are accepted.",
        edition=PULSAR_4_0,
    ),
    _defect(
        "first-boundary-checked",
        boundaries,
        "check_boundaries",
        _in_edition(DOCUMENTED),
        "Not 4.0: boundaries must start at 0.",
        edition=PULSAR_4_0,
    ),
    _defect(
        "boundaries-checked",
        boundaries,
        "explicit_boundaries",
        _in_edition(DOCUMENTED),
        "Not 4.0: every boundary is checked.",
        edition=PULSAR_4_0,
    ),
    _defect(
        "last-range-refused",
        lookup,
        "member",
        _in_edition(DOCUMENTED),
        "Not 4.0: the range of the last hash alone is refused.",
        edition=PULSAR_4_0,
    ),
    _defect(
        "last-hash-found",
        lookup,
        "bundle_index",
        _in_edition(DOCUMENTED),
        "Not 4.0: the last hash is found.",
        edition=PULSAR_4_0,
    ),
    _correct(
        "canonical-ranges-only",
        ranges,
        "parse_range",
        _canonical_only,
        "Other spellings of legal ranges are left open.",
    ),
    _correct(
        "legacy-accepted",
        topics,
        "parse_topic_name",
        _in_edition(replace(DOCUMENTED, legacy_topic_names=LegacyNames.ACCEPTED)),
        "Names of Pulsar 1 are left open.",
    ),
)
