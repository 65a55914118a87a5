"""Plans, schedules, what clients know, rest, the proxy: all that needs no cluster."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from evenkeel.operate.cluster.configuration import Manager
from evenkeel.operate.cluster.errors import ClusterUnusable
from evenkeel.operate.cluster.ports import LOOPBACK, free_ports
from evenkeel.operate.live import schedule as schedules
from evenkeel.operate.live.admin import HASHES, Admin, find_around, topic_in
from evenkeel.operate.live.ledger import Ledger, Twice, find_beyond
from evenkeel.operate.live.plans import PLANS, Scene, steps_of
from evenkeel.operate.live.proxy import Proxies
from evenkeel.operate.live.rest import find_problems, wait_rest
from evenkeel.operate.live.schedule import FAULTS, KINDS, OWNER, Load, Schedule, Step
from evenkeel.operate.live.shrink import shows_in, shrink_schedule
from evenkeel.reference.bundles.topics import topic_hash

SCENE = Scene(300, 3)
HEALED = {"kill": "start", "stop": "start", "pause": "resume", "cut": "join"}


def schedule(*steps: Step, found: tuple[str, ...] = ("lost",)) -> Schedule:
    return Schedule("x", 1, "4.0.8", 2, Manager.MODULAR, {"a": "b"}, Load(), steps, 4, found)


# Plans and schedules.


@pytest.mark.parametrize("plan", PLANS)
def test_a_plan_is_of_its_seed_and_heals_every_fault(plan: str) -> None:
    steps = steps_of(plan, 7, SCENE)
    assert steps == steps_of(plan, 7, SCENE) != steps_of(plan, 8, SCENE)
    assert sum(step.wait for step in steps) >= SCENE.seconds
    assert {step.do for step in steps} <= set(KINDS)
    for at, step in enumerate(steps):
        if step.do in HEALED:
            later = [one for one in steps[at:] if one.do == HEALED[step.do]]
            by_place = step.broker == OWNER
            assert any(
                one.place == step.place if by_place else one.broker == step.broker for one in later
            )


def test_the_plan_of_everything_does_everything() -> None:
    done = {step.do for seed in range(5) for step in steps_of("everything", seed, SCENE)}
    assert done == set(KINDS) - {"clock"}  # stepping clocks needs a compiler
    clocks = {step.do for seed in range(5) for step in steps_of("clocks", seed, SCENE)}
    assert {"clock", "kill", "start"} <= clocks
    calm = {step.do for seed in range(5) for step in steps_of("calm", seed, SCENE)}
    assert not calm & set(FAULTS)


def test_a_schedule_is_read_as_it_was_written(tmp_path: Path) -> None:
    kept = schedule(*steps_of("everything", 3, SCENE))
    kept.write(tmp_path / "s.json")
    assert schedules.read(tmp_path / "s.json") == kept


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"steps": [{"wait": 1, "do": "explode"}]}, "cannot do 'explode'"),
        ({"steps": [{"wait": -1, "do": "kill"}]}, "out of range"),
        ({"more": 1}, "it has more"),
        ({"manager": "none"}, "is no schedule"),
    ],
)
def test_a_schedule_that_is_none(tmp_path: Path, change: object, sentence: str) -> None:
    place = tmp_path / "s.json"
    schedule(Step(1, "kill")).write(place)
    assert isinstance(change, dict)
    place.write_text(json.dumps({**json.loads(place.read_text()), **change}))
    with pytest.raises(ClusterUnusable, match=sentence):
        schedules.read(place)


# Shrinking.


def test_shrinking_keeps_what_is_needed_and_the_times() -> None:
    steps = tuple(Step(1.0, "unload", number / 100) for number in range(20))
    needed = {steps[3].place, steps[11].place}

    def shows(shorter: Schedule) -> bool:
        return needed <= {step.place for step in shorter.steps}

    short, tried = shrink_schedule(schedule(*steps), shows, 200)
    assert [step.place for step in short.steps] == sorted(needed)
    assert [step.wait for step in short.steps] == [4.0, 8.0]
    assert tried <= 200
    same, tried = shrink_schedule(schedule(*steps), lambda _: False, 5)
    assert same.steps == steps
    assert tried == 5


def test_a_violation_shows_in_k_of_n() -> None:
    answers = iter([("lost",), ("rest",), ("lost", "rest")])
    assert shows_in(schedule(), lambda _: next(answers), 2, 3)
    answers = iter([("rest",), ("rest",)])
    assert not shows_in(schedule(), lambda _: next(answers), 2, 3)  # a third could not help


# What clients know.


def test_what_was_acknowledged_must_be_delivered_and_once() -> None:
    ledger = Ledger()
    assert [ledger.next("t") for _ in range(4)] == [0, 1, 2, 3]
    for number in (0, 1, 2):
        ledger.acknowledge("t", number)
    ledger.deliver("t", 0, "(1,0)", 5)
    ledger.deliver("t", 2, "(1,2)", 6)
    assert ledger.find_missing() == {"t": [1]}
    ledger.deliver("t", 1, "(1,1)", 7)
    assert ledger.find_missing() == {}
    ledger.deliver("t", 0, "(2,0)", 8)
    assert (ledger.resent, ledger.twice) == (1, [])  # it was sent again
    ledger.deliver("t", 0, "(2,0)", 9)
    assert ledger.twice == [Twice("t", 0, 8, 9)]


def test_a_second_delivery_needs_a_reason() -> None:
    one = Twice("t", 0, 10_000, 20_000)
    assert find_beyond([one], [15_000], 1000) == []
    assert find_beyond([one], [9_500], 1000) == []
    assert find_beyond([one], [8_000, 21_000], 1000) == [one]
    assert find_beyond([one], [], 1000) == [one]


# Bundles.


def test_a_place_lies_in_one_bundle() -> None:
    boundaries = [0, 0x40000000, 0x80000000, HASHES]
    assert find_around(boundaries, 0.0) == (0, 0x40000000)
    assert find_around(boundaries, 0.3) == (0x40000000, 0x80000000)
    assert find_around(boundaries, 1.0) == (0x80000000, HASHES)
    low, high = 0x10000000, 0x20000000
    assert low <= topic_hash(topic_in(low, high)) < high


# Rest, by brokers that answer as they are reported to.


class Answers(ThreadingHTTPServer):
    """A broker: its boundaries, whom it names, and what it has open."""

    boundaries: tuple[str, ...] = ("0x00000000", "0x80000000", "0xffffffff")
    names: str | None = None
    opened: tuple[str, ...] = ()

    @property
    def url(self) -> str:
        return f"http://{LOOPBACK}:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        server = self.server
        assert isinstance(server, Answers)
        status, body = 200, ""
        if self.path.endswith("/bundles"):
            body = json.dumps({"boundaries": server.boundaries})
        elif self.path.startswith("/lookup"):
            status = 200 if server.names else 500
            body = json.dumps({"httpUrl": server.names})
        else:
            body = "".join(
                f'pulsar_producers_count{{namespace="a/b",topic="{topic}"}} 1\n'
                for topic in server.opened
            )
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""


@contextmanager
def brokers() -> Iterator[tuple[Answers, Answers]]:
    """Two that agree that the first owns everything."""
    both = (Answers((LOOPBACK, 0), Handler), Answers((LOOPBACK, 0), Handler))
    threads = [threading.Thread(target=one.serve_forever, args=(0.02,)) for one in both]
    for thread in threads:
        thread.start()
    both[0].names = both[1].names = both[0].url
    both[0].opened = ("persistent://a/b/t",)
    try:
        yield both
    finally:
        for one, thread in zip(both, threads, strict=True):
            one.shutdown()
            thread.join()
            one.server_close()


def found(both: tuple[Answers, Answers]) -> list[str]:
    urls = [one.url for one in both]
    return find_problems(urls, Admin(lambda: urls), ["persistent://a/b/t"])


def test_what_keeps_a_cluster_from_resting() -> None:
    with brokers() as both:
        assert found(both) == []
        urls = [one.url for one in both]
        left, _ = wait_rest(lambda: urls, Admin(lambda: urls), ["persistent://a/b/t"], 10, 0.01)
        assert left == []
        both[1].opened = both[0].opened
        (twice,) = found(both)
        assert "open at" in twice
        both[0].opened = both[1].opened = ()
        assert found(both)[0].endswith("open at no broker")
        both[1].names = both[1].url
        assert any("the brokers name" in one for one in found(both))
        both[1].names = None
        assert any("names no owner" in one for one in found(both))
        both[0].boundaries = ("0x00000000", "0x80000000")
        assert "do not tile" in found(both)[0]
        left, seconds = wait_rest(lambda: urls, Admin(lambda: urls), [], 0.05, 0.01)
        assert left
        assert seconds < 10


# The proxy.


def test_a_cut_holds_back_and_then_lets_through() -> None:
    with socket.create_server((LOOPBACK, 0)) as behind:
        (port,) = free_ports(1)
        proxies = Proxies({"broker-1": port}, behind.getsockname()[1])
        proxies.start()
        try:
            near = connect(port)
            far, _ = behind.accept()
            with near, far:
                near.settimeout(10)
                far.settimeout(10)
                near.sendall(b"one")
                assert far.recv(10) == b"one"
                proxies.cut("broker-1")
                time.sleep(0.1)
                near.sendall(b"two")
                far.settimeout(0.3)
                with pytest.raises(TimeoutError):
                    far.recv(10)
                far.settimeout(10)
                proxies.join("broker-1")
                assert far.recv(10) == b"two"
                far.sendall(b"three")
                assert near.recv(10) == b"three"
        finally:
            proxies.stop()


def connect(port: int) -> socket.socket:
    """A connection, once a process listens."""
    for _ in range(200):
        try:
            return socket.create_connection((LOOPBACK, port), 10)
        except ConnectionRefusedError:
            time.sleep(0.02)
    raise AssertionError
