"""Inputs and answers from Pulsar's own tests, and some that were recomputed by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evenkeel.reference.bundles.boundaries import bundles_of, initial_boundaries
from evenkeel.reference.bundles.ranges import TOP_HASH, HashRange
from evenkeel.reference.bundles.topics import topic_hash
from evenkeel.reference.edition import BASE_EDITIONS, DOCUMENTED, PULSAR_4_0, Edition
from evenkeel.reference.splitting import algorithms, applying, due
from evenkeel.reference.splitting.algorithms import Flow
from evenkeel.reference.splitting.due import BundleName, Candidate, Load, Reason, Sample
from evenkeel.reference.splitting.settings import MEBIBYTE, FlowLimits, SplitRules

each_edition = pytest.mark.parametrize("edition", BASE_EDITIONS.values(), ids=BASE_EDITIONS)
FULL = HashRange(0, TOP_HASH)
LIMITS = FlowLimits(1010, 100, 10)
PARTITIONS = [f"persistent://test-tenant1/test-namespace1/test-partition-{i}" for i in range(241)]


# ------------------------------------------------------------------------------- by range


@pytest.mark.parametrize(
    ("bundle", "position"),
    [
        (FULL, 0x7FFFFFFF),
        (HashRange(10, TOP_HASH), 0x80000004),
        (HashRange(0, 0x0FFFFFFF), 0x07FFFFFF),
        (HashRange(0, 0x7FFFFFFF), 0x3FFFFFFF),
        (HashRange(0x7FFFFFFF, TOP_HASH), 0xBFFFFFFF),
    ],
)
@each_edition
def test_range(bundle: HashRange, position: int, edition: Edition) -> None:
    assert algorithms.range_positions(bundle, edition) == (position,)


def halve_all(points: tuple[int, ...], edition: Edition) -> tuple[int, ...]:
    for bundle in bundles_of(points):
        positions = algorithms.range_positions(bundle, edition)
        points = applying.apply_positions(points, bundle, positions, edition)
    return points


@each_edition
def test_three_rounds_by_range_make_eight_bundles(edition: Edition) -> None:
    points = halve_all(halve_all(halve_all((0, TOP_HASH), edition), edition), edition)
    assert points == (0, *(0x1FFFFFFF + i * 0x20000000 for i in range(7)), TOP_HASH)


@pytest.mark.parametrize(
    ("child", "splits", "last"),
    [(-1, 32, HashRange(TOP_HASH - 1, TOP_HASH)), (0, 31, HashRange(0, 1))],
    ids=["right", "left"],
)
@each_edition
def test_splitting_one_side_until_it_is_too_small(
    child: int, splits: int, last: HashRange, edition: Edition
) -> None:
    bundle, count = FULL, 0
    while algorithms.can_split(bundle):
        positions = algorithms.range_positions(bundle, edition)
        bundle = applying.children(bundle, positions)[child]
        count += 1
    assert (count, bundle) == (splits, last)


@each_edition
def test_first_bundle_of_four_split_ten_times(edition: Edition) -> None:
    points = initial_boundaries(4)
    for _ in range(10):
        first = bundles_of(points)[0]
        positions = algorithms.range_positions(first, edition)
        points = applying.apply_positions(points, first, positions, edition)
    assert len(bundles_of(points)) == 14


# -------------------------------------------------------------------------- by topic count


@pytest.mark.parametrize(
    ("hashes", "shipped", "right"),
    [
        ([1], (), ()),
        ([], (), ()),
        ([5, 6], (5,), (6,)),
        ([5, 7], (6,), (6,)),
        ([5, 5], (5,), ()),
        ([5, 5, 9], (5,), ()),
        ([1, 5, 6, 9], (5,), (6,)),
        ([0xE8B7BE43, 0x71BEEFF9, 0x06B9DF6F], (0x3C3C67B4,), (0x3C3C67B4,)),
        ([TOP_HASH - 1, TOP_HASH], (TOP_HASH - 1,), ()),
    ],
)
def test_topic_count(hashes: list[int], shipped: tuple[int, ...], right: tuple[int, ...]) -> None:
    assert algorithms.topic_count_positions(hashes, PULSAR_4_0) == shipped
    assert algorithms.topic_count_positions(hashes, DOCUMENTED) == right


# -------------------------------------------------------------------- specified positions


@pytest.mark.parametrize(
    ("topics", "forced", "given", "inside"),
    [
        (0, True, (1, 2), (2,)),
        (1, False, (1, 2), ()),
        (2, False, (-1, 0, 1, 100, 200, 500, 800, 1000, 1100), (100, 200, 500, 800)),
        (2, False, (TOP_HASH, TOP_HASH), ()),
        (2, False, (500, 2), (2, 500)),
    ],
)
@each_edition
def test_specified(
    topics: int, forced: bool, given: tuple[int, ...], inside: tuple[int, ...], edition: Edition
) -> None:
    bundle = HashRange(1, 1000)
    assert algorithms.specified_positions(bundle, topics, given, forced, edition) == inside


@each_edition
def test_specified_without_positions(edition: Edition) -> None:
    with pytest.raises(algorithms.NoPositionsGiven):
        algorithms.specified_positions(FULL, 2, (), False, edition)


@each_edition
def test_specified_at_the_hashes_of_four_partitions(edition: Edition) -> None:
    hashes = [topic_hash(name) for name in PARTITIONS[:4]]
    positions = algorithms.specified_positions(FULL, 4, hashes, False, edition)
    points = applying.apply_positions((0, TOP_HASH), FULL, positions, edition)
    assert points == (0, *sorted(hashes), TOP_HASH)


@each_edition
def test_specified_at_the_ends_and_inside(edition: Edition) -> None:
    positions = algorithms.specified_positions(FULL, 2, (0, TOP_HASH, 0x800000E3), False, edition)
    assert positions == (0x800000E3,)


# ----------------------------------------------------------------------------- by traffic


def cuts(rate: int, flows: list[tuple[int, float]], edition: Edition) -> tuple[int, ...]:
    topics = [Flow(hash_, msg_rate, 0.0) for hash_, msg_rate in flows]
    return algorithms.flow_positions(topics, len(topics), FlowLimits(rate, 100, 10), edition)


@pytest.mark.parametrize(
    ("rate", "flows", "shipped", "right"),
    [
        (1000, [(5, 600), (6, 600)], (6,), (6,)),
        (1000, [(5, 600), (7, 600)], (7,), (6,)),
        (1000, [(5, 600), (5, 600)], (), ()),
        (1000, [(5, 600), (5, 600), (9, 600)], (6, 8), (7,)),
        (500, [(5, 600), (5, 600), (6, 600)], (6, 6), (6,)),
        (1000, [(10, 500), (20, 500), (30, 99)], (), ()),
        (1000, [(10, 500), (20, 500), (30, 100)], (26,), (25,)),
        (1000, [(10, 500), (20, 500), (30, 101)], (26,), (25,)),
        (500, [(5, 1000), (5, 1), (9, 1)], (), (7,)),
        (500, [(TOP_HASH - 1, 600), (TOP_HASH, 600)], (TOP_HASH,), ()),
    ],
)
def test_flow(
    rate: int,
    flows: list[tuple[int, float]],
    shipped: tuple[int, ...],
    right: tuple[int, ...],
) -> None:
    assert cuts(rate, flows, PULSAR_4_0) == shipped
    assert cuts(rate, flows, DOCUMENTED) == right


def test_flow_by_the_numbers_of_its_proposal() -> None:
    flows = [
        Flow(hash_, rate * 100.0, rate * 10.0 * MEBIBYTE)
        for rate, hash_ in enumerate((10, 20, 80, 90, 100, 110), start=1)
    ]
    limits = FlowLimits(1100, 110, 10)
    assert algorithms.flow_positions(flows, 6, limits, PULSAR_4_0) == (96,)
    assert algorithms.flow_positions(flows, 6, limits, DOCUMENTED) == (95,)


@pytest.mark.parametrize(("edition", "cut"), [(PULSAR_4_0, 0x43FC608C), (DOCUMENTED, 0x43FC608B)])
def test_flow_with_a_first_topic_above_the_limit(edition: Edition, cut: int) -> None:
    hashes = sorted(topic_hash(name) for name in PARTITIONS[:5])
    flows = [Flow(hash_, 2000.0 if hash_ == hashes[0] else 49.5, 0.0) for hash_ in hashes]
    assert algorithms.flow_positions(flows, 5, LIMITS, edition) == (cut,)


@each_edition
def test_flow_over_many_topics(edition: Edition) -> None:
    rates = [49.5] * 100 + [50.5] * 140 + [60.0]
    flows = [
        Flow(topic_hash(name), rate, 0.0) for name, rate in zip(PARTITIONS, rates, strict=True)
    ]
    positions = algorithms.flow_positions(flows, len(flows), LIMITS, edition)
    assert len(positions) == 12
    for part in applying.children(FULL, positions):
        assert 0 < sum(flow.msg_rate for flow in flows if flow.hash in part) <= 1010


# -------------------------------------------------------------------------------- applying


@each_edition
def test_split_at_ten(edition: Edition) -> None:
    points = applying.apply_positions((0, TOP_HASH), FULL, (10,), edition)
    assert bundles_of(points) == (HashRange(0, 10), HashRange(10, TOP_HASH))


@pytest.mark.parametrize("position", [0, TOP_HASH])
@each_edition
def test_split_at_an_end_is_refused(position: int, edition: Edition) -> None:
    with pytest.raises(applying.PositionOutside):
        applying.apply_positions((0, TOP_HASH), FULL, (position,), edition)


@each_edition
def test_split_of_one_hash_is_refused(edition: Edition) -> None:
    target = HashRange(0x08375B1A, 0x08375B1B)
    points = (0, target.lower, target.upper, TOP_HASH)
    with pytest.raises(applying.TooSmallToSplit):
        applying.apply_positions(points, target, (target.lower,), edition)


# ------------------------------------------------------------------------------------ due

THRESHOLDS = SplitRules(1000, 1000, 30000, 100, 128)
HOT = Sample(30001.0, 0.0, 0.0, 0.0)
BUNDLES = [BundleName("t/ns", bundle) for bundle in bundles_of(initial_boundaries(4))]


def load(bundle: BundleName, topics: int = 2) -> Load:
    return Load(bundle, topics, 0, HOT)


@each_edition
def test_one_topic_is_never_due(edition: Edition) -> None:
    _, chosen = due.modular_round({}, [load(BUNDLES[0], 1)], {"t/ns": 1}, THRESHOLDS, edition)
    assert chosen == []


@each_edition
def test_two_of_three_below_the_maximum(edition: Edition) -> None:
    thresholds = replace(THRESHOLDS, max_bundles=3)
    loads = [load(bundle) for bundle in BUNDLES[:3]]
    _, chosen = due.modular_round({}, loads, {"t/ns": 1}, thresholds, edition)
    assert len(chosen) == 2


def decided(
    edition: Edition,
    cycles: int,
    topics: int = 2,
    count: int = 2,
    max_bundles: int = 128,
    splitting: tuple[BundleName, ...] = (),
) -> list[list[BundleName]]:
    """The decisions about two hot bundles, with a hit count threshold of 3 and one split a
    cycle.
    """
    rules = replace(THRESHOLDS, max_bundles=max_bundles, max_splits_per_cycle=1)
    candidates = [
        Candidate(load(bundle, topics), True, algorithms.range_positions(bundle.range, edition))
        for bundle in BUNDLES[:2]
    ]
    hits: due.Hits = {}
    found = []
    for _ in range(cycles):
        hits, decisions, abortion = due.extensible_cycle(
            hits, candidates, {"t/ns": count}, splitting, rules, edition
        )
        assert abortion is None
        found.append([decision.bundle for decision in decisions])
        assert all(decision.reason is Reason.MSG_RATE for decision in decisions)
    return found


@each_edition
def test_four_hits_make_a_decision_and_the_cap_delays_the_next(edition: Edition) -> None:
    assert decided(edition, 5) == [[], [], [], [BUNDLES[0]], [BUNDLES[1]]]


@each_edition
def test_not_enough_topics(edition: Edition) -> None:
    assert decided(edition, 6, topics=1) == [[]] * 6


@each_edition
def test_maximum_number_of_bundles(edition: Edition) -> None:
    assert decided(edition, 6, count=4, max_bundles=4) == [[]] * 6


@each_edition
def test_parent_in_state_splitting(edition: Edition) -> None:
    parent = BundleName("t/ns", HashRange(0, 0x80000000))
    assert decided(edition, 6, splitting=(parent,)) == [[]] * 6


@pytest.mark.parametrize(
    ("mbytes", "shipped"),
    [
        (2047, 2146435072),
        (2048, -2147483648),
        (3072, -1073741824),
        (4096, 0),
        (5000, 947912704),
        (8192, 0),
    ],
)
def test_bandwidth_limits(mbytes: int, shipped: int) -> None:
    assert due.bandwidth_limit(mbytes, PULSAR_4_0) == shipped
    assert due.bandwidth_limit(mbytes, DOCUMENTED) == mbytes * 2**20
