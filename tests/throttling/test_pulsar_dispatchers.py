"""Pulsar's other dispatchers of shared subscriptions obey the editions that say what they do.

Needs the adapter (`make adapter`); a line is left out where it has not been built.
"""

from __future__ import annotations

from contextlib import closing

import pytest

from evenkeel.reference.edition import EDITIONS
from evenkeel.releases import adapter as pulsar
from evenkeel_engine.check.seeded import Block, run_block
from evenkeel_engine.subjects.process import ProcessSubject, SubjectUnusable

ADAPTER = pulsar.ADAPTER
DEFAULT = pulsar.lines(ADAPTER)[0]
DISPATCHERS = [
    (DEFAULT, "key-shared", "PULSAR_4_0_KEY_SHARED"),
    (DEFAULT, "classic", "PULSAR_4_0_CLASSIC"),
    (DEFAULT, "key-shared-classic", "PULSAR_4_0_KEY_SHARED_CLASSIC"),
    ("5.0.1", "key-shared", "PULSAR_5_0_1_KEY_SHARED"),
]


def open_adapter(line: str, dispatcher: str) -> ProcessSubject:
    """The adapter with this dispatcher; skips where the line is not there, or needs another JDK."""
    if not pulsar.is_built(ADAPTER, line):
        pytest.skip(f"not built: make adapter PULSAR={line}")
    words = ("--pulsar", line, "--dispatcher", dispatcher)
    try:
        return ProcessSubject([str(ADAPTER / "run"), *words])
    except SubjectUnusable as unusable:
        if "needs Java" not in str(unusable):
            raise
        pytest.skip(str(unusable))


@pytest.mark.parametrize(("line", "dispatcher", "edition"), DISPATCHERS)
def test_a_dispatcher_does_what_its_edition_says(line: str, dispatcher: str, edition: str) -> None:
    with closing(open_adapter(line, dispatcher)) as subject:
        assert subject.name == f"apache-pulsar {line} {dispatcher}"
        tally = run_block(Block("throttling.loop", 1, 300, 100), subject, EDITIONS[edition])
    assert (tally.smallest, tally.errored) == ({}, {})
    assert tally.verdicts["THR-44", "holds"] > 50


def test_a_dispatcher_that_there_is_not_is_named() -> None:
    with pytest.raises(SubjectUnusable, match="has no dispatcher fair here; it has"):
        open_adapter(DEFAULT, "fair")
