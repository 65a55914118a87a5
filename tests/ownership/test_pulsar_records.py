"""Every pair of small records, both storages: the reference against Apache Pulsar's resolver.

Needs the adapter (`make adapter`); left out where it has not been built.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from evenkeel.properties.ownership.records import (
    CONFLICT,
    TRANSITION,
    ConflictTrial,
    RecordData,
    TransitionTrial,
)
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.ownership.records import State, Storage
from evenkeel.releases import adapter as pulsar_lines
from evenkeel_engine.kit.observations import Broke
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.trial import BadTrial
from evenkeel_engine.subjects.base import Observed, Request
from evenkeel_engine.subjects.choose import open_subject

ADAPTER = pulsar_lines.ADAPTER
BROKERS = (None, "b0", "b1", "b2")
VERSIONS = (1, 2, 3)

pytestmark = pytest.mark.skipif(
    not pulsar_lines.is_built(ADAPTER), reason="the adapter has not been built"
)


def small_records() -> Iterator[RecordData | None]:
    """No record, and every record of three brokers and three versions."""
    yield None
    for state, d, s, version, force in product(State, BROKERS, BROKERS, VERSIONS, (False, True)):
        try:
            yield RecordData(state, d, s, version, force)
        except BadTrial:
            continue


def differences(question: Question[Any, Any], trials: Iterator[object]) -> tuple[int, int]:
    """How many trials there were, and on how many Pulsar and the reference differ."""
    subject = open_subject(str(ADAPTER / "run"), PULSAR_4_0)
    asked, different = 0, 0
    try:
        asks = (Request(key, question, trial) for key, trial in enumerate(trials))
        for ask, reply in subject.replies(asks):
            asked += 1
            expected = question.observe(ask.trial, PULSAR_4_0)
            assert isinstance(reply, Observed), reply
            same_sort = type(reply.observation) is type(expected)
            answered = not isinstance(expected, Broke)
            if not same_sort or (answered and reply.observation != expected):
                different += 1
    finally:
        subject.close()
    return asked, different


def test_all_pairs_of_records() -> None:
    records = list(small_records())
    trials: Iterator[object] = (
        ConflictTrial(storage, *pair) for storage in Storage for pair in product(records, records)
    )
    assert len(records) == 637
    assert differences(CONFLICT, trials) == (2 * 637**2, 0)


def test_the_table_of_transitions() -> None:
    trials: Iterator[object] = (
        TransitionTrial(storage, before, after)
        for storage, before, after in product(Storage, State, State)
    )
    assert differences(TRANSITION, trials) == (2 * 49, 0)
