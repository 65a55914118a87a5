"""The shipped scenarios: what each strategy makes of them is pinned."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evenkeel.operate.simulate import scenario_file
from evenkeel.operate.simulate.running import carry_out
from evenkeel.reference.balancing.settings import Strategy
from evenkeel.reference.edition import BASE_EDITIONS, PULSAR_4_0
from tests.operate.outcomes import outcomes, pinned
from tests.operate.shipped import shipped_job

PINNED = pinned()


def test_at_least_ten_are_shipped() -> None:
    assert len(scenario_file.list_shipped()) >= 10
    assert all(sorted(PINNED[edition]) == scenario_file.list_shipped() for edition in BASE_EDITIONS)


@pytest.mark.parametrize("edition", BASE_EDITIONS)
@pytest.mark.parametrize("scenario", scenario_file.list_shipped())
def test_outcomes_are_as_pinned(scenario: str, edition: str) -> None:
    assert outcomes(scenario, edition) == PINNED[edition][scenario]


def outcome_of(scenario: str, strategy: str, name: str, edition: str = "DOCUMENTED") -> float:
    """One pinned number."""
    value: float = PINNED[edition][scenario][strategy][name]
    return value


# ------------------------------------------- what the documents and measurements say of them


def test_document_003_the_idle_broker_stays_idle_without_the_lower_boundary() -> None:
    for edition in BASE_EDITIONS:
        assert outcome_of("eleven-brokers", "threshold", "moves", edition) == 0
        assert outcome_of("lower-boundary", "threshold", "moves", edition) > 0
        before = outcome_of("eleven-brokers", "threshold", "last_deviation", edition)
        assert outcome_of("lower-boundary", "threshold", "last_deviation", edition) < before / 4


def test_document_002_three_brokers_shed_until_within_ten_points() -> None:
    for edition in BASE_EDITIONS:
        assert outcome_of("three-brokers", "threshold", "moves", edition) > 0
        assert outcome_of("three-brokers", "overload", "moves", edition) == 0


def test_all_overloaded_never_comes_to_rest_under_overload() -> None:
    for edition in BASE_EDITIONS:
        assert PINNED[edition]["all-overloaded"]["overload"]["steady_after_minutes"] is None
        assert outcome_of("all-overloaded", "overload", "back", edition) > 50
        assert outcome_of("all-overloaded", "threshold", "moves", edition) == 0


def test_late_reports_empty_a_broker_under_overload() -> None:
    for edition in BASE_EDITIONS:
        assert outcome_of("late-reports", "overload", "moves", edition) == 10


def test_rate_and_usage_tell_different_stories_of_a_slow_broker() -> None:
    for edition in BASE_EDITIONS:
        assert outcome_of("slow-broker", "uniform", "moves", edition) == 0
        assert outcome_of("slow-broker", "overload", "moves", edition) > 0


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
