"""Editions: what a line has of its parent, and what is its own."""

from dataclasses import fields
from itertools import pairwise, permutations

import pytest

from evenkeel.properties.shedding.avg.rounds import Places
from evenkeel.reference.edition import BASE_EDITIONS, EDITIONS, LINES, Edition
from evenkeel_engine import spec
from evenkeel_engine.check.seeded import make_trial
from evenkeel_engine.content import list_lineage, list_switches
from evenkeel_engine.frame.line import Line
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for

DIFFERING = {
    (line.name, question)
    for line in LINES.values()
    for change in line.changes
    for question in change.questions
}
FURTHER = [line for line in LINES.values() if line.parent is not None]


def test_clauses_name_editions_that_there_are() -> None:
    assert list(BASE_EDITIONS) == ["DOCUMENTED", "PULSAR_4_0"]
    assert list_lineage("PULSAR_4_0_6") == ("PULSAR_4_0_6", "PULSAR_4_0_7", "PULSAR_4_0")
    assert list_lineage("PULSAR_4_0 with a change") == ("PULSAR_4_0 with a change",)
    assert all(entry.editions <= set(EDITIONS) for entry in spec.read_entries().values())


@pytest.mark.parametrize("line", FURTHER, ids=lambda line: line.name)
def test_a_line_differs_from_its_parent_by_its_changes(line: Line) -> None:
    own, parent = EDITIONS[line.name], EDITIONS[str(line.parent)]
    names = [field.name for field in fields(Edition) if field.name in list_switches()]
    differing = {name for name in names if getattr(own, name) != getattr(parent, name)}
    assert differing == {change.switch for change in line.changes}
    for change in line.changes:
        assert change.source
        assert change.since or change.until
        assert set(change.questions) <= set(QUESTIONS)


@pytest.mark.parametrize("line", FURTHER, ids=lambda line: line.name)
def test_a_line_has_its_parent_s_clauses_and_those_that_name_it(line: Line) -> None:
    for name in QUESTIONS:
        of_line = clauses_for(name, EDITIONS[line.name])
        inherited = tuple(one for one in of_line if line.name not in one.entry.editions)
        assert inherited == clauses_for(name, EDITIONS[str(line.parent)])
        unpromised = [one for one in of_line if one.entry.basis is not spec.Basis.PROMISE]
        assert {one.entry.level_in(line.name) for one in unpromised} <= {spec.Level.DOES}


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_line_answers_as_its_parent_where_it_says_nothing_else(question: str) -> None:
    asked = QUESTIONS[question]
    trials = [make_trial(asked, 1, index) for index in range(3 if asked.simulates else 20)]
    for line in FURTHER:
        if (line.name, question) not in DIFFERING:
            own, parent = EDITIONS[line.name], EDITIONS[str(line.parent)]
            for trial in trials:
                assert asked.observe(trial, own) == asked.observe(trial, parent), line.name


@pytest.mark.parametrize(
    "scores",
    [(50.0, 50.9, 51.8, 20.0), (50.0, 50.5, 50.9, 70.0, 70.5), (10.0, 10.9, 11.8, 12.7, 13.6)],
)
def test_rankings_by_whole_points_are_those_without_a_step_down(scores: tuple[float, ...]) -> None:
    names = dict(zip("abcde", scores, strict=False))
    half, least = (len(names) + 1) // 2, 1
    expected = set[tuple[tuple[str, str], ...]]()
    for order in permutations(names):
        rises = [names[after] - names[before] for before, after in pairwise(order)]
        if all(rise > -1.0 for rise in rises):
            pairs = zip(reversed(order), order, strict=True)
            kept = [two for two in list(pairs)[:half] if names[two[0]] - names[two[1]] >= least]
            expected.add(tuple(kept))
    found = Places(names, 0.0, 1.0).pairings(least)
    assert {tuple((pair.fuller, pair.emptier) for pair in way) for way in found} == expected
