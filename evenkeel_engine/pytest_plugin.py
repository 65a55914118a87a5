"""A plugin of pytest: a test for each clause, and a fixture for a subject in this process.

Nothing else of evenkeel is imported until one of the two is used.
"""

from __future__ import annotations

import argparse
import re
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from evenkeel_engine.pytest_items import CheckFixture

EDITION = "The edition that is checked; else what is promised."
FAIL_ON = "Departures with this effect fail, too; may be repeated."
BASELINE = "Known failures, which are expected (xfail): a file that `check --baseline` makes."
UPDATE_BASELINE = "Make what fails now what the baseline knows; in one process, without xdist."


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options; without --evenkeel-subject no clause is collected."""
    add = parser.getgroup("evenkeel", "a subject against the clauses of an edition").addoption
    add("--evenkeel-subject", metavar="CMD", help="A command that speaks the wire protocol.")
    add("--evenkeel-edition", metavar="E", help=EDITION)
    for what in ("chapter", "question", "clause"):
        name, only = f"--evenkeel-{what}", f"Only this {what}; may be repeated."
        add(name, metavar="NAME", action="append", default=[], help=only)
    add("--evenkeel-strict", action="store_true", help="Departures from practice fail, too.")
    add("--evenkeel-fail-on", metavar="EFFECT", action="append", default=[], help=FAIL_ON)
    add("--evenkeel-baseline", metavar="FILE", help=BASELINE)
    add("--evenkeel-update-baseline", action="store_true", help=UPDATE_BASELINE)
    add("--evenkeel-seed", type=int, default=1, help="Same seed, same trials.")
    add("--evenkeel-trials", type=parse_positive, metavar="N", help="Trials of each question.")
    seconds = {"type": parse_positive, "default": 60, "metavar": "SECONDS"}
    add("--evenkeel-hello-timeout", help="Seconds that the subject has to start.", **seconds)


def parse_positive(text: str) -> int:
    """A number of trials or seconds. Raises `argparse.ArgumentTypeError`."""
    if re.fullmatch("[0-9]{1,9}", text) and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"must be a whole number from 1, not {text!r}")


def pytest_configure(config: pytest.Config) -> None:
    """The marker of every clause's test. Raises `pytest.UsageError`."""
    for option in ("--evenkeel-subject", "--evenkeel-baseline"):
        if config.getoption(option) is not None and not config.getoption(option).strip():
            raise pytest.UsageError(f"{option}: what follows is empty.")
    if config.getoption("--evenkeel-update-baseline") and config.getoption("numprocesses", None):
        raise pytest.UsageError("--evenkeel-update-baseline needs one process: leave out -n.")
    config.addinivalue_line("markers", "evenkeel: a clause of evenkeel's specification")
    if config.getoption("--evenkeel-subject"):
        from evenkeel_engine import spec  # noqa: PLC0415 - nothing is imported where it is not used

        for chapter in spec.CHAPTERS:
            config.addinivalue_line("markers", f"{chapter}: clauses of this chapter")
    if not config.pluginmanager.hasplugin("xdist"):  # it registers its marker itself
        config.addinivalue_line("markers", "xdist_group: tests that share a subject")


@pytest.hookimpl(tryfirst=True)  # so that -k and -m see the tests
def pytest_collection_modifyitems(session: pytest.Session, items: list[pytest.Item]) -> None:
    """Add a test for each clause."""
    if session.config.getoption("--evenkeel-subject"):
        from evenkeel_engine.pytest_items import collect  # noqa: PLC0415 - only where it is used

        items.extend(collect(session))


@pytest.hookimpl(trylast=True)  # after the fixtures of the last test
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Let go of the subject after the last test."""
    if nextitem is None and item.config.getoption("--evenkeel-subject"):
        from evenkeel_engine.pytest_items import close_after_the_last_test  # noqa: PLC0415 - as above

        close_after_the_last_test(item.session)


@pytest.hookimpl(tryfirst=True)  # before the summary
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run in which every test of a clause was skipped: it checked nothing."""
    reporter = session.config.pluginmanager.getplugin("terminalreporter")
    if not session.exitstatus and reporter and count_unchecked(reporter):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def count_unchecked(reporter: pytest.TerminalReporter) -> int:
    """How many tests of clauses were skipped; 0 if there is one that was not."""
    kinds = ("skipped", "passed", "failed", "error", "xfailed")
    each = [[one.nodeid.startswith("evenkeel::") for one in reporter.getreports(k)] for k in kinds]
    return sum(each[0]) if not any(map(sum, each[1:])) else 0


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Report what was measured, and known failures that no longer occur."""
    reports = [one for some in terminalreporter.stats.values() for one in some]
    properties = [one for report in reports for one in getattr(report, "user_properties", ())]
    for text in dict.fromkeys(text for name, text in properties if name == "evenkeel"):
        terminalreporter.write_line(f"evenkeel: {text}")
    if skipped := count_unchecked(terminalreporter):
        terminalreporter.write_line(
            f"evenkeel: nothing was checked: {skipped} of {skipped} skipped"
        )
    if "evenkeel_engine.pytest_known" in sys.modules:
        from evenkeel_engine.pytest_known import removed_failures  # noqa: PLC0415 - only where it is used

        for sentence in removed_failures(config):
            terminalreporter.write_line(f"evenkeel: {sentence}")


@pytest.fixture
def evenkeel_check(request: pytest.FixtureRequest) -> CheckFixture:
    """Checks a Python subject: `evenkeel_check({question: function}, edition=…, trials=…)`."""
    from evenkeel_engine.pytest_items import CheckFixture  # noqa: PLC0415 - only where it is used

    return CheckFixture(request.config, request.node.user_properties)
