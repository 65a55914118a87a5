"""What the judge of the dispatch loop says of answers that no reference gives."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evenkeel.properties.catalogue import clauses_for
from evenkeel.properties.question import judge
from evenkeel.properties.throttling.loop import LOOP
from evenkeel.properties.throttling.loop.commands import (
    Complete,
    Flow,
    LoopCommand,
    ReadNow,
    Redeliver,
    Seek,
)
from evenkeel.properties.throttling.loop.trial import (
    Blocked,
    LoopAnswer,
    LoopResult,
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


def shared_trial(limit: int, commands: tuple[LoopCommand, ...]) -> LoopTrial:
    settings = LoopSettings(Mechanism.CLASSIC, 100, 5 * 1024 * 1024, 20, False, False, True)
    topic = LoopTopic((Entry(1, 100),) * 3, (Sort.SHARED,))
    nothing = DispatchRate()
    rates = LevelRates(nothing, DispatchRate(limit), nothing)
    return LoopTrial(settings, rates, (topic,), commands)


def says(trial: LoopTrial, results: tuple[LoopResult, ...], clause: str) -> str:
    checks = clauses_for(LOOP.name, DOCUMENTED, frozenset({clause}))
    observed = LoopAnswer(results)
    [verdict] = judge(LOOP, checks, trial, observed, DOCUMENTED)
    return verdict.status


@pytest.mark.parametrize(
    ("due", "expected"), [(7, "holds"), (2000, "holds"), (2001, "violated"), (10**9, "violated")]
)
def test_who_finds_no_quota_looks_again_before_a_period_has_gone_by(
    due: int, expected: str
) -> None:
    commands = (Flow(0, 1000), ReadNow(0), Complete(0, False), ReadNow(0))
    trial = shared_trial(1, commands)
    *before, last = LOOP.answer(trial, DOCUMENTED).results
    assert isinstance(last, SeenEvents)
    [event] = last.events
    assert isinstance(event, Blocked)
    assert event.reread_at == 1000
    late = SeenEvents((replace(event, reread_at=due),))
    assert says(trial, (*before, late), "THR-28") == expected


@pytest.mark.parametrize("ignored", [Seek(0, 1), Redeliver(0, 1)])
def test_what_is_to_come_again_comes(ignored: LoopCommand) -> None:
    turn = (ReadNow(0), Complete(0, isinstance(ignored, Redeliver)))
    first = (Flow(0, 1000), ReadNow(0), Complete(0, False))
    trial = shared_trial(100, (*first, ignored, *turn))
    obeyed = LOOP.answer(trial, DOCUMENTED).results
    assert says(trial, obeyed, "THR-66") == "holds"
    without = LOOP.answer(replace(trial, commands=(*first, *turn)), DOCUMENTED).results
    disobeyed = (*without[:3], SeenEvents(()), *without[3:])
    assert says(trial, disobeyed, "THR-66") == "violated"
