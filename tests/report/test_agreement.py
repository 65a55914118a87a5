"""docs/agreement.md is what its data say, and what is counted is what releases answer."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

from evenkeel.harness.agreement import EDITION_OF, Expected, alike, expected_of
from evenkeel.harness.seeded import make_trial
from evenkeel.harness.subjects import pulsar, wire
from evenkeel.harness.subjects.base import Errored, Observed, Skipped
from evenkeel.properties.catalogue import QUESTIONS, clauses_for
from evenkeel.properties.kit.observations import Refused
from evenkeel.reference.edition import DOCUMENTED, LINES, PULSAR_4_0
from evenkeel.report.agreement import AIM, DATA, Counts, page, read, write

LOOKUP = QUESTIONS["bundles.hash_lookup"]
DIFFERING = {
    (name, question)
    for name, line in LINES.items()
    for change in line.changes
    for question in change.questions
}


def message(observation: Any) -> Observed:
    """A reply as it comes from a process."""
    return Observed({"type": "observation", "id": 1, **wire.observation_to_json(observation)})


def expected(question: Any, trial: Any) -> Expected:
    return expected_of(question, trial, [PULSAR_4_0])[PULSAR_4_0.name]


def came_to(question: Any, trial: Any, reply: Any) -> str:
    return expected(question, trial).compared(reply)[0]


def test_the_page_is_current() -> None:
    shown = DATA.with_suffix(".md").read_text("utf-8")
    assert shown == page(read()), "python -m evenkeel.report.agreement"


def test_nothing_is_open_in_what_was_counted() -> None:
    words = {word for count in read().values() for word in count}
    assert words <= {"same", "otherwise", "skipped"}


def test_every_release_has_an_edition() -> None:
    assert set(pulsar.lines()) == set(EDITION_OF)


def test_the_reference_s_answer_is_the_same() -> None:
    trial = make_trial(LOOKUP, 1, 0)
    assert came_to(LOOKUP, trial, message(LOOKUP.observe(trial, PULSAR_4_0))) == "same"


def test_editions_that_answer_alike_share_a_message() -> None:
    found = expected_of(LOOKUP, make_trial(LOOKUP, 1, 0), EDITION_OF.values())
    same = [one for one in found.values() if one.observation == found[PULSAR_4_0.name].observation]
    assert len(same) > 1
    assert len({id(one.message) for one in same}) == 1


def test_a_refusal_in_other_words_is_the_same() -> None:
    topic = QUESTIONS["bundles.topic"]
    trials = (make_trial(topic, 1, index) for index in range(100))
    refused = next(one for one in trials if isinstance(topic.observe(one, PULSAR_4_0), Refused))
    assert came_to(topic, refused, message(Refused("Other", "words"))) == "same"


def test_another_answer_violates_a_clause() -> None:
    trial = make_trial(LOOKUP, 1, 0)
    word, why = expected(LOOKUP, trial).compared(message(Refused("No", "")))
    assert word == "violated"
    assert why.partition(":")[0] in {one.id for one in clauses_for(LOOKUP.name, PULSAR_4_0)}


def test_what_is_no_answer_is_counted_as_that() -> None:
    trial = make_trial(LOOKUP, 1, 0)
    unreadable = Observed({"type": "observation", "id": 1, "answer": {"bundle": 1.5}})
    assert came_to(LOOKUP, trial, unreadable) == "errored"
    assert came_to(LOOKUP, trial, Errored("crashed", definite=False)) == "errored"
    assert came_to(LOOKUP, trial, Skipped("not here")) == "skipped"


@pytest.mark.parametrize("question", QUESTIONS)
def test_an_edition_differs_from_its_parent_only_in_what_it_says(question: str) -> None:
    asked = QUESTIONS[question]
    trials = [make_trial(asked, 1, index) for index in range(3 if asked.simulates else 20)]
    for name, edition in {one.name: one for one in EDITION_OF.values()}.items():
        if edition.parent is not None and (name, question) not in DIFFERING:
            same = alike(edition, question)
            for trial in trials:
                assert asked.observe(trial, edition) == asked.observe(trial, same), name


def test_an_edition_that_differs_stands_for_itself() -> None:
    for name, question in DIFFERING:
        if name in {one.name for one in EDITION_OF.values()}:
            edition = next(one for one in EDITION_OF.values() if one.name == name)
            assert alike(edition, question) is edition
    assert alike(DOCUMENTED, LOOKUP.name) is DOCUMENTED


def test_counts_are_read_as_written(tmp_path: Path) -> None:
    counts: Counts = defaultdict(Counter)
    counts["own", "bundles.topic", "4.0.8"].update(same=AIM - 3, otherwise=2, skipped=1)
    counts["own", "bundles.topic", "3.0.7"].update(same=400, violated=1)
    write(counts, tmp_path / "counts.json")
    assert read(tmp_path / "counts.json") == counts
    shown = page(counts)
    assert "200,401 trials: 200,397 answers as the reference's, 2 otherwise and right" in shown
    row = "0.401, **1 violated** | 200, 0.001 % otherwise, 0.0005 % skipped"
    assert f"| `bundles.topic` | {row} |" in shown
    assert "1 of the 2 fields below have 200,000 trials" in shown


@pytest.mark.slow
def test_a_run_goes_on_where_the_last_one_ended(tmp_path: Path) -> None:
    if not pulsar.is_built():
        pytest.skip("the adapter is not built")
    to = tmp_path / "counts.json"
    for trials in (20, 530):
        words = ["--question", LOOKUP.name, "--release", "4.0.8", "--trials", str(trials)]
        command = [sys.executable, "benchmarks/agreement.py", *words, "--to", str(to)]
        done = subprocess.run(command, cwd=DATA.parents[1], capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, b"")
    [count] = read(to).values()
    assert count == {"same": 530}
