"""The dispatch loop over several periods: deliveries and remaining quotas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from evenkeel.reference.edition import BASE_EDITIONS, DOCUMENTED, PULSAR_4_0, Edition
from evenkeel.reference.throttling import loop
from evenkeel.reference.throttling.limiter import Mechanism
from evenkeel.reference.throttling.loop import (
    Broker,
    Charged,
    Delivered,
    Entry,
    Idle,
    Ignored,
    LevelRates,
    LoopConfig,
    NoQuota,
    ReadIssued,
    Sort,
    Step,
)
from evenkeel.reference.throttling.rates import LEVELS, DispatchRate, Level

each_edition = pytest.mark.parametrize("edition", BASE_EDITIONS.values(), ids=BASE_EDITIONS)
SHIPPED = LoopConfig(Mechanism.CLASSIC, 100, 5 * 1024 * 1024, 20, False, False, True)
PRECISE = replace(SHIPPED, precise=True)
BY_ENTRY = replace(SHIPPED, by_entry=True)
NOTHING = DispatchRate()


def topic_limit(rate: int) -> LevelRates:
    """A limit in messages per second for each topic."""
    return LevelRates(NOTHING, DispatchRate(rate), NOTHING)


def backlog(messages: int, count: int = 1000) -> list[Entry]:
    """Entries with the same number of messages each."""
    return [Entry(messages, 100)] * count


def broker_of(
    config: LoopConfig,
    rates: LevelRates,
    topics: Sequence[tuple[Sequence[Entry], Sequence[Sort]]],
    edition: Edition,
    average: float = 0.0,
) -> Broker:
    """A broker whose consumers take all entries and have been sent such batches before."""
    broker = loop.start(config, rates, topics, edition)
    subscriptions = tuple(
        replace(own, permits=10**6, average=average) for own in broker.subscriptions
    )
    return replace(broker, subscriptions=subscriptions)


def run_period(broker: Broker, edition: Edition) -> tuple[Broker, list[Delivered]]:
    """All subscriptions read and then all deliver, repeatedly until none delivers."""
    delivered: list[Delivered] = []
    everyone = range(len(broker.subscriptions))
    while True:
        for index in everyone:
            broker, _ = loop.read(broker, index, edition)
        before = len(delivered)
        for index in everyone:
            broker, events = loop.complete(broker, index, False, edition)
            delivered += [event for event in events if isinstance(event, Delivered)]
            broker, _ = loop.written(broker, index, True, edition)
        if len(delivered) == before:
            return broker, delivered


def per_period(broker: Broker, count: int, edition: Edition) -> list[int]:
    """Messages delivered in each of `count` periods of a second."""
    found = []
    for _ in range(count):
        broker, delivered = run_period(broker, edition)
        found.append(sum(event.messages for event in delivered))
        broker, _ = loop.advance(broker, 1000, edition)
    return found


@pytest.mark.parametrize(
    ("rate", "config", "messages", "edition", "periods"),
    [
        pytest.param(10, SHIPPED, 6, PULSAR_4_0, [60, 0, 0, 0, 0, 0, 60], id="vector 10"),
        pytest.param(10, PRECISE, 6, DOCUMENTED, [12, 12, 6, 12, 12, 6], id="vector 11"),
        pytest.param(10, PRECISE, 6, PULSAR_4_0, [60, 0, 0, 0, 0, 0, 60], id="not 11"),
        pytest.param(10, BY_ENTRY, 6, DOCUMENTED, [60, 60, 60], id="vector 12, documented"),
        pytest.param(10, BY_ENTRY, 6, PULSAR_4_0, [60, 60, 60], id="vector 12"),
        pytest.param(30, SHIPPED, 10, PULSAR_4_0, [300, *[0] * 9, 300], id="vector 13"),
        pytest.param(30, PRECISE, 10, DOCUMENTED, [30, 30, 30], id="vector 13, documented"),
    ],
)
@pytest.mark.parametrize("sort", Sort)
def test_batches(
    rate: int, config: LoopConfig, messages: int, edition: Edition, periods: list[int], sort: Sort
) -> None:
    topics = [(backlog(messages), [sort])]
    broker = broker_of(config, topic_limit(rate), topics, edition, float(messages))
    assert per_period(broker, len(periods), edition) == periods


@each_edition
def test_vector_14_small_reads(edition: Edition) -> None:
    config = replace(SHIPPED, max_batch=3)
    broker = broker_of(config, topic_limit(10), [(backlog(1), [Sort.SHARED])], edition)
    _, delivered = run_period(broker, edition)
    assert [event.messages for event in delivered] == [3, 3, 3, 1]


@pytest.mark.parametrize(
    ("readers", "messages", "periods"),
    [(1, 1, [10, 10]), (2, 1, [20, 0, 20, 0]), (3, 1, [30, 0, 0, 30]), (2, 6, [120, *[0] * 11])],
)
@pytest.mark.parametrize("sort", Sort)
@each_edition
def test_vector_15_readers_that_share_a_quota(
    readers: int, messages: int, periods: list[int], sort: Sort, edition: Edition
) -> None:
    topics = [(backlog(messages), [sort] * readers)]
    broker = broker_of(SHIPPED, topic_limit(10), topics, edition)
    assert per_period(broker, len(periods), edition) == periods


@each_edition
def test_vector_23_every_partition_has_its_own_quota(edition: Edition) -> None:
    topics = [(backlog(1), [Sort.SHARED])] * 2
    broker = broker_of(SHIPPED, topic_limit(10), topics, edition)
    assert per_period(broker, 3, edition) == [20, 20, 20]
    shared = LevelRates(DispatchRate(10), NOTHING, NOTHING)
    broker = broker_of(SHIPPED, shared, topics, edition)
    assert per_period(broker, 4, edition) == [20, 0, 20, 0]


# -------------------------------------------------------------------------------- one step


@pytest.fixture
def shared() -> Broker:
    """One shared subscription of a topic with ten messages, five a second."""
    return broker_of(SHIPPED, topic_limit(5), [(backlog(1, 10), [Sort.SHARED])], PULSAR_4_0)


def run(broker: Broker, *steps: str) -> Step:
    """Steps of the only subscription by name; the last one's events."""
    events: Step = (broker, ())
    for step in steps:
        broker = events[0]
        if step == "read":
            events = loop.read(broker, 0, PULSAR_4_0)
        elif step == "written":
            events = loop.written(broker, 0, True, PULSAR_4_0)
        else:
            events = loop.complete(broker, 0, step == "complete replay", PULSAR_4_0)
    return events


