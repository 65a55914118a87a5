"""The documents' own examples, with their arithmetic corrected (spec/errata.md)."""

from __future__ import annotations

import pytest

from evenkeel.reference.bundles.boundaries import bundles_of
from evenkeel.reference.bundles.ranges import TOP_HASH, HashRange
from evenkeel.reference.edition import DOCUMENTED, PULSAR_4_0
from evenkeel.reference.splitting import algorithms, applying
from evenkeel.reference.splitting.algorithms import Flow
from evenkeel.reference.splitting.settings import MEBIBYTE, FlowLimits

TARGET = HashRange(0x00000000, 0x80000000)
TRAFFIC = [
    Flow(hash_, number * 100.0, number * 10.0 * MEBIBYTE)
    for number, hash_ in enumerate(
        (0x10000000, 0x15000000, 0x24000000, 0x39000000, 0x58000000, 0x76000000), start=1
    )
]
CASES = [
    ((450, 200), [0x1C800000, 0x2E800000, 0x48800000, 0x67000000]),
    ((1900, 90), [0x2E800000, 0x67000000]),
    ((1100, 110), [0x48800000]),
]


@pytest.mark.parametrize(("limits", "positions"), CASES, ids=["case 1", "case 2", "case 3"])
def test_flow_cases(limits: tuple[int, int], positions: list[int]) -> None:
    rate, mbytes = limits
    right = algorithms.flow_positions(TRAFFIC, 6, FlowLimits(rate, mbytes, 10), DOCUMENTED)
    shipped = algorithms.flow_positions(TRAFFIC, 6, FlowLimits(rate, mbytes, 10), PULSAR_4_0)
    assert list(right) == positions
    assert list(shipped) == [position + 1 for position in positions]


@pytest.mark.parametrize(
    ("place", "printed", "left", "right"),
    [
        ("case 1, t2 and t3", 0x19500000, 0x15000000, 0x24000000),
        ("case 1, t3 and t4", 0x31500000, 0x24000000, 0x39000000),
        ("case 1, t4 and t5", 0x48500000, 0x39000000, 0x58000000),
        ("case 1, t5 and t6", 0x67000000, 0x58000000, 0x76000000),
    ],
)
def test_printed_positions_lie_between_the_same_topics(
    place: str, printed: int, left: int, right: int
) -> None:
    assert left < printed <= right, place


def test_topic_count_in_the_article() -> None:
    hashes = [0x0000, 0x0005, 0x0010, 0x0015, 0x0020, 0x0025]
    for edition in (DOCUMENTED, PULSAR_4_0):
        assert algorithms.topic_count_positions(hashes, edition) == (0x0012,)


def test_topic_count_in_the_documentation() -> None:
    hashes = [0x10000000, 0x20000000, 0x35000000, 0x65000000, 0x70000000, 0x75000000]
    for edition in (DOCUMENTED, PULSAR_4_0):
        assert algorithms.topic_count_positions(hashes, edition) == (0x4D000000,)
    assert sum(hash_ < 0x50000000 for hash_ in hashes) == 3


def test_range_in_both_documents() -> None:
    assert algorithms.range_positions(HashRange(0, 0x8000), DOCUMENTED) == (0x4000,)
    assert algorithms.range_positions(TARGET, DOCUMENTED) == (0x40000000,)


def test_specified_in_the_documentation() -> None:
    bundle = HashRange(0, 0x40000000)
    positions = algorithms.specified_positions(bundle, 2, (0x33000000,), False, DOCUMENTED)
    below, above = applying.children(bundle, positions)
    assert 0x30000000 in below
    assert 0x35000000 in above


def test_splitting_by_boundaries() -> None:
    points = (0, 0x80000000, TOP_HASH)
    after = applying.apply_positions(points, TARGET, (0x40000000,), DOCUMENTED)
    assert after == (0, 0x40000000, 0x80000000, TOP_HASH)
    assert bundles_of(after) == (
        HashRange(0, 0x40000000),
        HashRange(0x40000000, 0x80000000),
        HashRange(0x80000000, TOP_HASH),
    )
