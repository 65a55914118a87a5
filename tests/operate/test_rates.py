"""Deliveries of a recording compared with the bounds of dispatch limits."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from evenkeel.operate.recording.entries import Entry
from evenkeel.operate.recording.rates import Rates, judge_rates
from evenkeel.operate.recording.store import read_entries
from evenkeel.reference.edition import DOCUMENTED, PULSAR_4_0, Edition
from evenkeel.reference.throttling.overdelivery import Setting, most_in_window, most_of_bucket
from tests.operate.entries_made import RECORDED

TOPIC, BROKER = "persistent://t/n/x", "127.0.0.1:1001"
MODES = {"broker": [0, 0, 1], "entries": 100, "by_entry": False, "always": True}
NONE = [0, 0, 1]
SETTING = Setting(10, 100, 1, 2)


def brokers(at: int, **changes: Any) -> Entry:
    return Entry(at, at, "limit", None, None, None, {**MODES, **changes})


def limit(at: int, subscription: list[int], topic: list[int] = NONE) -> Entry:
    data = {"topic": topic, "subscriptions": {"s": subscription}}
    return Entry(at, at, "limit", None, TOPIC, None, data)


def probe(at: int, **delivered: int) -> Entry:
    return Entry(at, at, "serving", BROKER, None, None, {TOPIC: [1, 1, 0, delivered]})


def judge_entries(
    reported: Iterable[Entry], batch: int | None = 1, edition: Edition = DOCUMENTED
) -> Rates:
    return judge_rates(sorted(reported, key=lambda one: one.time), batch, edition)


def repeat_entries(
    subscription: Callable[[int], list[int]] | list[int], topic: list[int] = NONE, **changes: Any
) -> list[Entry]:
    """What applies, as it is recorded every five seconds."""
    at_all = subscription if callable(subscription) else lambda _: subscription
    return [
        one
        for at in range(0, 40_000, 5_000)
        for one in (brokers(at, **changes), limit(at, at_all(at), topic))
    ]


def story(burst: int, *, limits: Iterable[Entry] | None = None, step: int = 0) -> list[Entry]:
    """A limit of ten a second from 0 s on; `burst` messages between 20 and 21 s."""
    every = repeat_entries([10, 0, 1]) if limits is None else list(limits)
    counts = {at: step * at // 1000 + burst * (at > 20_000) for at in range(0, 40_000, 1_000)}
    return [*every, *(probe(at + 1, s=count) for at, count in counts.items())]


def test_no_more_than_the_bound_is_no_finding() -> None:
    # Between two probes a second apart there is one period and a part of another.
    found = judge_entries(story(most_in_window(SETTING, 1)))
    assert found.found == {}
    assert found.windows > 20
    assert 0.9 < found.worst <= 1.0
    assert judge_entries(story(0, step=10)).found == {}
    assert judge_entries(story(5000, limits=[brokers(0), limit(0, NONE)])).list_findings() == []
    assert judge_entries(story(5000, limits=[]), None).list_findings() == []


def test_one_more_than_the_bound_is_found() -> None:
    (one,) = judge_entries(story(most_in_window(SETTING, 1) + 1)).found.values()
    assert (one.clause, one.violated) == ("THR-50", True)
    assert TOPIC in one.subject
    assert "where a limit of 10 in 1 s lets" in one.sentence
    steady = judge_entries(story(0, step=13))  # never much within one second
    assert {one.clause for one in steady.found.values()} == {"THR-50"}


def test_the_bucket_of_4_0_has_a_bound_of_its_own() -> None:
    between = most_of_bucket(SETTING, 1)
    (known,) = judge_entries(story(between), edition=PULSAR_4_0).found.values()
    assert known.clause == "THR-50"
    (above,) = judge_entries(story(between + 1), edition=PULSAR_4_0).found.values()
    assert above.clause == "THR-54"


def test_batches_let_more_through() -> None:
    burst = most_in_window(SETTING, 1) + 1
    assert judge_entries(story(burst), batch=2).found == {}
    assert judge_entries(story(most_in_window(Setting(10, 100, 2, 2), 1) + 1), batch=2).found


def test_a_change_of_the_limit_counts_from_when_it_is_settled() -> None:
    changed = repeat_entries(lambda at: [1000, 0, 1] if at < 17_000 else [10, 0, 1])
    assert judge_entries(story(500, limits=changed)).found == {}
    away = repeat_entries(lambda at: [10, 0, 1] if at < 20_001 else NONE)
    assert judge_entries(story(500, limits=away)).found == {}  # no probe saw that it still applied


@pytest.mark.parametrize("edition", [DOCUMENTED, PULSAR_4_0])
def test_topics_and_brokers_have_limits_of_their_own(edition: Edition) -> None:
    at_topic, at_broker = repeat_entries(NONE, [10, 0, 1]), repeat_entries(NONE, broker=[10, 0, 1])
    for limits, word in ((at_topic, "topic"), (at_broker, "broker")):
        (one,) = judge_entries(story(200, limits=limits), edition=edition).found.values()
        assert one.subject.startswith(word)


def test_a_broker_that_counts_again_is_no_finding() -> None:
    back = [
        one._replace(data={TOPIC: [1, 1, 0, {"s": one.data[TOPIC][3]["s"] - 150}]})
        if one.source == "serving" and one.time > 20_000
        else one
        for one in story(0, step=10)
    ]
    assert judge_entries(back).found == {}


@pytest.mark.parametrize(
    ("batch", "changes", "rate", "word"),
    [
        (None, {}, [10, 0, 1], "batch"),
        (1, {"always": False}, [10, 0, 1], "without a backlog"),
        (1, {}, [0, 1000, 1], "bytes"),
    ],
)
def test_unknown_where_the_recording_cannot_tell(
    batch: int | None, changes: dict[str, Any], rate: list[int], word: str
) -> None:
    limits = repeat_entries(rate, **changes)
    (one,) = judge_entries(story(5000, limits=limits), batch).list_findings()
    assert (one.clause, one.violated) == (None, False)
    assert word in one.sentence
    assert TOPIC in one.subject


@pytest.mark.parametrize("level", ["subscription", "topic", "broker"])
def test_the_recorded_limits_hold_and_smaller_ones_would_not(level: str) -> None:
    kept = list(read_entries(RECORDED / "limits-4.0.8", ("limit", "serving")))
    held = judge_rates(kept, 1, PULSAR_4_0)
    assert held.list_findings() == []
    assert held.windows > 50
    for one in kept:
        if one.source == "limit":  # a tenth of what this level lets through
            rates = one.data.get(f"{level}s" if level == "subscription" else level, [])
            for rate in rates.values() if isinstance(rates, dict) else [rates] if rates else []:
                rate[0] //= 10
    found = judge_rates(kept, 1, PULSAR_4_0).list_findings()
    assert found
    assert {one.subject.split()[0] for one in found} == {level}
