"""Trials of the lock protocol that could not exist are refused."""

from __future__ import annotations

import pytest

from evenkeel.properties.ownership.locks.trials import LocksTrial, Lookup, NamedBundle
from evenkeel.reference.ownership.locks.state import Sort
from evenkeel_engine.kit.codec import BadData, from_json, to_json

POSSIBLE = LocksTrial(2, (NamedBundle(Sort.PLAIN, 0),), 0, (Lookup(0, 0, True, False, 0),))


@pytest.mark.parametrize(
    ("change", "place"),
    [({"brokers": 0}, "brokers"), ({"bundles": []}, "bundles"), ({"leader": -1}, "leader")],
)
def test_impossible_trials_are_refused(change: dict[str, object], place: str) -> None:
    with pytest.raises(BadData) as refused:
        from_json(LocksTrial, {**to_json(POSSIBLE), **change})
    assert refused.value.place == place
