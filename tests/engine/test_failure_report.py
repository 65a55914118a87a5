"""Screens of 80 columns in plain words: every mutant's failures, every described case."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

import pytest
from rich.console import Console
from typer import Exit

from evenkeel_engine import spec
from evenkeel_engine.check.failure import Failure
from evenkeel_engine.check.seeded import make_trial
from evenkeel_engine.check.tally import Found
from evenkeel_engine.cli import output
from evenkeel_engine.cli.explain_command import explain
from evenkeel_engine.cli.failure_report import failure_lines
from evenkeel_engine.cli.render import Paper
from evenkeel_engine.cli.replay_command import print_case
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for
from evenkeel_engine.kit.formatting import display
from evenkeel_engine.kit.question import judge
from evenkeel_engine.mutation.catalogue import BY_NAME
from evenkeel_engine.mutation.scoring.kills import SEED, Kill, read_kills
from evenkeel_engine.stored.cases import DESCRIBED
from tests.engine.stored import ALL_CASES, all_cases

PYTHON: Final = re.compile(
    r"""\b[A-Z]\w*\(\w+=      # a record
    | \('|,\)|\(\)     # a tuple; numbers in brackets are how people write them
    | \[\(|\{'                # a list of tuples, a mapping
    | <[A-Z]\w+\.             # a member of an enumeration
    | \bNone\b(?!\.)|\bfrozenset|\bTrue\b|\bFalse\b""",
    re.VERBOSE,
)
"""The look of a Python value that was not put into words."""


def failures(kill: Kill) -> Iterator[Failure]:
    """All that clauses object to on the trial of a listed kill."""
    question, mutant = QUESTIONS[kill.check[1]], BY_NAME[kill.mutant]
    trial, edition = make_trial(question, SEED, kill.trial), mutant.edition
    expected = question.observe(trial, edition)
    with mutant.apply():
        observed = question.observe(trial, edition)
    for verdict in judge(question, clauses_for(question.name, edition), trial, observed, edition):
        if verdict.failed:
            id_, sentence = verdict.clause, verdict.sentence
            found = Found(0, kill.trial, question.name, SEED, id_, "", sentence)
            yield Failure(id_, found, 1, sentence, trial, observed, expected)


@pytest.mark.slow
@pytest.mark.parametrize("chapter", spec.CHAPTERS)
def test_failure_reports_have_80_columns_and_no_python(chapter: str) -> None:
    seen, wide, python = 0, [], []
    kills = [one for one in read_kills() if one.mutant in BY_NAME]
    for kill in [one for one in kills if QUESTIONS[one.check[1]].chapter == chapter][::3]:
        for failure in failures(kill):
            seen += 1
            edition = BY_NAME[kill.mutant].edition
            lines = failure_lines(failure, edition, "evenkeel replay x", Paper())
            wide += [f"{kill.mutant}: {text}" for text in lines if len(text) > 80]
            if PYTHON.search(failure.sentence):
                python.append(f"{kill.mutant}: {failure.sentence}")
    assert seen > 5
    assert wide == []
    assert python == []


def test_a_fraction_of_any_length_can_be_said() -> None:
    assert display(Fraction(10**6000 + 1, 3)) == "3.33333e+5999"
    assert str(display(Fraction(1, 3))) == "1/3"


@ALL_CASES
def test_sentences_of_cases_are_plain_words() -> None:
    sentences = {one.id: one.shown.sentence for one in all_cases() if one.kind in DESCRIBED}
    assert {name: sentence for name, sentence in sentences.items() if PYTHON.search(sentence)} == {}


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """What a terminal of 80 columns shows."""
    shown = io.StringIO()
    console = Console(
        file=shown, force_terminal=True, color_system=None, width=80, soft_wrap=True, emoji=False
    )
    monkeypatch.setattr(output, "out", console)
    return shown


def too_wide(shown: io.StringIO) -> list[str]:
    """Lines beyond 80 columns that could have been broken: paths and names stay whole."""
    lines = shown.getvalue().splitlines()
    return [text for text in lines if len(text) > 80 and " " in text.strip()]


@ALL_CASES
def test_cases_are_shown_within_80_columns(terminal: io.StringIO) -> None:
    for case in (case for case in all_cases() if case.kind in DESCRIBED):
        print_case(case, False)
    assert len(terminal.getvalue().splitlines()) > 4000
    assert too_wide(terminal) == []


@pytest.mark.parametrize("id_", ["BUN-17", "SHD-82", "OWN-7", "THR-28"])
def test_clauses_are_explained_within_80_columns(terminal: io.StringIO, id_: str) -> None:
    with pytest.raises(Exit):
        explain(id_)
    assert spec.find_clause(id_).title in terminal.getvalue()
    assert too_wide(terminal) == []
