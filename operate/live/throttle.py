"""Dispatch limits measured: a backlog, real subscriptions, and what their clients are delivered,
compared with the bounds of `operate limits plan`.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final

from evenkeel.operate.cluster.errors import ClusterUnusable
from evenkeel.operate.cluster.http import NoAnswer
from evenkeel.operate.live.admin import TENANT, Admin
from evenkeel.operate.live.throttle_cases import LimitCase
from evenkeel.operate.plan import planning
from evenkeel.operate.plan.planning import RequestedLimit
from evenkeel.operate.recording.extra import import_needed, open_client

JITTER: Final = 0.2
"""Seconds by which one delivery may be longer under way than another. Deliveries that a client
met within k periods less this were dispatched within k periods; only those are compared with
the bound."""
STARVED: Final = 10
"""A subscription with a backlog starves after this many periods without a delivery."""
ABOVE: Final = "above the bound"
STARVES: Final = "starved"
BROKEN: Final = "above what precise mode promises (THR-52; known of 4.0)"
_SETTLES: Final = 3.0
"""Seconds until brokers have taken a policy."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """A message that came to a client: by this machine's monotonic clock; its bytes; to whom."""

    at: float
    size: int
    by: str = ""


@dataclass(slots=True)
class Deliveries:
    """Of one case; clients' threads add to it."""

    all: list[Delivery] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, size: int, by: str = "") -> None:
        """One more, now."""
        with self.lock:
            self.all.append(Delivery(time.monotonic(), size, by))


@dataclass(frozen=True, slots=True)
class MeasuredLine:
    """A line of the table: one unit of one case."""

    case: str
    level: str
    unit: str
    periods: int
    claim: int
    bound: int
    one_read: int
    """The bound if a subscription never reads twice at once, which takes redeliveries."""
    attained: int
    """The most in any window of that many periods, as clients met it."""
    held: int
    """The most in any such window less the jitter: what is compared with the bound."""
    mean: float
    """Of a period, over all the time."""
    longest_wait: float
    """Seconds without a delivery."""
    shared: float
    """How alike subscriptions' amounts are (`share_evenly`)."""
    promised: int = 0
    """The bound if precise flow control divided the quota, as documented (THR-30, THR-52); 4.0
    divides consumers' permits instead, so that its bound stays what it is without."""

    @property
    def verdict(self) -> str:
        """Compared with the bound and the rate."""
        if self.held > self.bound:
            return ABOVE
        if self.longest_wait > STARVED * max(self.bound / max(self.claim, 1), 1):
            return STARVES
        return BROKEN if self.promised and self.held > self.promised else "holds"


def most_within(
    deliveries: Sequence[Delivery], seconds: float, weigh: Callable[[Delivery], int]
) -> int:
    """The most in any window of that many seconds, its end left out."""
    best = total = begin = 0
    for _end, one in enumerate(deliveries):
        total += weigh(one)
        while one.at - deliveries[begin].at >= seconds:
            total -= weigh(deliveries[begin])
            begin += 1
        best = max(best, total)
    return best


def longest_wait(deliveries: Sequence[Delivery], began: float, ended: float) -> float:
    """The longest time without a delivery."""
    times = [began, *(one.at for one in deliveries), ended]
    return max(later - earlier for earlier, later in itertools.pairwise(times))


def share_evenly(amounts: Sequence[int]) -> float:
    """Jain's index: 1 if all got as much, one part of n if one of n got all, 0 of nothing."""
    return round(sum(amounts) ** 2 / max(len(amounts) * sum(one * one for one in amounts), 1), 2)


