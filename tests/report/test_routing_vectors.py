"""adapters/routing-vectors: the file is current, and its three readers compare what they read."""

import importlib.util
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from evenkeel.properties.scaling.routing import hash_of
from evenkeel.releases import adapter as pulsar
from evenkeel.report import routing_vectors
from tests.command_line import run
from tests.report.test_upstream import PULSAR, jars, java

FOLDER = routing_vectors.COPY.parent
ROUTES = len(routing_vectors.KEYS) * len(routing_vectors.layouts())
ALL = ROUTES + len(list(routing_vectors.updates())) + len(routing_vectors.WHOLE)


def route(layout: Sequence[Mapping[str, Any]], key: bytes, shift: int) -> tuple[int, int | None]:
    """The segment by one half of the hash, or the partition."""
    live, hash_ = [one for one in layout if not one["sealed"]], hash_of(key.decode())
    if all(one["legacy"] for one in live):
        return hash_ % 2**31 % len(live), None
    half = hash_ >> shift & 0xFFFF
    [one] = [one for one in live if one["start"] <= half <= one["end"]]
    return one["number"], sum(first <= hash_ & 0xFFFF for first in one["splits"])


def test_the_copy_is_current() -> None:
    assert routing_vectors.COPY.read_text("utf-8") == routing_vectors.text(), (
        "python -m evenkeel.report.routing_vectors"
    )


def test_cases_export_writes_it(tmp_path: Path) -> None:
    assert run("cases", "export", "--question", "scaling.routing", str(tmp_path)).returncode == 0
    assert (tmp_path / "scaling.routing.json").read_text("utf-8") == routing_vectors.text()


def test_the_reader_in_python_finds_the_low_half() -> None:
    spec = importlib.util.spec_from_file_location("reader", FOLDER / "reader.py")
    assert spec is not None
    assert spec.loader is not None
    reader = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(reader)
    assert reader.wrong(routing_vectors.COPY, lambda layout, key: route(layout, key, 16)) == []
    low = reader.wrong(
        routing_vectors.COPY,
        lambda layout, key: route(layout, key, 0),
        lambda of, has, sent: True,
        lambda start, end: (start + end + 1) // 2,
    )
    assert any("'2 segments', 'key': 'order-1'" in one for one in low)
    assert sum("'applied': False" in one for one in low) == 6
    assert sum("'lower_end'" in one for one in low) == 3


def test_each_reader_has_forty_lines_at_most() -> None:
    for name in ("reader.py", "reader.go", "RoutingVectors.java"):
        assert (FOLDER / name).read_text("utf-8").count("\n") <= 40, name


@pytest.mark.slow
def test_a_client_in_go_by_the_documents_is_right(tmp_path: Path) -> None:
    if shutil.which("go") is None:
        pytest.skip("no go on the path")
    for name in ("reader.go", "client.go"):
        shutil.copy(FOLDER / name, tmp_path)

    def start() -> subprocess.CompletedProcess[str]:
        words = ["go", "run", "client.go", "reader.go", str(routing_vectors.COPY)]
        return subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert start().stdout == f"{ALL} of {ALL} vectors are right\n"
    text = (tmp_path / "client.go").read_text("utf-8")
    (tmp_path / "client.go").write_text(text.replace("hash>>16", "hash&0xffff"))
    assert start().returncode == 1


@pytest.mark.slow
@pytest.mark.parametrize(("line", "right"), [("5.0.1", True), ("5.0.0-M1", False)])
def test_the_reader_in_java_asks_pulsars_router(line: str, right: bool, tmp_path: Path) -> None:
    path = f"{tmp_path}:{jars(line)}:{pulsar.folder(PULSAR, line)}/evenkeel-apache-pulsar-1.jar"
    sources = FOLDER / "RoutingVectors.java", Path(__file__).with_name("Check.java")
    words = [java("javac", line), "-nowarn", "-d", str(tmp_path), "-cp", path]
    subprocess.run([*words, *map(str, sources)], check=True)
    words = [java("java", line), "-cp", path, "Check", str(routing_vectors.COPY)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout.endswith(f" of {ALL}\n")
    assert done.stdout.startswith("[] ") == right
