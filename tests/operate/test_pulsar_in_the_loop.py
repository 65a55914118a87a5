"""Apache Pulsar's own shedders and placements in the loop, equal to the reference round by round.

Needs the adapter (`make adapter`); left out where it has not been built.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from evenkeel.operate.operating import advice
from evenkeel.operate.simulate import remote, running
from evenkeel.operate.simulate.subject_calls import Log
from evenkeel.reference.balancing.settings import USUAL_PLACER, Placer, Strategy
from evenkeel.reference.edition import EDITIONS, PULSAR_4_0
from evenkeel.releases import adapter as pulsar_lines
from evenkeel_engine.subjects.process import ProcessSubject
from tests.operate.shipped import shipped_job
from tests.operate.test_advise import generate_cluster
from tests.report.test_pulsar_lines import start
from tests.report.test_upstream import make_environment

ADAPTER = pulsar_lines.ADAPTER
STEPS = 90
USUAL = [(strategy, placer) for strategy, placer in USUAL_PLACER.items()]
OTHERS = [(Strategy.THRESHOLD, Placer.RESOURCE_USAGE), (Strategy.OVERLOAD, Placer.ROUND_ROBIN)]

pytestmark = pytest.mark.skipif(
    not pulsar_lines.is_built(ADAPTER), reason="the adapter has not been built"
)


@pytest.fixture(scope="module")
def pulsar() -> Iterator[ProcessSubject]:
    """One process for all runs."""
    subject = ProcessSubject(str(ADAPTER / "run"))
    yield subject
    subject.close()


@pytest.mark.parametrize(("strategy", "placer"), USUAL + OTHERS)
def test_every_round_is_the_references(
    pulsar: ProcessSubject, strategy: Strategy, placer: Placer
) -> None:
    """No two bundles of this scenario weigh the same, so there is one answer to every round."""
    job, log = shipped_job("uneven-bundles", strategy, STEPS, PULSAR_4_0, placer), Log()
    run = remote.carry_out(job, pulsar, log)
    assert log.violations == []
    assert (log.equal, log.moments) == (STEPS + 1, STEPS + 1)
    assert (log.rounds, log.allowed) == (0 if strategy is Strategy.NONE else STEPS, 0)
    assert log.placements >= 3
    if log.open == 0:
        assert run.history == running.carry_out(job).history


@pytest.mark.parametrize("strategy", advice.FIVE)
def test_what_is_foreseen_of_snapshots_is_pulsars(
    pulsar: ProcessSubject, strategy: Strategy
) -> None:
    for seen in map(generate_cluster, range(8)):
        scenario, settings, log = advice.scenario_of(seen, 12), advice.settings_of(seen), Log()
        run = advice.foresee(scenario, settings, strategy, PULSAR_4_0, "generated").run
        remote.carry_out(run.job, pulsar, log)
        assert (log.violations, log.equal) == ([], log.moments)


def test_where_pulsar_chooses_at_random_the_reference_follows(pulsar: ProcessSubject) -> None:
    """AvgShedder places bundles that no broker reported: at random, then all at the same broker.

    To it, all bundles of which nothing is known are one: the first choice is the plan of all.
    """
    job, log = shipped_job("rolling-restart", Strategy.AVG, 30, PULSAR_4_0), Log()
    run = remote.carry_out(job, pulsar, log)
    assert (log.equal, log.violations) == (31, [])
    assert log.open > 0
    crowds = [moment.placed for moment in run.history.moments if len(moment.placed) > 3]
    assert crowds
    assert all(len({placed.broker for placed in crowd}) == 1 for crowd in crowds)


@pytest.mark.parametrize("scenario", ["flash-crowd", "rolling-restart", "ten-thirty-eighty"])
def test_a_plan_of_5_0_1_ends_with_its_round(
    scenario: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """AvgShedder as its defaults have it: what is looked up goes anywhere."""
    line = "5.0.1"
    if not pulsar_lines.is_built(ADAPTER, line):
        pytest.skip(f"not built: make adapter PULSAR={line}")
    for name, value in make_environment(line).items():
        monkeypatch.setenv(name, value)
    if start(ADAPTER, "--pulsar", line).returncode:
        pytest.skip(f"{line} needs a newer Java")
    subject = ProcessSubject([str(ADAPTER / "run"), "--pulsar", line])
    job, log = shipped_job(scenario, Strategy.AVG, 40, EDITIONS["PULSAR_5_0_1"]), Log()
    remote.carry_out(job, subject, log)
    subject.close()
    assert (log.equal, log.violations) == (41, [])
    assert log.placements
