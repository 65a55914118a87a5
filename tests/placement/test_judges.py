"""Verdicts of the judges of placement on answers that the reference does not give."""

from __future__ import annotations

import pytest

from evenkeel.properties.placement.planned import (
    KnownBundle,
    Place,
    PlanMove,
    PlannedTrial,
    answer_planned,
)
from evenkeel.properties.placement.resource_usage import ExtensibleUsageTrial, UsedBroker
from evenkeel.properties.placement.trial_parts import (
    ChoicesAnswer,
    Chosen,
    Done,
    PlacementAnswer,
)
from evenkeel.reference.edition import EDITIONS, PULSAR_4_0, Edition
from evenkeel.reference.placement.planned import Statistics
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for
from evenkeel_engine.kit.observations import CommandBroke
from evenkeel_engine.kit.question import judge


def names(count: int) -> tuple[str, ...]:
    return tuple(str(number) for number in range(1, count + 1))


def test_a_broker_without_load_data_may_be_chosen_where_the_order_decides() -> None:
    """A million trials of Apache Pulsar met this: 0.2 is 10 points below 0.3, or hardly not."""
    question = QUESTIONS["placement.least_resource_usage_extensible"]
    usages = zip(names(4), (0.4, 0.3, None, 0.2), strict=True)
    trial = ExtensibleUsageTrial(10, tuple(UsedBroker(n, u) for n, u in usages), 1)
    for chosen in ("3", "4"):
        verdicts = judge(
            question,
            clauses_for(question.name, PULSAR_4_0),
            trial,
            ChoicesAnswer((chosen,)),
            PULSAR_4_0,
        )
        assert {verdict.status for verdict in verdicts} == {"holds", "unexercised"}


def objecting(trial: PlannedTrial, observed: PlacementAnswer, edition: Edition) -> set[str]:
    """The clauses that object to an answer of AvgShedder."""
    question = QUESTIONS["placement.avg_shedder"]
    verdicts = judge(question, clauses_for(question.name, edition), trial, observed, edition)
    return {one.clause for one in verdicts if one.failed}


@pytest.mark.parametrize(
    ("name", "late", "clause"),
    [
        ("DOCUMENTED", False, "PLC-4"),
        ("PULSAR_5_0_1", False, "PLC-5"),
        ("PULSAR_5_0_1", True, "PLC-5"),
    ],
)
def test_a_placement_that_breaks_may_use_the_plan_up(name: str, late: bool, clause: str) -> None:
    bundle = KnownBundle("t/n/1", Statistics(1))
    moves = (
        PlanMove(bundle.name, "1"),
        Place(bundle.name, names(4), looked_up=late),
        Place(bundle.name, names(4)),
    )
    for later in ("1", "2"):  # the plan is kept, or used up
        results = (Done(), CommandBroke("NullPointerException"), Chosen((later,)))
        trial = PlannedTrial((bundle,), moves)
        assert objecting(trial, PlacementAnswer(results), EDITIONS[name]) == {clause}


def test_what_is_planned_after_a_round_that_broke_counts() -> None:
    bundle = KnownBundle("t/n/1", Statistics(1))
    places = Place(bundle.name, names(4)), Place(bundle.name, names(4), looked_up=True)
    moves = (*places, PlanMove(bundle.name, "1"), places[0])
    results = (CommandBroke("NullPointerException"), Chosen(("1",)), Done(), Chosen(("2",)))
    found = objecting(
        PlannedTrial((bundle,), moves), PlacementAnswer(results), EDITIONS["PULSAR_5_0_1"]
    )
    assert found == {"PLC-5", "PLC-21"}


def test_chance_does_not_go_by_bundles() -> None:
    bundles = tuple(KnownBundle(f"t/n/{number}", Statistics()) for number in (1, 2))
    trial = PlannedTrial(
        bundles, tuple(Place(one.name, names(2), looked_up=True) for one in bundles) * 100
    )
    edition = EDITIONS["PULSAR_5_0_1"]
    by_bundle = PlacementAnswer((Chosen(("1",)), Chosen(("2",))) * 100)
    assert objecting(trial, by_bundle, edition) == {"PLC-3"}
    assert not objecting(trial, answer_planned(trial, edition), edition)