def lines_of(
    case: LimitCase,
    deliveries: Sequence[Delivery],
    began: float,
    ended: float,
    requested: RequestedLimit,
    promised: RequestedLimit | None = None,
) -> list[MeasuredLine]:
    """What was measured of a case, with its bounds, until `ended`, when it was stopped."""
    ordered = sorted(deliveries, key=lambda one: one.at)
    found = []
    single = planning.all_bounds(replace(requested, reads=max(requested.reads // 2, 1)))
    documented = planning.all_bounds(promised or requested)
    every = zip(planning.all_bounds(requested), single, documented, strict=True)
    for bounds, one_read, reported in every:
        if bounds.unit == "entries":
            continue  # clients see messages
        counts_bytes = bounds.unit == "bytes"

        def weigh(one: Delivery, counts_bytes: bool = counts_bytes) -> int:
            return one.size if counts_bytes else 1

        of_each = [0] * case.subscriptions
        for one in ordered:
            of_each[int(one.by or 0)] += weigh(one)
        rows = zip(bounds.rows, one_read.rows, reported.rows, strict=True)
        for row, once, sentence in itertools.islice(rows, 3):
            seconds = row.periods * case.period
            found.append(
                MeasuredLine(
                    case.name,
                    case.level,
                    bounds.unit,
                    row.periods,
                    row.limit,
                    row.window,
                    once.window,
                    most_within(ordered, seconds, weigh),
                    most_within(ordered, seconds - JITTER, weigh),
                    round(sum(of_each) / max(ended - began, 0.001) * case.period, 1),
                    round(longest_wait(ordered, began, ended) / case.period, 2),
                    share_evenly(of_each),
                    0 if promised is None else sentence.window,
                )
            )
    return found


@dataclass(frozen=True, slots=True)
class Modes:
    """Whether brokers count entries, and divide quotas by batch sizes; how many brokers."""

    by_entry: bool
    precise: bool
    brokers: int


class Bench:
    """Runs cases on a cluster that is up."""

    def __init__(self, service_url: str, admin: Admin, cluster: str) -> None:
        self.admin, self.cluster = admin, cluster
        self.client = open_client(service_url, None, None)

    def measure(
        self, case: LimitCase, number: int, seconds: float, modes: Modes
    ) -> list[MeasuredLine]:
        """One case. Raises `ClusterUnusable`."""
        requested = case.request_plan(modes.by_entry, False, modes.brokers)
        promised = replace(requested, precise=True) if modes.precise else None
        if case.worst:
            return lines_of(case, *self.play_worst(case, number, seconds), requested, promised)
        namespace = f"{TENANT}/throttle-{number}"
        self.admin.make_namespace(self.cluster, 4, namespace)
        topic = f"persistent://{namespace}/t"
        if case.partitions > 1:
            self.admin.require("PUT", f"persistent/{namespace}/t/partitions", case.partitions)
        names = [str(at) for at in range(case.subscriptions)]
        for name in names:
            self.subscribe(topic, name, case, None).close()
        self.limit(namespace, case, case.messages or -1, case.bytes or -1)
        count = case.size_backlog(seconds) * case.partitions
        self.fill(topic, case, count)
        time.sleep(_SETTLES)
        try:
            deliveries, began, ended = self.consume(topic, names, case, seconds)
        finally:
            self.limit(namespace, case, -1, -1)
        if len(deliveries) >= count * case.subscriptions:
            ended = max(one.at for one in deliveries)  # afterwards there was nothing to deliver
        return lines_of(case, deliveries, began, ended, requested, promised)

    def play_worst(
        self, case: LimitCase, number: int, seconds: float
    ) -> tuple[list[Delivery], float, float]:
        """One consumer holds what it was delivered without a limit. When the quota is whole a
        second one comes, so that a read waits for what is new. Then the first one leaves, so that
        its messages are read again for the second one, and as many new ones are sent.
        """
        namespace = f"{TENANT}/worst-{number}"
        self.admin.make_namespace(self.cluster, 4, namespace)
        topic = f"persistent://{namespace}/t"
        entries = case.of_one_read()
        deliveries = Deliveries()
        # It takes nothing out of its queue, which is as long as what it gets: no read waits for it.
        first = self.subscribe(topic, "s0", replace(case, queue=entries * case.batch), None)
        self.fill(topic, case, entries * case.batch)
        time.sleep(_SETTLES)
        self.limit(namespace, case, case.messages or -1, case.bytes or -1)
        time.sleep(_SETTLES + 2 * case.period)
        second = self.subscribe(
            topic, "s0", case, lambda _, message: deliveries.add(len(message.data()))
        )
        time.sleep(1.0)
        began = time.monotonic()
        first.close()
        self.fill(topic, case, entries * case.batch)
        time.sleep(seconds)
        ended = time.monotonic()
        self.limit(namespace, case, -1, -1)
        with deliveries.lock:
            taken = list(deliveries.all)
        with suppress(import_needed("pulsar").PulsarException):
            second.close()
        if len(taken) >= 2 * entries * case.batch:
            ended = max(one.at for one in taken)
        return taken, began, ended

    def limit(self, namespace: str, case: LimitCase, messages: int, bytes_: int) -> None:
        """Set the limit, or none (-1)."""
        rate = {
            "dispatchThrottlingRateInMsg": messages,
            "dispatchThrottlingRateInByte": bytes_,
            "ratePeriodInSecond": case.period,
        }
        if case.level == "broker":
            for key, value in list(rate.items())[:2]:
                self.admin.require("POST", f"brokers/configuration/{key}/{max(value, 0)}")
            return
        kind = "subscriptionDispatchRate" if case.level == "subscription" else "dispatchRate"
        self.admin.require("POST", f"namespaces/{namespace}/{kind}", rate)

    def fill(self, topic: str, case: LimitCase, count: int) -> None:
        """A backlog in entries of as many messages as the case wants."""
        pulsar = import_needed("pulsar")
        batches: dict[str, Any] = (
            {"batching_enabled": True, "batching_max_messages": case.batch}
            | {"batching_max_publish_delay_ms": 1000}
            if case.batch > 1
            else {}
        )
        producer = self.client.create_producer(topic, block_if_queue_full=True, **batches)
        failed: list[Any] = []

        def note_failure(result: Any, _: Any) -> None:
            if result != pulsar.Result.Ok:
                failed.append(result)

        for _ in range(count):
            producer.send_async(b"x" * case.size, note_failure)
        producer.flush()
        producer.close()
        if failed:
            raise ClusterUnusable(f"{topic}: a backlog of {count} could not be sent ({failed[0]}).")

    def subscribe(self, topic: str, name: str, case: LimitCase, listener: Any) -> Any:
        """A consumer of a shared subscription."""
        pulsar = import_needed("pulsar")
        return self.client.subscribe(
            topic,
            name,
            consumer_type=pulsar.ConsumerType.Shared,
            initial_position=pulsar.InitialPosition.Earliest,
            receiver_queue_size=case.queue,
            message_listener=listener,
        )

    def consume(
        self, topic: str, names: list[str], case: LimitCase, seconds: float
    ) -> tuple[list[Delivery], float, float]:
        """Let consumers come, and take down what they are delivered."""
        pulsar, deliveries = import_needed("pulsar"), Deliveries()

        def count_delivery(consumer: Any, message: Any) -> None:
            deliveries.add(len(message.data()), consumer.subscription_name())
            with suppress(pulsar.PulsarException):
                consumer.acknowledge(message)

        began = time.monotonic()
        consumers = [
            self.subscribe(topic, name, case, count_delivery)
            for name in names
            for _ in range(case.consumers)
        ]
        time.sleep(seconds)
        ended = time.monotonic()
        with deliveries.lock:
            taken = list(deliveries.all)
        for consumer in consumers:
            with suppress(pulsar.PulsarException):
                consumer.close()
        return taken, began, ended

    def close(self) -> None:
        """End."""
        with suppress(import_needed("pulsar").PulsarException):
            self.client.shutdown()


def modes_of(admin: Admin, brokers: int) -> Modes:
    """How these brokers count. Raises `ClusterUnusable`."""
    try:
        answer = admin.ask("GET", "brokers/configuration/runtime", timeout=20)
        found = answer.parse_json() if answer.good else {}
    except NoAnswer as error:
        raise ClusterUnusable(f"The brokers' settings are not known: {error}.") from error
    by_entry = found.get("dispatchThrottlingOnBatchMessageEnabled") == "true"
    return Modes(by_entry, found.get("preciseDispatcherFlowControl") == "true", brokers)
