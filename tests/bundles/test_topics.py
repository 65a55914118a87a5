"""Trials name a topic for any hash."""

import pytest

from evenkeel.properties.bundles.trial_parts import topic_with_hash
from evenkeel.reference.bundles.ranges import TOP_HASH
from evenkeel.reference.bundles.topics import topic_hash


@pytest.mark.parametrize("hash_", [0, 1, 0x12345678, 0x7FFFFFFF, TOP_HASH - 1, TOP_HASH])
def test_names_are_constructed_for_any_hash(hash_: int) -> None:
    names = {topic_with_hash(hash_, "pulsar/ns1", variant) for variant in range(16)}
    assert len(names) == 16
    assert {topic_hash(name) for name in names} == {hash_}
