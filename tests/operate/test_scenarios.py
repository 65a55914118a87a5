"""The shipped scenarios: what each strategy makes of them is pinned."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evenkeel.operate.simulate import scenario_file
from evenkeel.operate.simulate.running import carry_out
from evenkeel.reference.balancing.settings import Strategy
from evenkeel.reference.edition import BASE_EDITIONS, PULSAR_4_0
from tests.operate.outcomes import outcomes, read_pins
from tests.operate.shipped import shipped_job

PINNED = read_pins()


def test_at_least_ten_are_shipped() -> None:
    assert len(scenario_file.list_shipped()) >= 10
    assert sorted(PINNED["PULSAR_4_0"]) == scenario_file.list_shipped()


@pytest.mark.parametrize(
    ("scenario", "edition"), [(name, edition) for edition in PINNED for name in PINNED[edition]]
)
def test_outcomes_are_as_pinned(scenario: str, edition: str) -> None:
    assert outcomes(scenario, edition) == PINNED[edition][scenario]


# ------------------------------------------- what the documents and measurements say of them


@pytest.mark.parametrize("edition", BASE_EDITIONS)
def test_outcomes_are_what_documents_say(edition: str) -> None:
    """003: without the lower boundary the idle broker stays idle; 002: three brokers shed until
    they are within ten points. Rate and usage tell different stories of a slow broker.
    """
    runs = PINNED[edition]
    before, after = (runs[name]["threshold"] for name in ("eleven-brokers", "lower-boundary"))
    assert before["moves"] == 0 < after["moves"]
    assert after["last_deviation"] < before["last_deviation"] / 4
    assert runs["three-brokers"]["overload"]["moves"] == 0
    assert runs["three-brokers"]["threshold"]["moves"] > 0
    assert runs["all-overloaded"]["overload"]["steady_after_minutes"] is None
    assert runs["all-overloaded"]["overload"]["back"] > 50
    assert runs["all-overloaded"]["threshold"]["moves"] == 0
    assert runs["late-reports"]["overload"]["moves"] == 10
    assert runs["slow-broker"]["uniform"]["moves"] == 0 < runs["slow-broker"]["overload"]["moves"]


def test_no_bundle_moves_more_often_than_its_grace_period_allows() -> None:
    for runs in PINNED["DOCUMENTED"].values():
        assert all(run["most_of_one_bundle_an_hour"] <= 2 for run in runs.values())


@pytest.mark.parametrize("step", [60_000, 30_000, 10_000])
def test_what_leaving_brokers_cost_does_not_depend_on_the_step(step: int) -> None:
    """Their bundles are placed again, which is no move."""
    job = shipped_job("rolling-restart", Strategy.NONE, 41, PULSAR_4_0)
    timing = replace(job.file.scenario.timing, step=step, steps=41 * 60_000 // step)
    file = replace(job.file, scenario=replace(job.file.scenario, timing=timing))
    found = carry_out(replace(job, file=file)).measures
    assert (found.unserved, found.unloads) == (1_000 * found.orphaned, 0)
    assert found.orphaned > 10
