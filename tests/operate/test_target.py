"""How a cluster is asked: by which port with TLS, and what is said to whom may not ask."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest

from evenkeel.operate.cluster.configuration import Manager, RequestedCluster
from evenkeel.operate.cluster.errors import ClusterUnusable
from evenkeel.operate.cluster.http import Access, Answer
from evenkeel.operate.recording import target
from evenkeel.operate.recording.prober import Prober
from evenkeel.operate.recording.store import Store
from evenkeel_engine.cli.main import without_settings
from tests.command_line import run

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
    return found


def see_target(*urls: str, token: str = "right") -> target.Target:
    return target.target_of("pulsar+ssl://b1.example:6651", urls, Access(token))


def test_a_broker_is_asked_by_its_port_with_tls(brokers: Brokers, tmp_path: Path) -> None:
    both, one = see_target(FIRST, SECOND), see_target(FIRST)
    assert [both.locate_admin(name) for name in both.ask_known()] == [FIRST, SECOND]
    assert one.locate_admin("b3.example:8080") == "https://b3.example:8443"  # it was not named
    assert one.locate_admin("b3.example:7443") == "https://b3.example:7443"
    prober = Prober(both, Store(tmp_path, {}), Event(), 2.0, [], 20)
    assert prober.lookup("b1.example:8080", "persistent://t/n/x") == "b2.example:9080"
    assert brokers.asked[-1].startswith(f"{FIRST}/lookup")


def test_without_tls_the_name_is_the_address() -> None:
    plain = target.Target("pulsar://b:6650", ("http://b:8080",), "c", tls_ports={"8080": "8443"})
    assert plain.locate_admin("b:8080") == "http://b:8080"


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
    target.require_token_for_all(see_target(FIRST, SECOND))
    with pytest.raises(ClusterUnusable, match=r"b2\.example:9080: .* not sent the token"):
        target.require_token_for_all(see_target(FIRST))


@pytest.mark.parametrize("token", ["wrong", "of a user who may not list brokers"])
def test_a_refused_token_is_reported(brokers: Brokers, token: str) -> None:
    with pytest.raises(ClusterUnusable, match="wants a token"):
        see_target(FIRST, token=token)


@pytest.mark.parametrize(
    ("shown", "token"), [("token:abc", "abc"), ("token:", None), ("tlsCertFile:x", None)]
)
def test_brokers_that_want_tokens_are_asked_with_theirs(shown: str, token: str | None) -> None:
    settings = {"brokerClientAuthenticationParameters": shown}
    assert RequestedCluster("4.0.8", 1, Manager.EXTENSIBLE, settings).token == token


CERTIFICATES = "--tls-trust-certs"


@pytest.mark.parametrize(
    ("option", "content", "reason"),
    [
        ("--token-file", b"s3cret\n# note\n", "holds no token alone: character 7 is U+000A"),
        ("--token-file", b"s3cret\0more", "holds no token alone: character 7 is U+0000"),
        ("--token-file", "s3cret\u00e9".encode(), "holds no token alone: character 7 is U+00E9"),
        ("--token-file", b"s3cret\xff", "is no UTF-8 text (byte 6)"),
        ("--token-file", b" \n", "holds no token"),
        ("--token-file", Path.mkdir, "is a folder"),
        (CERTIFICATES, Path.mkdir, "is a folder"),
        (CERTIFICATES, os.mkfifo, "is no regular file"),
    ],
)
def test_files_of_a_token_or_certificates_are_refused_without_the_token(
    tmp_path: Path, option: str, content: bytes | Callable[[Path], None], reason: str
) -> None:
    path = tmp_path / "file"
    path.write_bytes(content) if isinstance(content, bytes) else content(path)
    done = run(
        *("operate", "snapshot", "--service-url", "pulsar+ssl://127.0.0.1:1", option, str(path)),
        *("--admin-url", "https://127.0.0.1:1", "--out", str(tmp_path / "out.json")),
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert " ".join(done.stderr.split()).endswith(f"file: {reason}.")
    assert "s3cret" not in done.stderr


@pytest.mark.parametrize("text", ["token:s3cret\n", "token:s3\u00e9cret", "token:s3 cret"])
def test_a_setting_that_is_a_token_is_refused_without_it(text: str) -> None:
    done = run("operate", "cluster", "up", "--set", f"brokerClientAuthenticationParameters={text}")
    assert done.returncode == 2
    assert "brokerClientAuthenticationParameters" in done.stderr
    assert "s3" not in done.stderr


def test_the_account_of_a_crash_has_no_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["evenkeel", "x", "--set", "p=token:s3cret", "--set=p=token:s3cret", "--to", "f=g"]
    monkeypatch.setattr("sys.argv", words)
    assert without_settings() == ["evenkeel", "x", "--set", "p=...", "--set=...", "--to", "f=g"]
