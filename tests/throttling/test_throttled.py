"""What the judge of throttled reads must take, and what it must not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evenkeel.properties.throttling.reading import ReaderSort, ReadLimitsTrial
from evenkeel.properties.throttling.throttled import THROTTLED, ThrottledAnswer
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.throttling.rates import Limits
from evenkeel.reference.throttling.reading import Events
from evenkeel_engine.kit.catalogue import clauses_for
from evenkeel_engine.kit.question import judge

CUT = ReadLimitsTrial(
    reader=ReaderSort.SHARED,
    permits=10,
    average_messages=1,
    writable=True,
    cursor_active=False,
    replay_outstanding=False,
    batch_size=100,
    max_bytes=1000,
    precise=False,
    by_entry=False,
    non_backlog=True,
    broker=None,
    topic=Limits(5, -1),
    subscription=None,
)
"""A read of ten entries, of which the topic's quota leaves five."""
PRECISE = replace(CUT, precise=True)
OFF = replace(CUT, precise=True, non_backlog=False, cursor_active=True)
REPLAY = replace(CUT, replay_outstanding=True)


@pytest.mark.parametrize(
    ("trial", "topic", "right"),
    [
        (CUT, 1, True),
        (CUT, 0, False),
        (CUT, 2, False),
        (REPLAY, 0, True),
        (PRECISE, 0, True),
        (PRECISE, 2, False),
        (OFF, 1, False),
    ],
)
def test_events_of_a_level(trial: ReadLimitsTrial, topic: int, right: bool) -> None:
    answer = ThrottledAnswer(Events(), Events(topic), Events())
    clauses = clauses_for(THROTTLED.name, DOCUMENTED, frozenset({"THR-71"}))
    failed = [one for one in judge(THROTTLED, clauses, trial, answer, DOCUMENTED) if one.failed]
    assert (not failed) is right
