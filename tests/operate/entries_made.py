"""Entries of a recording, as a test wants them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from evenkeel.operate.recording.entries import Entry

A, B = "127.0.0.1:1", "127.0.0.1:2"
TOPIC = "persistent://t/n/x"
SECOND = 1000
RECORDED = Path(__file__).parents[2] / "counterexamples" / "recorded-clusters"


def entry(
    at: float, source: str, data: Any, broker: str | None = None, subject: str | None = None
) -> Entry:
    """At a second, asked 0.1 s before."""
    time = int(at * SECOND)
    return Entry(time - 100, time, source, broker, subject, None, data)


def serving(at: float, broker: str, messages: int | None) -> Entry:
    """The topic is open with a client; None: the broker does not answer."""
    data = None if messages is None else {TOPIC: [1, 0, messages, {}]}
    return entry(at, "serving", data, broker)