def test_a_replay_and_a_normal_read_use_the_same_quota(
    shared: Broker,
) -> None:
    broker, _ = run(shared, "read", "complete")
    broker, _ = loop.advance(broker, 1000, PULSAR_4_0)
    broker, events = run(broker, "read")
    assert events == (ReadIssued(0, False, 5, 5 * 1024 * 1024),)
    broker = loop.redeliver(broker, 0, 1)
    broker, events = run(broker, "read")
    assert events == (ReadIssued(0, True, 1, 5 * 1024 * 1024),)
    broker, events = run(broker, "read")
    assert events == (Ignored(0, Idle.READ_OUTSTANDING),)
    broker, events = run(broker, "complete replay")
    assert events == (Delivered(0, True, (1,), 1, 100), Charged(0, LEVELS, 1, 100))
    broker, events = run(broker, "complete")
    assert events == (Delivered(0, False, (5, 6, 7, 8, 9), 5, 500), Charged(0, LEVELS, 5, 500))
    broker, _ = loop.advance(broker, 1000, PULSAR_4_0)
    broker, events = run(broker, "read")
    assert events == (ReadIssued(0, False, 4, 5 * 1024 * 1024),)


def test_one_second_look_at_a_time(shared: Broker) -> None:
    broker, events = run(shared, "read", "complete", "read")
    assert events == (NoQuota(0, 1000),)
    broker, seen = loop.advance(broker, 400, PULSAR_4_0)
    assert seen == ()
    broker, events = run(broker, "read")
    assert events == (NoQuota(0, 1000),)
    broker, seen = loop.advance(broker, 5000, PULSAR_4_0)
    assert seen == (ReadIssued(0, False, 5, 5 * 1024 * 1024),)


def test_the_quota_is_seen_at_the_second_look_not_at_the_end_of_the_period(
    shared: Broker,
) -> None:
    broker, _ = run(shared, "read", "complete")
    broker, _ = loop.advance(broker, 700, PULSAR_4_0)
    broker, events = run(broker, "read")
    assert events == (NoQuota(0, 1700),)
    broker, seen = loop.advance(broker, 999, PULSAR_4_0)
    assert seen == ()
    assert loop.advance(broker, 1, PULSAR_4_0)[1] == (ReadIssued(0, False, 5, 5 * 1024 * 1024),)


def test_an_exclusive_delivery_is_charged_when_written() -> None:
    topics = [(backlog(1, 20), [Sort.EXCLUSIVE])]
    broker = broker_of(SHIPPED, topic_limit(5), topics, PULSAR_4_0)
    broker, events = run(broker, "read", "complete")
    assert events == (Delivered(0, False, (0, 1, 2, 3, 4), 5, 500),)
    broker, events = run(broker, "read", "complete")
    assert events == (Delivered(0, False, (5, 6, 7, 8, 9), 5, 500),)
    broker, events = run(broker, "written", "written")
    assert events == (Charged(0, LEVELS, 5, 500),)
    broker, _ = loop.advance(broker, 1000, PULSAR_4_0)
    assert run(broker, "read")[1] == (NoQuota(0, 2000),)


