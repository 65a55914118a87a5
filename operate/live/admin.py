"""Operations by the admin interface of whichever broker answers."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count, pairwise
from typing import Any, Final

from evenkeel.operate.cluster.errors import ClusterUnusable
from evenkeel.operate.cluster.http import Access, Answer, NoAnswer, request
from evenkeel.reference.bundles.topics import topic_hash

TENANT: Final = "evenkeel"
NAMESPACE: Final = "evenkeel/live"
HASHES: Final = 0xFFFFFFFF
LONGEST: Final = 65.0
"""Seconds: an unload may take a minute."""

Urls = Callable[[], list[str]]


class Admin:
    """Requests; `urls` names brokers that may answer, best first."""

    def __init__(self, urls: Urls, access: Access | None = None) -> None:
        self.urls, self.access = urls, access or Access()

    def ask(self, method: str, path: str, body: object = None, timeout: float = LONGEST) -> Answer:
        """The first answer. Raises `NoAnswer`."""
        why = NoAnswer("no broker is up")
        for url in self.urls():
            try:
                return request(f"{url}/admin/v2/{path}", self.access, method, body, timeout)
            except NoAnswer as error:
                why = error
        raise why

    def require(self, method: str, path: str, body: object = None) -> None:
        """It must work. Raises `ClusterUnusable`."""
        try:
            answer = self.ask(method, path, body)
        except NoAnswer as error:
            raise ClusterUnusable(f"{method} {path}: {error}.") from error
        if not answer.good and answer.status != 409:  # it is there already
            text = answer.body[:200].decode(errors="replace")
            raise ClusterUnusable(f"{method} {path}: {answer.status} {text}.")

    def make_namespace(self, cluster: str, bundles: int, name: str = NAMESPACE) -> None:
        """Tenant and namespace, so divided."""
        self.require("PUT", f"tenants/{TENANT}", {"allowedClusters": [cluster], "adminRoles": []})
        self.require("PUT", f"namespaces/{name}", {"bundles": {"numBundles": bundles}})

    def ask_boundaries(self) -> list[int]:
        """Where the namespace's bundles begin and end. Raises `NoAnswer`."""
        if not (answer := self.ask("GET", f"namespaces/{NAMESPACE}/bundles", timeout=15)).good:
            raise NoAnswer(f"bundles: {answer.status}")
        return [int(text, 16) for text in answer.parse_json()["boundaries"]]


def find_around(boundaries: list[int], place: float) -> tuple[int, int]:
    """The bundle that has this place."""
    hash_ = int(place * HASHES)
    for low, high in pairwise(boundaries):
        if low <= hash_ < high or high == HASHES:
            return low, high
    raise NoAnswer("the namespace has no bundles")


def topic_in(low: int, high: int) -> str:
    """A topic whose hash is in this range, not in use."""
    for number in count():
        topic = f"persistent://{NAMESPACE}/hash-{number}"
        if low <= topic_hash(topic) < high:
            return topic
    raise AssertionError


def body_of(answer: Answer) -> dict[str, Any]:
    """For the recording."""
    text = answer.body[:200].decode(errors="replace")
    return {"status": answer.status, **({} if answer.good else {"said": text})}
