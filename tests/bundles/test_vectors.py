"""Inputs and answers from Pulsar's own tests, and some that were recomputed by hand."""

from __future__ import annotations

import pytest

from evenkeel.properties.bundles.trial_parts import topic_with_hash
from evenkeel.reference.bundles import boundaries, lookup, ranges, topics
from evenkeel.reference.bundles.ranges import TOP_HASH, BadRange, HashRange
from evenkeel.reference.edition import BASE_EDITIONS, DOCUMENTED, PULSAR_4_0, Edition

each_edition = pytest.mark.parametrize("edition", BASE_EDITIONS.values(), ids=BASE_EDITIONS)
DEFAULT = "persistent://public/default/"


@each_edition
def test_boundaries_make_bundles(edition: Edition) -> None:
    points = (0, 0x10000000, 0x40000000, TOP_HASH)
    boundaries.check_boundaries(points, edition)
    assert boundaries.bundles_of(points) == (
        HashRange(0, 0x10000000),
        HashRange(0x10000000, 0x40000000),
        HashRange(0x40000000, TOP_HASH),
    )


@pytest.mark.parametrize("points", [(), (0,), (0, 0, TOP_HASH), (0, 5), (0, 7, 5, TOP_HASH)])
@each_edition
def test_illegal_boundaries_are_refused(points: tuple[int, ...], edition: Edition) -> None:
    with pytest.raises(boundaries.BadBoundaries):
        boundaries.check_boundaries(points, edition)


@pytest.mark.parametrize(("lower", "upper"), [(0, 0), (1, 1), (2, 1), (-1, 5), (5, 2**32)])
def test_ranges_without_hashes_are_refused(lower: int, upper: int) -> None:
    with pytest.raises(BadRange):
        HashRange(lower, upper)


@pytest.mark.parametrize(("lower", "upper"), [(0, 1), (0, TOP_HASH), (TOP_HASH, TOP_HASH)])
def test_ranges_with_hashes(lower: int, upper: int) -> None:
    assert lower in HashRange(lower, upper)
    assert (upper in HashRange(lower, upper)) == (upper == TOP_HASH)


@pytest.mark.parametrize(
    ("lower", "upper", "name"),
    [
        (0, 0x10000000, "0x00000000_0x10000000"),
        (0x10000000, TOP_HASH, "0x10000000_0xffffffff"),
    ],
)
@each_edition
def test_range_names(lower: int, upper: int, name: str, edition: Edition) -> None:
    assert HashRange(lower, upper).name == name
    assert ranges.parse_range(name, edition) == (lower, upper)


@each_edition
def test_topics_of_other_namespaces_are_refused(edition: Edition) -> None:
    topic = topics.parse_topic_name("persistent://pulsar/ns2/topic-2", edition)
    with pytest.raises(lookup.WrongNamespace):
        lookup.bundle_of_topic("pulsar/ns1", (0, TOP_HASH), topic, edition)


@pytest.mark.parametrize(
    ("count", "inner"),
    [
        (1, []),
        (2, [0x80000000]),
        (3, [0x55555555, 0xAAAAAAAA]),
        (4, [0x40000000, 0x80000000, 0xC0000000]),
        (
            9,
            [
                0x1C71C71C,
                0x38E38E38,
                0x55555554,
                0x71C71C70,
                0x8E38E38C,
                0xAAAAAAA8,
                0xC71C71C4,
                0xE38E38E0,
            ],
        ),
    ],
)
def test_equal_division(count: int, inner: list[int]) -> None:
    assert boundaries.initial_boundaries(count) == (0, *inner, TOP_HASH)


@pytest.mark.parametrize("count", [0, -1])
def test_no_bundles_are_refused(count: int) -> None:
    with pytest.raises(boundaries.BadBundleCount):
        boundaries.initial_boundaries(count)


@pytest.mark.parametrize(
    ("name", "hash_"),
    [
        ("123456789", 0xCBF43926),
        ("persistent://pulsar/ns1/topic-1", 0x718ACC18),
        ("persistent://pulsar/ns2/topic-2", 0xD10EA167),
        (f"{DEFAULT}my-topic", 0x2BAD45F7),
        (f"{DEFAULT}my-topic-partition-0", 0x3D4B4235),
        (f"{DEFAULT}maaoimoeiiea", 0xFFFFFFFF),
        (f"{DEFAULT}mkkemcimkmea", 0x00000000),
        (f"{DEFAULT}aikaiiggmcea", 0x7FFFFFFF),
        (f"{DEFAULT}acakmgaoogea", 0x80000000),
        (f"{DEFAULT}kiaokckgaiae", 0xFFFFFFFE),
        (f"{DEFAULT}kaakckomacee", 0x40000000),
        (f"{DEFAULT}miakaekoicaa", 0x40000001),
        (f"{DEFAULT}goeiigammaea", 0x12345678),
        (f"{DEFAULT}okmoeeocmoeea", 0x12345678),
        (f"{DEFAULT}ageikieoeaae", 0x12345679),
    ],
)
def test_hashes(name: str, hash_: int) -> None:
    assert topics.topic_hash(name) == hash_


@pytest.mark.parametrize("hash_", [0, 1, 0x12345678, 0x7FFFFFFF, TOP_HASH - 1, TOP_HASH])
def test_names_are_constructed_for_any_hash(hash_: int) -> None:
    names = {topic_with_hash(hash_, "pulsar/ns1", variant) for variant in range(16)}
    assert len(names) == 16
    assert {topics.topic_hash(name) for name in names} == {hash_}


@pytest.mark.parametrize(
    ("hash_", "index"), [(0x3FFFFFFF, 0), (0x40000000, 1), (TOP_HASH - 1, 3), (0, 0)]
)
@each_edition
def test_lookup_in_four_bundles(hash_: int, index: int, edition: Edition) -> None:
    assert lookup.bundle_index(boundaries.initial_boundaries(4), hash_, edition) == index


def test_lookup_of_the_last_hash() -> None:
    points = boundaries.initial_boundaries(4)
    assert lookup.bundle_index(points, TOP_HASH, DOCUMENTED) == 3
    with pytest.raises(lookup.PastLastBundle):
        lookup.bundle_index(points, TOP_HASH, PULSAR_4_0)
