"""What a broker has open, from the text of its own metrics."""

from __future__ import annotations

import re
from typing import Any, Final

LINE: Final = re.compile(r"^pulsar_(\w+)\{(.*)\} (\S+)$", re.MULTILINE)
"""A sample: its name, its labels, its value."""
LABEL: Final = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')
_PLACE: Final = {"producers_count": 0, "consumers_count": 1, "in_messages_total": 2}
_DELIVERED: Final = "out_messages_total"
OWN: Final = ("pulsar/", "sla-monitor/")
"""Namespaces that brokers keep for themselves."""

Open = dict[str, list[Any]]
"""Topic to [producers, consumers, messages in, {subscription: messages out}]."""


def open_topics(text: str) -> Open:
    """The topics that are open, but for those of the brokers themselves."""
    found: Open = {}
    for kind, labels, number in LINE.findall(text):
        if kind not in _PLACE and kind != _DELIVERED:
            continue
        named = dict(LABEL.findall(labels))
        topic, namespace = named.get("topic"), named.get("namespace", "")
        if topic is None or namespace.startswith(OWN):
            continue
        counts = found.setdefault(topic, [0, 0, 0, {}])
        count = int(float(number))
        if kind in _PLACE:
            counts[_PLACE[kind]] = count
        elif "subscription" in named:
            counts[3][named["subscription"]] = count
    return found
