"""How a cluster is asked: by which port with TLS, and what is said to whom may not ask."""

import json
from pathlib import Path
from threading import Event

import pytest

from evenkeel.operate.cluster.configuration import Manager, Requested
from evenkeel.operate.cluster.errors import ClusterUnusable
from evenkeel.operate.cluster.http import Access, Answer
from evenkeel.operate.recording import target
from evenkeel.operate.recording.prober import Prober
from evenkeel.operate.recording.store import Store

FIRST, SECOND = "https://b1.example:8443", "https://b2.example:9443"
PORTS = {FIRST: ("8080", "8443"), SECOND: ("9080", "9443")}


class Brokers:
    """Two brokers with a port without TLS each, by which they are called, and another with it."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def request(self, url: str, access: Access, **_: object) -> Answer:
        self.asked.append(url)
        if access.token == "wrong" or ("brokers/c" in url and access.token != "right"):
            return Answer(401, b"{}")
        base = next(one for one in PORTS if url.startswith(one))
        path = url.removeprefix(f"{base}/")
        plain, secure = PORTS[base]
        answers: dict[str, object] = {
            "admin/v2/clusters": ["c", "global"],
            "admin/v2/brokers/c": ["b2.example:9080", "b1.example:8080"],
            "admin/v2/brokers/configuration/runtime": {
                "webServicePort": f"Optional[{plain}]",
                "webServicePortTls": f"Optional[{secure}]",
                "loadManagerClassName": "",
            },
            "lookup/v2/topic/persistent/t/n/x": {
                "httpUrl": "http://b2.example:9080",
                "httpUrlTls": "https://b2.example:9443",
            },
        }
        return Answer(200, json.dumps(answers[path]).encode())


@pytest.fixture
def brokers(monkeypatch: pytest.MonkeyPatch) -> Brokers:
    found = Brokers()
    monkeypatch.setattr(target, "request", found.request)
    monkeypatch.setattr("evenkeel.operate.recording.prober.request", found.request)
    return found


def seen(*urls: str, token: str = "right") -> target.Target:
    return target.target_of("pulsar+ssl://b1.example:6651", urls, Access(token))


def test_a_broker_is_asked_by_its_port_with_tls(brokers: Brokers) -> None:
    both = seen(FIRST, SECOND)
    assert [both.url(name) for name in both.known()] == [FIRST, SECOND]


def test_brokers_that_are_not_named_have_the_same_ports(brokers: Brokers) -> None:
    one = seen(FIRST)
    assert one.url("b3.example:8080") == "https://b3.example:8443"
    assert one.url("b3.example:7443") == "https://b3.example:7443"


def test_without_tls_the_name_is_the_address() -> None:
    plain = target.Target("pulsar://b:6650", ("http://b:8080",), "c", tls_ports={"8080": "8443"})
    assert plain.url("b:8080") == "http://b:8080"


def test_who_is_named_is_called_as_brokers_are(brokers: Brokers, tmp_path: Path) -> None:
    prober = Prober(seen(FIRST, SECOND), Store(tmp_path, {}), Event(), 2.0, [], 20)
    assert prober.lookup("b1.example:8080", "persistent://t/n/x") == "b2.example:9080"
    assert brokers.asked[-1].startswith(f"{FIRST}/lookup")


DEEP = b"[" * 100_000


@pytest.mark.parametrize(
    ("path", "body", "sentence"),
    [
        ("admin/v2/clusters", b"null", "no list of names"),
        ("admin/v2/clusters", DEEP, "no JSON"),
        ("admin/v2/clusters", b'["\\ud800"]', "no list of names"),
        ("admin/v2/clusters", b'["global"]', "names no cluster"),
        ("admin/v2/clusters", b'{"a": 1}', "no list of names"),
        ("admin/v2/brokers/configuration/runtime", b"[1]", "no object"),
    ],
)
def test_answers_that_are_none_are_one_sentence(
    monkeypatch: pytest.MonkeyPatch, path: str, body: bytes, sentence: str
) -> None:
    fine = {"admin/v2/clusters": b'["c"]', "admin/v2/brokers/configuration/runtime": b"{}"}
    answers = {**fine, "admin/v2/brokers/c": b"[]", path: body}
    monkeypatch.setattr(
        target,
        "request",
        lambda url, *_, **__: Answer(200, answers[url.removeprefix("http://b:1/")]),
    )
    with pytest.raises(ClusterUnusable, match=sentence):
        target.target_of("pulsar://b:2", ["http://b:1"], Access())


def test_a_cluster_without_a_broker_that_has_an_address_is_not_recorded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = b'["nonsense", "x:0", "x:99999", ":80"]'
    monkeypatch.setattr(target, "request", lambda *_, **__: Answer(200, names))
    with pytest.raises(ClusterUnusable, match="no broker is registered"):
        target.require_brokers(target.Target("pulsar://b:2", ("http://b:1",), "c"))


def test_every_broker_must_be_named_where_there_is_a_token(brokers: Brokers) -> None:
    target.require_token_for_all(seen(FIRST, SECOND))
    with pytest.raises(ClusterUnusable, match=r"b2\.example:9080: .* not sent the token"):
        target.require_token_for_all(seen(FIRST))


@pytest.mark.parametrize("token", ["wrong", "of a user who may not list brokers"])
def test_a_refused_token_is_reported(brokers: Brokers, token: str) -> None:
    with pytest.raises(ClusterUnusable, match="wants a token"):
        seen(FIRST, token=token)


@pytest.mark.parametrize(
    ("shown", "token"), [("token:abc", "abc"), ("token:", None), ("tlsCertFile:x", None)]
)
def test_brokers_that_want_tokens_are_asked_with_theirs(shown: str, token: str | None) -> None:
    settings = {"brokerClientAuthenticationParameters": shown}
    assert Requested("4.0.8", 1, Manager.EXTENSIBLE, settings).token == token
