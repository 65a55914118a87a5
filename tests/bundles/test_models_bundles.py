"""The rules of the theorems of *bundles*, run on numbers."""

from evenkeel.models.bundles.lookup import (
    bisect_left_round,
    bisect_with,
    found_by,
    pulsar_search,
)
from evenkeel.reference.bundles.ranges import TOP_HASH


def test_pulsar_names_a_missing_bundle_for_the_last_hash() -> None:
    assert found_by(pulsar_search, (0, 8, TOP_HASH), TOP_HASH) == 2
    assert found_by(pulsar_search, (0, 8, TOP_HASH), TOP_HASH - 1) == 1


def test_a_search_that_goes_left_at_a_boundary_is_one_off() -> None:
    assert found_by(bisect_with(bisect_left_round), (0, 8, TOP_HASH), 8) == 0
