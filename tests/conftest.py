"""`--chapter NAME`: what `make quick` runs, the tests of one chapter and of what lists them all."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import pytest
from _pytest.nodeid import coerce_node_id

from evenkeel_engine import spec
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.stopping import STOPPING

if TYPE_CHECKING:
    from evenkeel_engine.campaign.session import Spark

# The same examples in every run, however slow the machine is.
hypothesis.settings.register_profile(
    "tests",
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=(hypothesis.HealthCheck.too_slow,),
)
hypothesis.settings.load_profile("tests")

TESTS = Path(__file__).parent
collect_ignore = ["engine/on_example"]
"""What only runs when it is named: its tests are of another specification."""
GENERAL = ("chapters", "engine/stored/test_format.py", "specification")
"""Tests of no chapter that a change of any chapter may fail."""


@pytest.fixture(autouse=True)
def _signals_as_before() -> Iterator[None]:
    """A command that runs in this process leaves its handlers: SIGTERM would raise `Stopped` from
    them wherever this process happens to be when it is signalled to end.
    """
    before = {number: signal.getsignal(number) for number in STOPPING}
    yield
    for number, handler in before.items():
        if signal.getsignal(number) is not handler:
            signal.signal(number, handler)


@pytest.fixture
def _hangups() -> None:
    """SIGHUP is not ignored, here and in processes that are started, even if tests run under nohup;
    afterwards it is as before.
    """
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Spark]:
    """The one session of Spark: the tests that need it run in one process."""
    from evenkeel.operate.trace.spark import WORKERS_NEED  # noqa: PLC0415
    from evenkeel_engine.campaign.archive import archive_bytes  # noqa: PLC0415
    from evenkeel_engine.campaign.session import open_spark  # noqa: PLC0415 - imports PySpark

    log = tmp_path_factory.mktemp("spark") / "spark.log"
    with open_spark("local[2]", log, archive_bytes(WORKERS_NEED)) as opened:
        yield opened


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--chapter", choices=spec.CHAPTERS, help="leave out the tests of other chapters"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    leave_out_other_chapters(config, items)
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    # Long tests first, so that no process is left with them at the end; a file stays together.
    items.sort(key=lambda item: item.path not in slow)
    for item in items:
        if "spark" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group("spark"))
        if config.getoption("loadgroup", False):
            keep_with_its_group(item)


def keep_with_its_group(item: pytest.Item) -> None:
    """Write the group of a test into its id, by which xdist sends it to a process.

    xdist 3.8 writes it into a field that pytest 9.2 does not read any more.
    """
    groups = sorted(str(mark.args[0]) for mark in item.iter_markers("xdist_group"))
    if groups and "@" not in item.nodeid:
        item._id = coerce_node_id(f"{item.nodeid}@{'_'.join(groups)}")


def leave_out_other_chapters(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What `--chapter` asks for."""
    if (chosen := config.getoption("--chapter")) is None:
        return
    kept: list[pytest.Item] = []
    left_out: list[pytest.Item] = []
    for item in items:
        chapters = chapters_of(item)
        general = item.path.relative_to(TESTS).as_posix().startswith(GENERAL)
        keep = chapters == {chosen} or (general and not chapters)
        (kept if keep else left_out).append(item)
    items[:] = kept
    config.hook.pytest_deselected(items=left_out)


def chapters_of(item: pytest.Item) -> set[str]:
    """The chapter in whose folder the test is, and those of what it is called with."""
    folder = item.path.relative_to(TESTS).parts[0]
    found = {folder} & set(spec.CHAPTERS)
    called = getattr(item, "callspec", None)
    for value in called.params.values() if called else ():
        found |= chapters_named(value)
    return found


def chapters_named(value: object) -> set[str]:
    """The chapter of a question, theorem, graph, mutant or file; the chapter of this name."""
    if isinstance(value, str):
        value = QUESTIONS[value].chapter if value in QUESTIONS else value
    elif isinstance(value, Path):
        value = value.parent.name
    else:
        value = getattr(value, "chapter", None)
    return {value} & set(spec.CHAPTERS) if isinstance(value, str) else set()
