"""spec/examples.toml: the Examples that are trials are run, in each edition of their clause."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from evenkeel_engine import spec
from evenkeel_engine.content import EDITIONS, list_lineage
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for
from evenkeel_engine.kit.question import judge
from evenkeel_engine.stored.cases import read_stored_cases

TABLE = tomllib.loads((Path(__file__).parents[2] / "spec" / "examples.toml").read_text("utf-8"))
STORED = {case.id: case for case in read_stored_cases()}
NUMBER = re.compile(r"0x[0-9a-f]+|\d+(?:\.\d+)?")
NAMES = re.compile(r"[A-Z]{3}-\d+|PULSAR[\d_]*|#\d+|\b\d\.\d\.\d(?:-M1)?|\b[345]\.\d\b| 00\d\b")
UNITS = (1, 0.01, 60, 1000, 60_000, 2**20, 10**6, 10**9)
"""Texts say percent, minutes, seconds and MB where trials have fractions, ms or ns, and bytes."""


def numbers(text: str) -> set[float]:
    return {float(int(n, 16) if "x" in n else n) for n in NUMBER.findall(text.replace(",", ""))}


def test_every_example_is_in_one_list() -> None:
    listed = [id_ for part in ("calls", "prose", "without", "trials") for id_ in TABLE[part]]
    assert sorted(listed) == sorted(id_ for id_, e in spec.read_entries().items() if e.example)
    assert TABLE["computed"].keys() <= TABLE["trials"].keys()
    assert not numbers(NAMES.sub("", str([spec.find_clause(i).example for i in TABLE["prose"]])))


@pytest.mark.parametrize("id_", TABLE["trials"])
def test_an_example_that_is_a_trial_holds_in_each_edition(id_: str) -> None:
    entry, cases = spec.find_clause(id_), [STORED[one] for one in TABLE["trials"][id_]]
    known = list(numbers(json.dumps([[c.trial, [a.observed for a in c.answers]] for c in cases])))
    given = numbers(NAMES.sub("", entry.example))
    new = {one for one in given if not any(pytest.approx(one * unit) in known for unit in UNITS)}
    assert new == set(TABLE["computed"].get(id_, [])), f"not in the trials: {new}"
    editions = [one for one in EDITIONS.values() if entry.holds_in(*list_lineage(one.name))]
    for case in cases:
        question, trial = QUESTIONS[case.question], case.decode_trial()
        seen = {entry.level, *" ".join(a.verdict for a in case.answers).split()} - {"holds"}
        for edition in editions:
            answer = question.observe(trial, edition)
            verdicts = judge(question, clauses_for(question.name, edition), trial, answer, edition)
            seen |= {verdict.status for verdict in verdicts if verdict.clause == id_}
        assert seen & {"holds", "NOTE", id_}
        assert "violated" not in seen
