"""Verdicts of the dispatch loop's judge on answers that the reference never gives."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evenkeel.properties.throttling.loop import LOOP
from evenkeel.properties.throttling.loop.trials import (
    AdvanceLoop,
    Blocked,
    ChangeConsumer,
    Charged,
    Complete,
    ConfigureLevel,
    Delivered,
    Flow,
    Ignored,
    LoopAnswer,
    LoopCommand,
    LoopEvent,
    LoopResult,
    LoopSettings,
    LoopTopic,
    LoopTrial,
    ReadIssued,
    ReadNow,
    Redeliver,
    Seek,
    SeenEvents,
    Written,
)
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.throttling.limiter import Mechanism
from evenkeel.reference.throttling.loop import Entry, Idle, LevelRates, Sort
from evenkeel.reference.throttling.rates import DispatchRate, Level
from evenkeel_engine.kit.catalogue import clauses_for
from evenkeel_engine.kit.question import judge


@pytest.mark.parametrize(("entries", "status"), [(10, "holds"), (11, "violated")])
def test_a_read_is_within_the_batch_size(entries: int, status: str) -> None:
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
    assert [v.status for v in judge(LOOP, checks, trial, observed, DOCUMENTED)] == [status]


def shared_trial(limit: int, commands: tuple[LoopCommand, ...]) -> LoopTrial:
    settings = LoopSettings(Mechanism.CLASSIC, 100, 5 * 1024 * 1024, 20, False, False, True)
    topic = LoopTopic((Entry(1, 100),) * 3, (Sort.SHARED,))
    nothing = DispatchRate()
    rates = LevelRates(nothing, DispatchRate(limit), nothing)
    return LoopTrial(settings, rates, (topic,), commands)


def status_of(trial: LoopTrial, results: tuple[LoopResult, ...], clause: str) -> str:
    checks = clauses_for(LOOP.name, DOCUMENTED, frozenset({clause}))
    observed = LoopAnswer(results)
    [verdict] = judge(LOOP, checks, trial, observed, DOCUMENTED)
    return verdict.status


@pytest.mark.parametrize(
    ("due", "expected"), [(7, "holds"), (2000, "holds"), (2001, "violated"), (10**9, "violated")]
)
def test_a_blocked_subscription_looks_again_within_a_period(due: int, expected: str) -> None:
    commands = (Flow(0, 1000), ReadNow(0), Complete(0, False), ReadNow(0))
    trial = shared_trial(1, commands)
    *before, last = LOOP.answer(trial, DOCUMENTED).results
    assert isinstance(last, SeenEvents)
    [event] = last.events
    assert isinstance(event, Blocked)
    assert event.reread_at == 1000
    late = SeenEvents((replace(event, reread_at=due),))
    assert status_of(trial, (*before, late), "THR-28") == expected


A_READ = (ReadIssued(0, False, 2, 5 * 1024 * 1024),)


@pytest.mark.parametrize(
    ("at_once", "later", "expected"),
    [((), A_READ, "holds"), (A_READ, (), "holds"), ((), (), "violated")],
)
def test_who_looks_when_a_limit_changes_need_not_look_at_the_time_set(
    at_once: tuple[LoopEvent, ...], later: tuple[LoopEvent, ...], expected: str
) -> None:
    change = ConfigureLevel(Level.TOPIC, DispatchRate(3))
    turn = (ReadNow(0), Complete(0, False))
    trial = shared_trial(1, (Flow(0, 10), *turn, ReadNow(0), change, AdvanceLoop(1000)))
    before = LOOP.answer(trial, DOCUMENTED).results[:-2]
    assert before[-1] == SeenEvents((Blocked(0, 1000),))
    results = (*before, SeenEvents(at_once), SeenEvents(later))
    assert status_of(trial, results, "THR-45") == expected


@pytest.mark.parametrize("ignored", [Seek(0, 1), Redeliver(0, 1)])
def test_requested_redeliveries_are_delivered(ignored: LoopCommand) -> None:
    turn = (ReadNow(0), Complete(0, isinstance(ignored, Redeliver)))
    first = (Flow(0, 1000), ReadNow(0), Complete(0, False))
    trial = shared_trial(100, (*first, ignored, *turn))
    obeyed = LOOP.answer(trial, DOCUMENTED).results
    assert status_of(trial, obeyed, "THR-66") == "holds"
    without = LOOP.answer(replace(trial, commands=(*first, *turn)), DOCUMENTED).results
    disobeyed = (*without[:3], SeenEvents(()), *without[3:])
    assert status_of(trial, disobeyed, "THR-66") == "violated"


READ = SeenEvents((ReadIssued(0, False, 1, 500),))
SILENT = SeenEvents(())


def delivery(entry: int, charged: tuple[Level, ...] = tuple(Level)) -> SeenEvents:
    """An entry of one message is delivered, and charged to these levels, if there are any."""
    events: tuple[LoopEvent, ...] = (Delivered(0, False, (entry,), 1, 100),)
    return SeenEvents((*events, Charged(0, charged, 1, 100)) if charged else events)


@pytest.mark.parametrize(
    ("again", "expected"), [(950, "violated"), (1000, "violated"), (1001, "holds"), (1700, "holds")]
)
def test_a_period_may_end_at_a_look_of_the_subject(again: int, expected: str) -> None:
    """The first look is after a period end between two commands; the second one within the same
    period, or a whole period after the earliest such end.
    """
    turn = (ReadNow(0), Complete(0, False))
    ask_again = (ReadNow(0), AdvanceLoop(900), Complete(0, False), ReadNow(0), AdvanceLoop(900))
    trial = shared_trial(1, (Flow(0, 1000), *turn, *ask_again))
    first = (SILENT, READ, delivery(0), SeenEvents((Blocked(0, 700),)), READ, delivery(1))
    results = (*first, SeenEvents((Blocked(0, again),)), READ)
    assert status_of(trial, results, "THR-28") == "holds"
    assert status_of(trial, results, "THR-41") == "holds"
    assert status_of(trial, results, "THR-39") == expected


def test_setting_a_limit_again_need_not_begin_a_period() -> None:
    again = ConfigureLevel(Level.TOPIC, DispatchRate(1))
    turn = (ReadNow(0), Complete(0, False), ReadNow(0), AdvanceLoop(500))
    trial = shared_trial(1, (Flow(0, 1000), AdvanceLoop(999), again, *turn))
    before = (SILENT, SILENT, SILENT, READ, delivery(0))
    assert status_of(trial, (*before, SeenEvents((Blocked(0, 1000),)), READ), "THR-39") == "holds"
    assert status_of(trial, (*before, SeenEvents((Blocked(0, 999),)), READ), "THR-39") == "violated"


def exclusive_trial(rates: LevelRates, *before_written: LoopCommand) -> LoopTrial:
    """One entry is delivered to an exclusive consumer, and written after these commands."""
    commands = (Flow(0, 1000), ReadNow(0), Complete(0, False), *before_written, Written(0, True))
    trial = shared_trial(1, commands)
    return replace(trial, rates=rates, topics=(LoopTopic((Entry(1, 100),), (Sort.EXCLUSIVE,)),))


def test_a_limit_set_after_a_delivery_is_not_charged_with_it() -> None:
    none = DispatchRate()
    limit = ConfigureLevel(Level.BROKER, DispatchRate(1))
    trial = exclusive_trial(LevelRates(none, none, none), limit)
    uncharged = (SILENT, READ, delivery(0, ()), SILENT, SILENT)
    assert status_of(trial, uncharged, "THR-40") == "holds"
    late = (*uncharged[:-1], SeenEvents((Charged(0, tuple(Level), 1, 100),)))
    assert status_of(trial, late, "THR-40") == "holds"
    limited = exclusive_trial(LevelRates(DispatchRate(1), none, none), limit)
    assert status_of(limited, uncharged, "THR-40") == "violated"
    lifted = exclusive_trial(limited.rates, ConfigureLevel(Level.BROKER, DispatchRate(-1)), limit)
    assert status_of(lifted, (*uncharged, SILENT), "THR-40") == "holds"


def test_only_levels_with_a_limit_are_named_as_not_charged() -> None:
    limited = LevelRates(DispatchRate(1), DispatchRate(), DispatchRate(1))
    trial = exclusive_trial(limited)
    checks = clauses_for(LOOP.name, DOCUMENTED, frozenset({"THR-40"}))
    charged = delivery(0, (Level.BROKER,))
    observed = LoopAnswer((SILENT, READ, charged, SILENT))
    [verdict] = judge(LOOP, checks, trial, observed, DOCUMENTED)
    assert verdict.sentence == "at 0 ms: 1 units and 100 bytes are not charged to the subscription"


DROPPED = SeenEvents((Ignored(0, Idle.OVERTAKEN),))


@pytest.mark.parametrize(
    ("again", "entry", "expected"),
    [
        ((0, 1), 0, "holds"),
        ((1, 0), 0, "violated"),
        ((0, 1), 1, "violated"),
        ((0, 1), 2, "violated"),
    ],
)
def test_a_read_is_dropped_for_an_earlier_entry_that_was_asked_for_since(
    again: tuple[int, int], entry: int, expected: str
) -> None:
    """An entry is asked for during the read, or before it; 1 is being read."""
    before, during = ((Redeliver(0, entry),) * count for count in again)
    read = (ReadNow(0), Complete(0, False))
    trial = shared_trial(100, (Flow(0, 9), *read, *before, ReadNow(0), *during, Complete(0, False)))
    asked = (SILENT,) * again[0], (SILENT,) * again[1]
    results = (SILENT, READ, delivery(0), *asked[0], READ, *asked[1], DROPPED)
    assert status_of(trial, results, "THR-66") == expected


@pytest.mark.parametrize(("entry", "expected"), [(0, "holds"), (1, "violated"), (2, "violated")])
def test_a_replay_is_dropped_for_an_earlier_entry(entry: int, expected: str) -> None:
    """Entry 1 is being read again."""
    first = (Flow(0, 9), ReadNow(0), Complete(0, False), Redeliver(0, 1), ReadNow(0))
    trial = shared_trial(100, (*first, Redeliver(0, entry), Complete(0, True)))
    before = LOOP.answer(trial, DOCUMENTED).results[:-1]
    assert status_of(trial, (*before, DROPPED), "THR-66") == expected


@pytest.mark.parametrize("reason", [*Idle])
def test_reasons_are_true_after_a_redelivery(reason: Idle) -> None:
    """Entry 0 is asked for again while 1 is being read; nothing is said to come of it."""
    first = (Flow(0, 9), ReadNow(0), Complete(0, False), ReadNow(0), Redeliver(0, 0))
    trial = shared_trial(100, (*first, Complete(0, False)))
    results = (SILENT, READ, delivery(0), READ, SILENT, SeenEvents((Ignored(0, reason),)))
    right = "holds" if reason is Idle.OVERTAKEN else "violated"
    assert status_of(trial, results, "THR-66") == right


NOTHING = SeenEvents((Ignored(0, Idle.NO_ENTRIES),))


@pytest.mark.parametrize(
    ("came", "expected"),
    [
        ((delivery(1, ()), READ, delivery(2, ())), "holds"),
        ((delivery(1, ()), READ, delivery(0, ())), "holds"),
        ((delivery(0, ()), READ, delivery(1, ())), "holds"),
        ((DROPPED, READ, delivery(0, ())), "holds"),
        ((DROPPED, READ, delivery(1, ())), "holds"),
        ((DROPPED, READ, delivery(2, ())), "violated"),
        ((delivery(0, ()), READ, delivery(0, ())), "violated"),
        ((DROPPED, NOTHING, NOTHING), "violated"),
        ((NOTHING, READ, delivery(1, ())), "violated"),
    ],
)
def test_an_exclusive_consumer_that_asks_during_a_read_loses_nothing(
    came: tuple[LoopResult, ...], expected: str
) -> None:
    """Entry 0 is asked for again while 1 is being read."""
    read = (ReadNow(0), Complete(0, False))
    trial = shared_trial(100, (Flow(0, 9), *read, ReadNow(0), Redeliver(0, 0), *read[1:], *read))
    topic = LoopTopic(trial.topics[0].entries, (Sort.EXCLUSIVE,))
    results = (SILENT, READ, delivery(0, ()), READ, SILENT, *came)
    assert status_of(replace(trial, topics=(topic,)), results, "THR-66") == expected


def exclusive_status(steps: tuple[tuple[LoopCommand, LoopResult], ...]) -> str:
    """The verdict of THR-66 on the results of an exclusive subscription, after permits came."""
    commands, results = zip((Flow(0, 9), SILENT), *steps, strict=True)
    trial = shared_trial(100, commands)
    topic = LoopTopic(trial.topics[0].entries, (Sort.EXCLUSIVE,))
    return status_of(replace(trial, topics=(topic,)), results, "THR-66")


RN, BACK = (ReadNow(0), READ), Complete(0, False)
ASKED: tuple[LoopCommand, LoopResult] = (Redeliver(0, 0), SILENT)


@pytest.mark.parametrize(
    ("more", "expected"), [((), "holds"), ((RN, (BACK, delivery(1, ()))), "violated")]
)
def test_each_request_may_bring_entries_again(
    more: tuple[tuple[LoopCommand, LoopResult], ...], expected: str
) -> None:
    """Two are made, each while 1 is being read."""
    once = (RN, (BACK, delivery(0, ())), RN, ASKED, (BACK, delivery(1, ())))
    last = (RN, (BACK, delivery(0, ())), RN, (BACK, delivery(1, ())))
    assert exclusive_status((*once, *once, *last, *more)) == expected


def test_what_a_former_consumer_got_comes_before_what_was_being_read() -> None:
    changed: tuple[LoopCommand, LoopResult] = (ChangeConsumer(0), SILENT)
    assert exclusive_status((RN, (BACK, delivery(0, ())), RN, changed, (BACK, DROPPED))) == "holds"


@pytest.mark.parametrize("reason", [Idle.READ_OUTSTANDING, Idle.NO_SUCH_READ])
def test_a_second_read_may_be_asked_for_at_a_request(reason: Idle) -> None:
    """The first is dropped; then the second is under way."""
    ignored = (ReadNow(0), SeenEvents((Ignored(0, reason),)))
    steps = (RN, (BACK, delivery(0, ())), RN, ASKED, RN, (BACK, DROPPED), ignored)
    right = "holds" if reason is Idle.READ_OUTSTANDING else "violated"
    assert exclusive_status((*steps, (BACK, delivery(0, ())))) == right


def test_a_seek_ends_the_reads_under_way() -> None:
    """Two were, and one after it comes back."""
    seek: tuple[LoopCommand, LoopResult] = (Seek(0, 0), SILENT)
    ignored = (ReadNow(0), SeenEvents((Ignored(0, Idle.READ_OUTSTANDING),)))
    steps = (RN, (BACK, delivery(0, ())), RN, ASKED, RN, seek, RN, (BACK, delivery(0, ())))
    assert exclusive_status((*steps, RN)) == "holds"
    assert exclusive_status((*steps, ignored)) == "violated"