def test_a_failed_write_is_not_charged() -> None:
    topics = [(backlog(1, 20), [Sort.EXCLUSIVE])]
    broker = broker_of(SHIPPED, topic_limit(5), topics, PULSAR_4_0)
    broker, _ = run(broker, "read", "complete")
    broker, events = loop.written(broker, 0, False, PULSAR_4_0)
    assert events == ()
    assert run(broker, "read")[1] == (ReadIssued(0, False, 5, 5 * 1024 * 1024),)


def test_a_read_for_a_former_consumer_is_dropped_and_entries_stay_in_order() -> None:
    topics = [(backlog(1, 20), [Sort.EXCLUSIVE])]
    broker = broker_of(SHIPPED, topic_limit(5), topics, PULSAR_4_0)
    broker, _ = run(broker, "read", "complete", "written")
    broker, _ = loop.advance(broker, 1000, PULSAR_4_0)
    broker, _ = run(broker, "read")
    broker = loop.flow(loop.change_consumer(broker, 0, PULSAR_4_0), 0, 1000)
    broker, events = run(broker, "complete")
    assert events == (Ignored(0, Idle.CONSUMER_CHANGED),)
    _, events = run(broker, "read", "complete")
    assert events == (Delivered(0, False, (0, 1, 2, 3, 4), 5, 500),)


def test_entries_beyond_the_permits_are_left_uncharged_for_a_replay(shared: Broker) -> None:
    config = replace(SHIPPED, round_robin=2)
    own = replace(shared.subscriptions[0], permits=3)
    broker = replace(shared, config=config, subscriptions=(own,))
    broker, _ = run(broker, "read")
    own = replace(broker.subscriptions[0], permits=2)
    broker, events = run(replace(broker, subscriptions=(own,)), "complete")
    assert events == (Delivered(0, False, (0, 1), 2, 200), Charged(0, LEVELS, 2, 200))
    broker = loop.flow(broker, 0, 10)
    broker, events = run(broker, "read")
    assert events == (ReadIssued(0, True, 1, 5 * 1024 * 1024),)


@pytest.mark.parametrize(
    ("edition", "charged"), [(DOCUMENTED, True), (PULSAR_4_0, False)], ids=["DOCUMENTED", "4.0"]
)
def test_the_cursors_flag_may_change_between_read_and_charge(
    edition: Edition, charged: bool
) -> None:
    config = replace(SHIPPED, non_backlog=False)
    broker = broker_of(config, topic_limit(5), [(backlog(1, 10), [Sort.SHARED])], edition)
    broker, _ = loop.read(broker, 0, edition)
    broker = loop.set_active(broker, 0, True)
    broker, events = loop.complete(broker, 0, False, edition)
    assert any(isinstance(event, Charged) for event in events) is charged


def test_a_new_bucket_after_every_change_of_the_rate() -> None:
    config = replace(SHIPPED, mechanism=Mechanism.BUCKET)
    broker = broker_of(config, topic_limit(5), [(backlog(1, 10), [Sort.SHARED])], PULSAR_4_0)
    broker, _ = run(broker, "read", "complete")
    broker = loop.configure(broker, Level.TOPIC, DispatchRate(5), PULSAR_4_0)
    assert run(broker, "read")[1] == (ReadIssued(0, False, 5, 5 * 1024 * 1024),)


@each_edition
@pytest.mark.parametrize("sort", list(Sort))
def test_a_new_consumer_reads_what_was_not_acknowledged(sort: Sort, edition: Edition) -> None:
    broker = broker_of(SHIPPED, topic_limit(100), [(backlog(1, 3), [sort])], edition)
    broker, _ = loop.read(broker, 0, edition)
    broker, _ = loop.complete(broker, 0, False, edition)
    broker = loop.flow(loop.change_consumer(broker, 0, edition), 0, 10)
    broker, asked = loop.read(broker, 0, edition)
    assert [type(event) for event in asked] == [ReadIssued]
    assert isinstance(asked[0], ReadIssued)
    assert not asked[0].replay
    broker, events = loop.complete(broker, 0, False, edition)
    assert isinstance(events[0], Delivered)
    assert events[0].entries == (0, 1, 2)


@each_edition
@pytest.mark.parametrize("sort", list(Sort))
def test_a_read_of_a_former_consumer_is_dropped(sort: Sort, edition: Edition) -> None:
    broker = broker_of(SHIPPED, topic_limit(100), [(backlog(1, 3), [sort])], edition)
    broker, _ = loop.read(broker, 0, edition)
    broker = loop.flow(loop.change_consumer(broker, 0, edition), 0, 10)
    broker, events = loop.complete(broker, 0, False, edition)
    assert events == (Ignored(0, Idle.CONSUMER_CHANGED),)
