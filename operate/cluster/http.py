"""Requests to a cluster's admin interface: TLS and token, redirects followed on request."""

from __future__ import annotations

import http.client
import json
import re
import ssl
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

from evenkeel.operate.cluster.errors import ClusterUnusable

MOST_REDIRECTS: Final = 5
_NAME: Final = re.compile(r"[!-~]{1,300}")
"""What the name of a cluster or a broker may be: printable ASCII without spaces."""
LARGEST: Final = 64 << 20
"""Bytes of an answer that are read."""


class NoAnswer(Exception):
    """No server answered in time: why."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server answered."""

    status: int
    body: bytes
    location: str | None = None

    @property
    def good(self) -> bool:
        """Whether it did what was asked."""
        return 200 <= self.status < 300

    def parse_json(self) -> Any:
        """The body. Raises `NoAnswer` if it is no JSON."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            raise NoAnswer(f"an answer ({self.status}) that is no JSON") from None

    def parse_names(self) -> list[str]:
        """The body, a list of names. Raises `NoAnswer`."""
        found: list[str] = self.parse_json()
        names = isinstance(found, list) and all(isinstance(one, str) for one in found)
        if not names or not all(map(_NAME.fullmatch, found)):
            raise NoAnswer("an answer that is no list of names")
        return found

    def parse_fields(self) -> dict[str, str]:
        """The texts in the body, an object. Raises `NoAnswer`."""
        found = self.parse_json()
        if not isinstance(found, dict):
            raise NoAnswer("an answer that is no object")
        return {key: value for key, value in found.items() if isinstance(value, str)}


def why_no_token(text: str) -> str:
    """Why a text cannot be sent as a token, without it; empty if it can: visible ASCII alone."""
    if not text:
        return "holds no token"
    found = next((at for at, one in enumerate(text) if not "!" <= one <= "~"), None)
    if found is None:
        return ""
    return f"holds no token alone: character {found + 1} is U+{ord(text[found]):04X}"


@dataclass(frozen=True, slots=True)
class Access:
    """What a cluster wants to see of a client."""

    token: str | None = None
    authorities: str | None = None
    """A file of certificates to trust; None: those of the system."""
    token_for: tuple[str, ...] | None = None
    """Addresses (scheme, host and port) that the token was given for; None: the first requested."""

    def for_hosts(self, urls: Iterable[str]) -> Access:
        """The same, its token for these addresses alone."""
        return replace(self, token_for=tuple(map(origin_of, urls)))

    def open_context(self) -> ssl.SSLContext:
        """For https. Raises `ClusterUnusable`."""
        try:
            return ssl.create_default_context(cafile=self.authorities)
        except (OSError, ssl.SSLError) as error:
            raise ClusterUnusable(f"--tls-trust-certs {self.authorities}: {error}.") from error


def parts_of(url: str) -> tuple[SplitResult, int]:
    """An address, and its port. Raises `ClusterUnusable` for what is none."""
    try:
        parts = urlsplit(url)
        port = parts.port or {"http": 80, "https": 443}[parts.scheme]
        if parts.hostname:
            return parts, port
    except (ValueError, KeyError):
        pass
    raise ClusterUnusable(
        f"{url} is no address: it must be of the form http://HOST:PORT or https://HOST:PORT."
    )


def origin_of(url: str) -> str:
    """Scheme, host and port of an address: what a token is given for. Raises `ClusterUnusable`."""
    parts, port = parts_of(url)
    return f"{parts.scheme}://{(parts.hostname or '').lower()}:{port}"


def request(
    url: str,
    access: Access,
    method: str = "GET",
    body: object = None,
    timeout: float = 10,
    follow: bool = True,
) -> Answer:
    """Send a request, and follow redirects with the same method and body.

    Raises `NoAnswer`, also where the token would go to an address that it was not given for.
    """
    if access.token_for is None:
        access = access.for_hosts([url])
    for _ in range(MOST_REDIRECTS):
        require_given(url, access)
        answer = once(url, access, method, body, timeout)
        if not (follow and answer.status in (301, 302, 307, 308) and answer.location):
            return answer
        url = answer.location
        try:
            origin_of(url)
        except ClusterUnusable:
            raise NoAnswer("a redirect to what is no address") from None
    raise NoAnswer("redirects that do not end")


def require_given(url: str, access: Access) -> None:
    """Raises `NoAnswer` where a token was given, but not for this address."""
    given = access.token_for or ()
    if access.token is not None and origin_of(url) not in given:
        raise NoAnswer(
            f"{origin_of(url)} is not sent the token, which was given for {', '.join(given)}; name "
            "it by --admin-url as well if it is a broker of the cluster"
        )


def once(url: str, access: Access, method: str, body: object, timeout: float) -> Answer:
    """One request."""
    parts, port = parts_of(url)
    kind: Callable[..., http.client.HTTPConnection] = http.client.HTTPConnection
    if parts.scheme == "https":
        kind = partial(http.client.HTTPSConnection, context=access.open_context())
    connection = kind(parts.hostname or "", port, timeout=timeout)
    headers = {"Accept": "application/json, text/plain, */*"}
    data = None
    if body is not None:
        data = json.dumps(body).encode()
        headers["Content-Type"] = "application/json"
    if access.token is not None:
        headers["Authorization"] = f"Bearer {access.token}"
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    try:
        connection.request(method, target, data, headers)
        response = connection.getresponse()
        if len(read := response.read(LARGEST + 1)) > LARGEST:
            raise NoAnswer("an answer that is too long")
        return Answer(response.status, read, response.getheader("Location"))
    except (OSError, http.client.HTTPException) as error:
        raise NoAnswer(str(error) or type(error).__name__) from None
    finally:
        connection.close()
