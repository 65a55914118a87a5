"""The bound on over-delivery: reached by constructed schedules, and by none exceeded."""

from itertools import product
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from evenkeel.models.throttling import loop as delivery_goes_on_graphs
from evenkeel.models.throttling.overdelivery import graphs as overdelivery_graphs
from evenkeel.operate.plan import drawing, planning
from evenkeel.operate.plan.planning import RequestedLimit
from evenkeel.reference.throttling import overdelivery
from evenkeel.reference.throttling.overdelivery import NotPossible, Setting, Step
from evenkeel_engine.proofs.graph import Graph, as_network

SMALL = [
    Setting(*values)
    for values in product(range(1, 5), range(1, 5), range(1, 4), range(1, 4))
    if min(values[:2]) * values[2] * values[3] <= 12
]
LARGER = [Setting(*values) for values in product((1, 7, 10), (1, 3, 100), (1, 6), (1, 2, 3))]


@pytest.mark.parametrize("periods", [1, 2, 3])
def test_a_schedule_reaches_the_bound(periods: int) -> None:
    for setting in (*SMALL, *LARGER):
        run = overdelivery.run_schedule(setting, overdelivery.attaining(setting, periods))
        assert len(run.periods) == periods
        assert run.delivered == overdelivery.most_in_periods(setting, periods)


def test_a_schedule_reaches_the_bound_of_any_window() -> None:
    for setting in (*SMALL, *LARGER):
        schedule = overdelivery.attaining_window(setting, 2)
        assert schedule.count(Step("tick")) == 2
        run = overdelivery.run_schedule(setting, schedule)
        assert run.delivered == overdelivery.most_in_window(setting, 2)


def test_no_interleaving_exceeds_it_and_some_reaches_it() -> None:
    for setting, periods in product(SMALL, (1, 2)):
        most = overdelivery_graphs.most_delivered(setting, periods)
        assert most == overdelivery.most_in_periods(setting, periods), (setting, periods)


def test_a_counter_that_forgets_reaches_its_own_bound() -> None:
    setting = Setting(10, 100, 1, 2)
    burst = list(overdelivery.burst(setting))
    schedule = [*burst, Step("tick"), *burst]
    forgetting = overdelivery.run_schedule(setting, schedule, carries=False)
    assert forgetting.periods == (20, 20)
    assert forgetting.delivered == overdelivery.most_if_forgotten(setting, 2)
    assert overdelivery.run_possible(setting, schedule).periods == (20, 0)


@pytest.mark.parametrize(
    ("quota", "average", "batch", "most"), [(10, 6, 6, 15), (10, 1, 1, 10), (12, 6, 6, 17)]
)
def test_precise_mode(quota: int, average: int, batch: int, most: int) -> None:
    assert overdelivery.most_if_precise(quota, average, batch, 1, 1) == most


def test_the_bound_in_bytes_is_reached_and_no_more() -> None:
    for quota, estimate, extra, entries in product(
        range(1, 13), range(1, 6), range(5), range(1, 6)
    ):
        largest = estimate + extra
        most = max(
            taken + count * largest
            for taken in range(quota)
            for count in range(1, min(entries, max(1, (quota - taken) // estimate)) + 1)
        )
        assert most == overdelivery.most_bytes(quota, estimate, largest, entries, 1, 1)


def test_the_bound_of_precise_mode_is_reached_and_no_more() -> None:
    for quota, average, batch in product(range(1, 13), range(1, 7), range(1, 7)):
        most = max(taken + -(-(quota - taken) // average) * batch for taken in range(quota))
        assert most == overdelivery.most_if_precise(quota, average, batch, 1, 1)


def test_more_than_one_batch_too_many() -> None:
    setting = Setting(2, 2, 2, 1)
    run = overdelivery.run_schedule(setting, list(overdelivery.burst(setting)))
    assert run.delivered - setting.quota == 2 > setting.batch - 1


def test_steps_that_the_loop_would_not_take() -> None:
    setting = Setting(3, 2, 2, 1)
    for schedule in (
        [Step("issue", 0, 3)],
        [Step("issue", 0, 1), Step("issue", 0, 1)],
        [Step("issue", 0, 1), Step("charge", 0)],
        [Step("issue", 0, 1), Step("deliver", 0, 3)],
        [Step("deliver", 0, 1)],
    ):
        with pytest.raises(NotPossible):
            overdelivery.run_schedule(setting, schedule)


@pytest.mark.parametrize(
    ("graph", "states", "transitions"),
    [
        (overdelivery_graphs.GRAPHS[0], 1511, 3836),
        (overdelivery_graphs.GRAPHS[1], 1729, 4936),
        (overdelivery_graphs.GRAPHS[2], 1407, 2638),
        (delivery_goes_on_graphs.GRAPHS[0], 164, 293),
        (delivery_goes_on_graphs.GRAPHS[1], 476, 820),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_graphs_have_pinned_sizes(graph: Graph[Any], states: int, transitions: int) -> None:
    result = graph.explore()
    assert result.as_expected
    assert (result.states, result.transitions) == (states, transitions)


def test_setting_the_same_limit_for_ever_starves() -> None:
    states = [(taken, passed) for taken in range(11) for passed in range(3)]
    network = as_network(states, lambda state: delivery_goes_on_graphs.reconfigured(10, 3, state))
    used_up = network.subgraph([state for state in network if state[0] == 10])
    cycle = [used_up.edges[edge]["label"] for edge in nx.find_cycle(used_up)]
    assert cycle == ["time passes", "the same limit is set again"]


def requested(**values: int | None) -> RequestedLimit:
    """Ten messages a second in batches of six, read one and a replay at once, with changes."""
    plain = {"messages": 10, "bytes": None, "period": 1, "batch": 6, "reads": 2, "partitions": 1}
    sizes = {"average_bytes": 100, "largest_bytes": 100, "entries": 100}
    return RequestedLimit(**{**plain, **sizes, "by_entry": False, "precise": False, **values})  # type: ignore[arg-type]  # mixed values


def test_a_timeline_is_what_the_schedule_does() -> None:
    for setting in SMALL:
        plan = requested(
            messages=setting.quota,
            entries=setting.entries,
            batch=setting.batch,
            reads=setting.reads,
        )
        burst = list(overdelivery.burst(setting))
        run = overdelivery.run_schedule(setting, burst)
        assert planning.compute_timeline(plan, 1) == [run.delivered]
        bound = overdelivery.most_in_periods(setting, 6)
        assert sum(planning.compute_timeline(plan, 6)) <= bound


def test_partitions_multiply_and_entries_are_shown_in_both_units() -> None:
    (messages,) = planning.all_bounds(requested(partitions=4))
    assert (messages.rows[0].limit, messages.rows[0].aligned) == (40, 480)
    entries, in_messages = planning.all_bounds(requested(by_entry=True, reads=1))
    assert (entries.unit, entries.rows[0].aligned) == ("entries", 10)
    assert (in_messages.unit, in_messages.rows[0].aligned) == ("messages", 60)


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_a_plan_is_rendered(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"plan.{suffix}"
    drawing.draw(requested(), path)
    assert path.stat().st_size > 5_000
