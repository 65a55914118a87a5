"""Which dispatch limits are in force: asked of the admin interface, again and again."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from threading import Event
from typing import Any, Final
from urllib.parse import quote

from evenkeel.operate.cluster.http import NoAnswer
from evenkeel.operate.recording.store import Store
from evenkeel.operate.recording.target import Target
from evenkeel.reference.java_text import LONGS, parse

PER_PROBE: Final = 3
"""Probes of what is open for each look at limits."""
Open = Mapping[str, set[str]]
"""Topics that are open, with their subscriptions."""
Rate = list[int]
"""Messages and bytes in a period, and its seconds; 0: no limit."""
PARTITION: Final = re.compile(r"-partition-\d+$")
KEYS: Final = ("dispatchThrottlingRateInMsg", "dispatchThrottlingRateInByte")


class LimitsFollower:
    """Asks for the brokers' limits, and for those of topics and subscriptions that are open."""

    def __init__(
        self, target: Target, store: Store, stop: Event, every: float, open_: Callable[[], Open]
    ) -> None:
        self.target, self.store, self.stop = target, store, stop
        self.every, self.open = every * PER_PROBE, open_

    def follow(self) -> None:
        """Ask until the end."""
        while not self.stop.wait(self.every):
            if known := self.target.ask_known():
                self.ask(known[0])

    def ask(self, broker: str) -> None:
        """Ask one broker for all limits. What it does not tell is not recorded."""
        with suppress(NoAnswer):
            answer = self.target.ask(broker, "admin/v2/brokers/configuration/runtime")
            settings = answer.parse_json() if answer.good else None
            if isinstance(settings, dict):
                self.store.add("limit", of_brokers(settings))
        for topic, subscriptions in sorted(self.open().items()):
            if self.stop.is_set():
                return
            path = PARTITION.sub("", topic).replace("://", "/")  # policies are of all partitions
            try:
                of_topic = self.find_rate(broker, f"{path}/dispatchRate")
                each = {
                    name: self.find_rate(broker, f"{path}/{quote(name, safe='')}/dispatchRate")
                    for name in sorted(subscriptions)
                }
            except NoAnswer:
                continue
            self.store.add("limit", {"topic": of_topic, "subscriptions": each}, subject=topic)

    def find_rate(self, broker: str, path: str) -> Rate:
        """The limit in force, from whichever place it comes. Raises `NoAnswer`."""
        if not (answer := self.target.ask(broker, f"admin/v2/{path}?applied=true")).good:
            raise NoAnswer(str(answer.status))
        return rate_of(answer.parse_json() if answer.body.strip() else None)


def rate_of(data: Any) -> Rate:
    """A rate as the admin interface tells it; null is none. Raises `NoAnswer`."""
    if data is None:
        return [0, 0, 1]
    try:
        return [
            max(int(data["dispatchThrottlingRateInMsg"]), 0),
            max(int(data["dispatchThrottlingRateInByte"]), 0),
            max(int(data.get("ratePeriodInSecond", 1)), 1),
        ]
    except (KeyError, TypeError, ValueError):
        raise NoAnswer("a rate that is none") from None


def of_brokers(settings: Mapping[str, str]) -> dict[str, Any]:
    """What holds for every broker: its own limit, and how limits are kept."""
    numbers = [settings.get(key, "0") for key in KEYS]
    return {
        "broker": [*(max(parse(one, 10, LONGS) or 0, 0) for one in numbers), 1],
        "entries": parse(settings.get("dispatcherMaxReadBatchSize", "100"), 10, LONGS) or 0,
        "by_entry": settings.get("dispatchThrottlingOnBatchMessageEnabled") == "true",
        "always": settings.get("dispatchThrottlingOnNonBacklogConsumerEnabled", "true") == "true",
    }
