"""A subject's shedders in the loop: equal to the reference round by round, or told what is not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evenkeel.reference.balancing.settings import Strategy
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.simulate import remote, running, scenario_file
from evenkeel.simulate.remote import Log
from evenkeel.simulate.running import Job
from evenkeel.subjects.base import Ask, Observed, Reply, Skipped
from evenkeel.subjects.local import ReferenceSubject
from evenkeel.subjects.process import ProcessSubject

PULSAR = Path(__file__).parents[2] / "adapters" / "apache-pulsar"
STRATEGIES = [strategy for strategy in Strategy if strategy is not Strategy.NONE]
each_strategy = pytest.mark.parametrize("strategy", STRATEGIES)


def job(name: str, strategy: Strategy, steps: int) -> Job:
    """The first steps of a scenario."""
    file = scenario_file.load(name)
    timing = replace(file.scenario.timing, steps=steps)
    file = replace(file, scenario=replace(file.scenario, timing=timing))
    return Job(file, running.balancer_for(file, strategy, None), 1, PULSAR_4_0)


@each_strategy
def test_the_reference_as_a_subject_changes_nothing(strategy: Strategy) -> None:
    asked, log = job("rolling-restart", strategy, 30), Log()
    run = remote.carry_out(asked, ReferenceSubject(asked.edition), log)
    assert run.history == running.carry_out(asked).history
    assert (log.rounds, log.allowed, log.violations) == (30, 0, [])


class Idle:
    """A subject that never sheds."""

    name = "idle"

    def replies(self, asks: Iterable[Ask]) -> Iterator[tuple[Ask, Reply]]:
        for ask in asks:
            known: Any = ask.question.observe(ask.trial, PULSAR_4_0)
            empty = tuple(() for _ in known.rounds)
            yield ask, Observed(replace(known, rounds=empty))

    def close(self) -> None:
        """Nothing is open."""


class Silent:
    """A subject that answers nothing."""

    name = "silent"

    def replies(self, asks: Iterable[Ask]) -> Iterator[tuple[Ask, Reply]]:
        for ask in asks:
            yield ask, Skipped("no")

    def close(self) -> None:
        """Nothing is open."""


def test_a_subject_that_does_not_shed_is_found_out() -> None:
    log = Log()
    run = remote.carry_out(job("three-brokers", Strategy.THRESHOLD, 5), Idle(), log)
    assert run.measures.unloads == 0
    assert log.violations


def test_a_subject_that_does_not_answer_stops_the_run() -> None:
    with pytest.raises(remote.SubjectFailed, match=r"silent did not answer shedding.overload"):
        remote.carry_out(job("three-brokers", Strategy.OVERLOAD, 5), Silent(), Log())


@pytest.mark.skipif(not (PULSAR / "target").exists(), reason="Apache Pulsar's adapter is not built")
@each_strategy
def test_apache_pulsar_in_the_loop_equals_the_reference(strategy: Strategy) -> None:
    """No two bundles of this scenario weigh the same, so there is one answer to every round."""
    asked, log = job("uneven-bundles", strategy, 90), Log()
    subject = ProcessSubject(str(PULSAR / "run"))
    try:
        run = remote.carry_out(asked, subject, log)
    finally:
        subject.close()
    assert run.history == running.carry_out(asked).history
    assert (log.rounds, log.allowed, log.violations) == (90, 0, [])
