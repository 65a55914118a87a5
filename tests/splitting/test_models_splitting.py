"""The rules of the theorems of *splitting*, run on numbers."""

import pytest

from evenkeel.models.splitting.algorithms.flow_cut_parts_topics import pulsar_cut
from evenkeel.models.splitting.algorithms.topic_count_halves import (
    documented_by_rule,
    pulsar_by_rule,
)
from evenkeel.models.splitting.due.bandwidth_fits import wide_by_rule, wrapped_by_rule
from evenkeel.models.splitting.life.no_split_is_lost import put, stored_by, write
from evenkeel.reference.bundles.ranges import TOP_HASH
from evenkeel_engine.proofs.terms import run


@pytest.mark.parametrize(
    ("hashes", "documented", "pulsar"),
    [
        ([5, 6], (6,), (5,)),
        ([5, 7], (6,), (6,)),
        ([5, 5], (), (5,)),
        ([5, 5, 9], (), (5,)),
        ([1, 5, 6, 9], (6,), (5,)),
        ([TOP_HASH - 1, TOP_HASH], (), (TOP_HASH - 1,)),
        ([TOP_HASH, TOP_HASH], (), (TOP_HASH,)),
    ],
)
def test_topic_count_cuts(
    hashes: list[int], documented: tuple[int, ...], pulsar: tuple[int, ...]
) -> None:
    assert documented_by_rule(hashes) == documented
    assert pulsar_by_rule(hashes) == pulsar


@pytest.mark.parametrize(
    ("left", "right", "cut"),
    [(5, 6, 6), (5, 7, 7), (5, 5, 6), (TOP_HASH - 2, TOP_HASH, TOP_HASH), (10, 110, 61)],
)
def test_flow_cuts_in_pulsar(left: int, right: int, cut: int) -> None:
    assert run(pulsar_cut, left, right) == cut


@pytest.mark.parametrize(
    ("megabytes", "limit"),
    [(2047, 2146435072), (2048, -(2**31)), (3072, -(2**30)), (4096, 0), (5000, 947912704)],
)
def test_bandwidth_limits_in_pulsar(megabytes: int, limit: int) -> None:
    assert wrapped_by_rule(megabytes) == limit
    assert wide_by_rule(megabytes) == megabytes * 2**20


def test_a_lost_update_and_how_the_version_prevents_it() -> None:
    boundaries = (0, 8, TOP_HASH)
    assert stored_by(put, boundaries, [4], [20]) == ((0, 4, 8, TOP_HASH), 2)
    assert stored_by(write, boundaries, [4], [20]) == ((0, 4, 8, 20, TOP_HASH), 2)
