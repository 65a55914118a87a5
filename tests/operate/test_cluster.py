"""What stands around a cluster, with no cluster: processes, settings, archives, requests."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tarfile
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from evenkeel.operate.cluster import control, distribution, process, running, state
from evenkeel.operate.cluster.configuration import (
    Manager,
    RequestedCluster,
    change_properties,
    settings_of,
)
from evenkeel.operate.cluster.errors import ClusterUnusable
from evenkeel.operate.cluster.http import Access, Answer, NoAnswer, request
from evenkeel.operate.cluster.ports import free_ports
from evenkeel.operate.cluster.process import Process
from evenkeel.operate.cluster.running import Cluster, find_complaint
from evenkeel.operate.cluster.state import Broker, State
from tests.processes import comes

SLEEP = ["sleep", "600"]


def sleeper(folder: Path) -> Process:
    """A server that runs."""
    one = process.start(SLEEP, folder / "log", {"PATH": os.environ["PATH"]}, folder)
    assert comes(lambda: executes(one.pid, folder))
    return one


def executes(pid: int, folder: Path) -> bool:
    """Whether it executes its own program: until then it has no environment for a moment."""
    command = (process.PROC / str(pid) / "cmdline").read_text()
    return command == "\0".join([*SLEEP, ""]) and pid in {
        one.pid for one in process.find_marked(folder)
    }


def test_all_processes_of_a_cluster_are_found_and_ended(tmp_path: Path) -> None:
    started = {sleeper(tmp_path) for _ in range(3)}
    assert set(process.find_marked(tmp_path)) == started
    assert process.end_all(tmp_path) == 3
    assert not any(map(process.still_runs, started))
    assert process.end_all(tmp_path) == 0


def test_another_process_with_the_same_id_is_left_alone(tmp_path: Path) -> None:
    one = sleeper(tmp_path)
    process.send(Process(one.pid, one.started - 1), signal.SIGKILL)
    assert process.still_runs(one)
    process.send(one, signal.SIGKILL)
    assert process.wait_end(one, 20)


def test_a_server_ends_with_its_parent(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from evenkeel.operate.cluster import process\n"
        f"folder = Path({str(tmp_path)!r})\n"
        f"one = process.start({SLEEP}, folder / 'log', {{'PATH': '/usr/bin:/bin'}}, folder)\n"
        "print(one.pid, flush=True); sys.stdin.read()"
    )
    owner = subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert owner.stdout is not None
    pid = int(owner.stdout.readline())
    assert comes(lambda: executes(pid, tmp_path))
    (one,) = process.find_marked(tmp_path)
    assert one.pid == pid
    owner.kill()
    owner.wait()
    assert process.wait_end(one, 20)


def test_down_ends_what_a_crash_left(tmp_path: Path) -> None:
    folder = tmp_path / "cluster"
    folder.mkdir()
    one = sleeper(folder)
    requested = RequestedCluster("4.0.8", 1, Manager.MODULAR)
    State(folder, requested, 1, 2, [], Process(2**22 + 1, 5), {"broker-1": one}).write()
    assert control.tear_down(folder) == 1
    assert not process.still_runs(one)
    assert not folder.exists()
    assert control.tear_down(folder) == 0


def test_brokers_that_run_are_asked_for_their_threads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "find_distribution", lambda version: tmp_path)
    cluster = Cluster(tmp_path, RequestedCluster("4.0.8", 2, Manager.EXTENSIBLE))
    cluster.locate_log("broker-1").parent.mkdir()
    program = (  # a shell could not, where the tests' parent has it ignore the signal
        "import signal, time\n"
        "signal.signal(signal.SIGQUIT, lambda *_: print('all threads', flush=True))\n"
        "print('ready', flush=True)\n"
        "while True: time.sleep(0.05)"
    )
    for name in ("broker-1", "broker-2", "bookie"):
        cluster.start(name, [sys.executable, "-c", program])
    cluster.stop("broker-2", signal.SIGKILL)
    try:
        assert has_printed(cluster.locate_log("broker-1"), "ready")
        assert has_printed(cluster.locate_log("bookie"), "ready")
        cluster.print_threads()
        assert has_printed(cluster.locate_log("broker-1"), "all threads")
        assert "all threads" not in cluster.locate_log("bookie").read_text()
    finally:
        cluster.tear_down()


def has_printed(log: Path, words: str) -> bool:
    return comes(lambda: words in log.read_text())


def test_the_state_is_read_as_it_was_written(tmp_path: Path) -> None:
    requested = RequestedCluster("4.0.8", 2, Manager.EXTENSIBLE, {"a": "b=c"}, cut_off=True)
    brokers = [Broker("broker-1", 1, 2, 3), Broker("broker-2", 4, 5, 6)]
    one = State(
        tmp_path, requested, 7, 8, brokers, Process(9, 10), {"broker-2": Process(1, 2)}, 3.5
    )
    one.write()
    assert state.read(tmp_path) == one
    assert one.service_url == "pulsar://127.0.0.1:4"
    (tmp_path / state.FILE).write_text("{}")
    with pytest.raises(ClusterUnusable, match="is no state of a cluster"):
        state.read(tmp_path)


def test_settings_replace_those_of_the_distribution() -> None:
    text = "# about a\na=1\nb=2\n#c=3\na=4\n"
    assert change_properties(text, {"a": "9", "c": "5"}) == "# about a\na=9\nb=2\n#c=3\nc=5\n"


@pytest.mark.parametrize("text", ["a", "=1", "a b=1", "a=1\nb=2"])
def test_settings_have_a_key_and_a_value(text: str) -> None:
    with pytest.raises(ClusterUnusable, match=r"key=value|--set a: the value .* one line\."):
        settings_of([text])


def test_an_archive_with_another_checksum_is_refused(tmp_path: Path) -> None:
    archive = tmp_path / "p.tar.gz"
    archive.write_bytes(b"not what Pulsar published")
    with pytest.raises(ClusterUnusable, match="has the checksum"):
        distribution.check_archive(archive, "4.0.8")
    with pytest.raises(ClusterUnusable, match="no checksum next to it"):
        distribution.check_archive(archive, "9.9.9")
    listed = tmp_path / "p.tar.gz.sha1"
    listed.write_text(distribution.compute_digest(archive, "sha1"))
    assert distribution.check_archive(archive, "9.9.9") == archive
    listed.write_text("0" * 40)
    with pytest.raises(ClusterUnusable, match="has the checksum"):
        distribution.check_archive(archive, "9.9.9")


def test_an_archive_is_unpacked_whole(tmp_path: Path) -> None:
    (tmp_path / "apache-pulsar" / "conf").mkdir(parents=True)
    (tmp_path / "apache-pulsar" / "conf" / "broker.conf").write_text("x=1\n")
    with tarfile.open(tmp_path / "p.tar.gz", "w:gz") as tar:
        tar.add(tmp_path / "apache-pulsar", "apache-pulsar")
    (tmp_path / "cache").mkdir()
    distribution.unpack(tmp_path / "p.tar.gz", tmp_path / "cache" / "9.9.9")
    assert [place.name for place in (tmp_path / "cache").iterdir()] == ["9.9.9"]
    assert (tmp_path / "cache" / "9.9.9" / "conf" / "broker.conf").is_file()


def test_a_server_that_does_not_start_says_why(tmp_path: Path) -> None:
    log = tmp_path / "broker-1.log"
    assert find_complaint(log) == ""
    log.write_text("1 INFO x - well\n2 ERROR y - Invalid Config: a < b.\n\tat z\n")
    assert find_complaint(log) == " (y - Invalid Config: a < b)"


class Redirecting(BaseHTTPRequestHandler):
    """Answers 307 to /other once, and then what it was sent."""

    def do_PUT(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/first":
            self.send_response(307)
            self.send_header("Location", f"http://127.0.0.1:{self.server.server_port}/other")  # type: ignore[attr-defined]
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        answer = body + (self.headers["Authorization"] or "").encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""


@pytest.fixture
def redirecting() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), Redirecting)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize("location", ["http://[::1", "http://h:99999/x", "ftp://h/x", "//"])
def test_a_redirect_to_what_is_no_address_is_no_answer(
    monkeypatch: pytest.MonkeyPatch, location: str
) -> None:
    monkeypatch.setattr("evenkeel.operate.cluster.http.once", lambda *_: Answer(307, b"", location))
    with pytest.raises(NoAnswer, match="a redirect to what is no address"):
        request("http://b:1/x", Access())


def test_a_token_stays_with_the_address_that_it_was_given_for(redirecting: str) -> None:
    """The redirect leads to 127.0.0.1; the token was given for localhost, another address."""
    given = redirecting.replace("127.0.0.1", "localhost")
    with pytest.raises(NoAnswer, match=f"{redirecting} is not sent the token, .* {given}; name it"):
        request(f"{given}/first", Access(token="abc"), "PUT", {})
    assert request(f"{given}/first", Access(), "PUT", {}).good
    both = Access(token="abc").for_hosts([given, redirecting])
    assert request(f"{given}/first", both, "PUT", {}).body.endswith(b"Bearer abc")
    with pytest.raises(NoAnswer, match="not sent the token"):
        request(redirecting.replace("http:", "https:"), both)


def test_redirects_are_followed_with_body_and_token(redirecting: str) -> None:
    access = Access(token="abc")
    answer = request(f"{redirecting}/first", access, "PUT", {"a": 1})
    assert (answer.status, answer.body) == (200, b'{"a": 1}Bearer abc')
    seen = request(f"{redirecting}/first", access, "PUT", {"a": 1}, follow=False)
    assert seen.status == 307
    assert seen.location is not None
    with pytest.raises(NoAnswer):
        request(f"http://127.0.0.1:{free_ports(1)[0]}/", access, timeout=2)
