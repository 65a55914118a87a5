"""Where a clause is broken: the step, what is right there, and the settings that decide."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from itertools import count
from typing import Any

import pytest

from evenkeel.reference.edition import DOCUMENTED
from evenkeel_engine.check.breach import Breach, explain_breach, results_of, with_last
from evenkeel_engine.check.failure import Failure, describe_failures
from evenkeel_engine.check.seeded import Block, make_trial, run_block
from evenkeel_engine.cli.failure_report import failure_lines, fold_rule
from evenkeel_engine.cli.render import Paper, Story, render, words_of
from evenkeel_engine.kit.catalogue import QUESTIONS, find_objections
from evenkeel_engine.kit.question import Observation
from evenkeel_engine.mutation.catalogue import BY_NAME
from evenkeel_engine.spec import find_clause
from evenkeel_engine.subjects.essence import observation_of
from evenkeel_engine.subjects.local import MutantSubject
from evenkeel_engine.subjects.wire import observation_to_json

MUTANTS = {
    "released-before-closed": ("ownership.channel", "OWN-7"),
    "threshold-lightest-first": ("shedding.threshold", "SHD-84"),
    "writes-not-charged": ("throttling.loop", "THR-40:not charged"),
}
"""By mutant, a question and what a clause says of it."""


@cache
def failure_of(name: str) -> Failure:
    question, signature = MUTANTS[name]
    subject = MutantSubject(BY_NAME[name])
    blocks = (Block(question, 1, start, 25) for start in count(0, 25))
    tallies = (run_block(block, subject, DOCUMENTED) for block in blocks)
    tally = next(tally for tally in tallies if signature in tally.failures)
    [found] = describe_failures([signature], tally, subject, DOCUMENTED)
    return found


def breach_of(name: str) -> Breach:
    at = failure_of(name).breach
    assert at is not None
    return at


def screen_of(name: str) -> str:
    lines = failure_lines(failure_of(name), DOCUMENTED, "evenkeel replay x", Paper())
    assert len(lines) <= 50
    return "\n".join(lines)


def answer_mutated(name: str, trial: Any) -> Observation:
    question, _ = MUTANTS[name]
    with BY_NAME[name].apply():
        return QUESTIONS[question].observe(trial, DOCUMENTED)


def test_steps_that_are_not_needed_are_left_out() -> None:
    """A generator draws a transfer as one piece: its choices alone leave 16 commands."""
    assert len(failure_of("released-before-closed").trial.commands) == 3


def test_the_step_is_the_end_of_the_shortest_beginning_that_breaks_the_clause() -> None:
    name = "released-before-closed"
    question, signature = MUTANTS[name]
    trial = failure_of(name).trial
    longer = replace(trial, commands=(*trial.commands, *trial.commands))
    seen = answer_mutated(name, longer)
    at = explain_breach(QUESTIONS[question], longer, seen, signature, DOCUMENTED)
    assert at.step == 3
    assert at.trial == trial
    assert at.observation == answer_mutated(name, trial)


@pytest.mark.parametrize("name", MUTANTS)
def test_no_clause_objects_to_what_is_right_there(name: str) -> None:
    question, at = QUESTIONS[MUTANTS[name][0]], breach_of(name)
    seen = observation_to_json(at.observation)
    assert at.right is not None
    assert at.right not in (results_of(seen, at.step) or [])[-1:]
    other = observation_of(question, with_last(seen, at.step, at.right))
    assert find_objections(question.name, DOCUMENTED, at.trial, at.observation)
    assert find_objections(question.name, DOCUMENTED, at.trial, other) == []


def test_settings_that_decide_are_shown_though_they_are_defaults() -> None:
    at = breach_of("threshold-lightest-first")
    key = "config.loadBalancerBrokerThresholdShedderPercentage"
    assert key in at.deciding
    assert "config.loadBalancerSheddingGracePeriodMinutes" in at.idle
    assert f"{key}: 10" in screen_of("threshold-lightest-first")
    assert "GracePeriodMinutes" not in screen_of("threshold-lightest-first")
    assert "decide nothing here: 7 settings (--full)" in screen_of("writes-not-charged")


@pytest.mark.parametrize(
    ("name", "fact"),
    [
        ("released-before-closed", "led by brokers 0; registered: brokers 0, 1"),
        ("threshold-lightest-first", r"; average 0\."),
        ("writes-not-charged", r" messages: (\d+) in 1000 ms, \1 left"),
    ],
)
def test_a_report_says_what_the_judge_computed(name: str, fact: str) -> None:
    assert re.search(fact, "; ".join(breach_of(name).facts))
    assert "computed: " in screen_of(name)


def test_the_step_is_marked_among_the_commands_with_its_result() -> None:
    shown = screen_of("writes-not-charged")
    assert "✗  4 written subscription=0 succeeded=true → nothing" in shown
    assert "command 4, next to a result to which no clause objects" in shown


def test_commands_are_not_cut_and_old_ones_make_room() -> None:
    trial = make_trial(QUESTIONS["ownership.locks"], 1, 0)
    longer = replace(trial, commands=trial.commands[:1] * 40)
    results = [{"ended": [], "holders": [0]}] * 40
    lines = render(longer, Paper(), Story("commands", results, 40))
    [folded] = [line for line in lines if "before, --full shows all" in line]
    assert int(folded.split()[1]) > 20
    assert any(line.startswith("  ✗ 40 ") for line in lines)
    assert not any("…" in line for line in lines if line != folded)


def test_a_folded_clause_ends_with_a_statement_and_a_list_tells_of_all() -> None:
    rule = find_clause("BAL-18").sentence
    *_, last = shown = fold_rule(rule, Paper(), 6)
    assert len(shown) <= 6
    assert last.endswith("; … (--full)")
    assert words_of([[1, 1], [1, 1], [2] * 8]) == "[[1, 1], [1, 1], [8 × 2]]"


def test_topics_have_names_and_hashes() -> None:
    topic = "persistent://public/default/a"
    trials = (make_trial(QUESTIONS["splitting.positions"], 1, index) for index in count())
    trial = next(trial for trial in trials if trial.topics)
    topics = (replace(trial.topics[0], topic=topic), *trial.topics[1:])
    assert f"t1 = {topic}, hash 0xefe13dc2" in render(replace(trial, topics=topics), Paper())
