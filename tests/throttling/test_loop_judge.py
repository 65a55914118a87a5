"""What the judge of the dispatch loop says of answers that no reference gives."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evenkeel.properties.catalogue import clauses_for
from evenkeel.properties.question import judge
from evenkeel.properties.throttling.loop import LOOP
from evenkeel.properties.throttling.loop.commands import Flow, ReadNow
from evenkeel.properties.throttling.loop.trial import (
    LoopSettings,
    LoopTopic,
    LoopTrial,
    ReadIssued,
    SeenEvents,
)
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.throttling.limiter import Mechanism
from evenkeel.reference.throttling.loop_state import Entry, LevelRates, Sort
from evenkeel.reference.throttling.rates import DispatchRate


@pytest.mark.parametrize(("entries", "says"), [(10, "holds"), (11, "violated")])
def test_a_read_is_within_the_batch_size(entries: int, says: str) -> None:
    settings = LoopSettings(Mechanism.CLASSIC, 10, 5 * 1024 * 1024, 20, False, False, True)
    topic = LoopTopic((Entry(1, 100),) * 40, (Sort.SHARED,))
    nothing = DispatchRate()
    rates = LevelRates(nothing, nothing, nothing)
    trial = LoopTrial(settings, rates, (topic,), (Flow(0, 1000), ReadNow(0)))
    answer = LOOP.answer(trial, DOCUMENTED)
    *before, last = answer.results
    assert isinstance(last, SeenEvents)
    [event] = last.events
    assert isinstance(event, ReadIssued)
    assert event.entries == 10
    read = SeenEvents((replace(event, entries=entries),))
    observed = replace(answer, results=(*before, read))
    checks = clauses_for(LOOP.name, DOCUMENTED, frozenset({"THR-31"}))
    assert [v.status for v in judge(LOOP, checks, trial, observed, DOCUMENTED)] == [says]
