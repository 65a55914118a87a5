"""Whether a cluster rests: every hash has one owner that all name, and is open there alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final
from urllib.parse import urlsplit

from evenkeel.operate.cluster.http import Access, NoAnswer, request
from evenkeel.operate.live.admin import HASHES, Admin, topic_in
from evenkeel.operate.recording.findings import Margins
from evenkeel.operate.recording.metrics import Open, open_topics

IN_A_ROW: Final = 3
PATIENCE: Final = Margins().gap + 90
"""Seconds: the documented times, and those that brokers need to start."""


def find_problems(urls: Sequence[str], admin: Admin, topics: Sequence[str]) -> list[str]:
    """What keeps the cluster from resting now."""
    try:
        boundaries = admin.ask_boundaries()
    except NoAnswer as error:
        return [f"the namespace's bundles are not known: {error}"]
    if boundaries[0] != 0 or boundaries[-1] != HASHES or sorted(set(boundaries)) != boundaries:
        return [f"the bundles do not tile all hashes: {[hex(value) for value in boundaries]}"]
    opened = {urlsplit(url).netloc: open_at(url) for url in urls}
    found = [f"{broker} does not answer" for broker, topics_ in opened.items() if topics_ is None]
    for low, high in pairwise(boundaries):
        found += find_disagreement(f"0x{low:08x}_0x{high:08x}", topic_in(low, high), urls)[0]
    for topic in topics:
        disagreements, owner = find_disagreement(topic, topic, urls)
        found += disagreements
        holders = sorted(broker for broker, of in opened.items() if of and topic in of)
        if not disagreements and holders != [owner]:
            names = ", ".join(holders) or "no broker"
            found.append(f"{topic} is owned by {owner} and open at {names}")
    return found


def open_at(url: str) -> Open | None:
    """What a broker has open; None if it does not answer."""
    try:
        answer = request(f"{url}/metrics/", Access(), timeout=10)
        return open_topics(answer.body.decode(errors="replace")) if answer.good else None
    except NoAnswer:
        return None


def find_disagreement(what: str, topic: str, urls: Sequence[str]) -> tuple[list[str], str | None]:
    """Whether all brokers name the same one, and whom."""
    named = {urlsplit(url).netloc: named_by(url, topic) for url in urls}
    owners = set(named.values())
    if None in owners:
        silent = ", ".join(broker for broker, owner in named.items() if owner is None)
        return [f"{what}: {silent} names no owner"], None
    if len(owners) > 1:
        return [f"{what}: the brokers name {', '.join(sorted(filter(None, owners)))}"], None
    return [], owners.pop()


def named_by(url: str, topic: str) -> str | None:
    """Whom a broker names for a topic."""
    try:
        path = topic.replace("://", "/")
        answer = request(f"{url}/lookup/v2/topic/{path}", Access(), timeout=35)
        return urlsplit(answer.parse_json()["httpUrl"]).netloc if answer.good else None
    except (NoAnswer, KeyError, TypeError):
        return None


def wait_rest(
    urls: Callable[[], list[str]],
    admin: Admin,
    topics: Sequence[str],
    patience: float = PATIENCE,
    pause: float = 2.0,
) -> tuple[list[str], float]:
    """What still keeps the cluster from resting at the end; after how many seconds that was."""
    began, good, left = time.monotonic(), 0, ["not checked"]
    while good < IN_A_ROW:
        left = find_problems(urls(), admin, topics)
        good = 0 if left else good + 1
        if left and time.monotonic() - began > patience:
            return left, time.monotonic() - began
        time.sleep(pause)
    return [], time.monotonic() - began
