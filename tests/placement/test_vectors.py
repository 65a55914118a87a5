"""Vectors of Pulsar's own tests and of the documents, against the reference."""

from __future__ import annotations

import pytest

from evenkeel.properties.placement.candidates.trials import (
    CandidatesTrial,
    ClusterBroker,
    Grouped,
    answer_candidates,
)
from evenkeel.properties.placement.planned import (
    KnownBundle,
    Place,
    PlanMove,
    PlannedTrial,
    answer_planned,
)
from evenkeel.properties.placement.preallocation import (
    BundleRate,
    LookUp,
    PreallocationTrial,
    Propose,
    answer_preallocation,
)
from evenkeel.properties.placement.preallocation import Reports as Reported
from evenkeel.properties.placement.resource_usage import (
    Ask,
    ExtensibleUsageTrial,
    ModularUsageTrial,
    Report,
    UsageCommand,
    UsedBroker,
    answer_modular_usage,
    extensible_sets,
)
from evenkeel.properties.placement.round_robin import RoundRobinTrial, Turns, answer_round_robin
from evenkeel.properties.placement.trial_parts import (
    ChoicesAnswer,
    Chosen,
    Done,
    PlacementAnswer,
)
from evenkeel.reference.edition import BASE_EDITIONS, DOCUMENTED, EDITIONS, PULSAR_4_0, Edition
from evenkeel.reference.load.usage import Resource, Resources, Weights
from evenkeel.reference.placement import (
    message_rate,
    preallocation,
    resource_usage,
    spreading,
)
from evenkeel.reference.placement.arithmetic import Number, decimal, possible_sums, usage
from evenkeel.reference.placement.candidates import (
    BrokerReport,
    Cluster,
    PlacementConfig,
    below_topic_limit,
)
from evenkeel.reference.placement.isolation import IsolationPolicy, isolated, shared
from evenkeel.reference.placement.message_rate import RateReport
from evenkeel.reference.placement.planned import Statistics
from evenkeel.reference.placement.resource_usage import UsageConfig, UsageReport
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for
from evenkeel_engine.kit.observations import CommandBroke
from evenkeel_engine.kit.question import judge

DEFAULT = Weights()
each_edition = pytest.mark.parametrize("edition", BASE_EDITIONS.values(), ids=BASE_EDITIONS)
RANGES = [f"t/n/0x{index:08x}_0x{index + 1:08x}" for index in range(10)]


def percent(cpu: float) -> Resources:
    return Resources(cpu=Resource(cpu, 100.0))


def names(count: int) -> tuple[str, ...]:
    return tuple(str(number) for number in range(1, count + 1))


def low_rates(
    edition: Edition, rates: tuple[RateReport, ...], weights: Weights = DEFAULT
) -> tuple[str, ...]:
    brokers = names(len(rates))
    reports = dict(zip(brokers, rates, strict=True))
    return message_rate.least_loaded(brokers, reports, 85, weights, edition)


# ------------------------------------------------------------------------------ message rate


@each_edition
def test_the_lowest_long_term_rate(edition: Edition) -> None:
    """Pulsar's ModularLoadManagerStrategyTest."""

    def rates(first: float, cpu: float = 0) -> tuple[RateReport, ...]:
        usages = (0.0, cpu, 0.0)
        values = (first, 200.0, 300.0)
        return tuple(
            RateReport(percent(used), value / 2, value / 2)
            for used, value in zip(usages, values, strict=True)
        )

    assert low_rates(edition, rates(100)) == ("1",)
    assert low_rates(edition, rates(400)) == ("2",)
    assert low_rates(edition, rates(400, cpu=90)) == ("3",)
    assert low_rates(edition, rates(400, cpu=90), Weights(cpu=0)) == ("2",)


@each_edition
def test_exactly_the_threshold_is_eligible_and_all_overloaded_are_all_allowed(
    edition: Edition,
) -> None:
    at, above = RateReport(percent(85), 1.0), RateReport(percent(85.1), 0.0)
    assert low_rates(edition, (at, above)) == ("1",)
    assert low_rates(edition, (above, above, above)) == ("1", "2", "3")


@each_edition
def test_preallocated_bundles_count(edition: Edition) -> None:
    reports = (RateReport(rate_in=100, preallocated=(20,)), RateReport(rate_in=110))
    assert low_rates(edition, reports) == ("2",)


# ---------------------------------------------------------------------------- resource usage


def sets(edition: Edition, difference: int, *usages: float) -> tuple[tuple[str, ...], ...]:
    """The modular manager's allowed sets of new brokers with these percentages."""
    known: dict[str, Number] = {
        name: usage(percent(used), Weights(), edition)
        for name, used in zip(names(len(usages)), usages, strict=True)
    }
    return resource_usage.allowed_sets(tuple(known), known, difference, edition)


def test_the_documented_example_of_10_30_and_80() -> None:
    """30 % plus 10 points is 40 %; in single precision it is more than the mean."""
    assert sets(DOCUMENTED, 10, 10, 30, 80) == (("1", "2"),)
    assert sets(PULSAR_4_0, 10, 10, 30, 80) == (("1",),)


def test_average_brokers_with_a_difference_of_0() -> None:
    """PIP-364's example."""
    assert sets(DOCUMENTED, 0, 10, 60, 70, 80, 80) == (("1", "2"),)
    assert sets(PULSAR_4_0, 0, 10, 60, 70, 80, 80) == (("1",),)


@each_edition
def test_no_broker_well_below_the_mean(edition: Edition) -> None:
    assert sets(edition, 10, 40, 40, 40, 40, 69, 70) == (names(6),)


@each_edition
def test_the_modular_strategy_over_several_placements(edition: Edition) -> None:
    """Pulsar's ModularLoadManagerStrategyTest: difference 5, history 0.5."""

    def reports(*usages: float) -> list[UsageCommand]:
        return [
            Report(name, UsageReport(percent(used), 1, 1.0, 1.0))
            for name, used in zip(names(len(usages)), usages, strict=True)
        ]

    ask = Ask(("1", "2", "3"))
    commands: list[UsageCommand] = [*reports(10, 30, 60, 5), ask]
    commands += [*reports(20, 30, 50), ask, *reports(30, 30, 40), ask, ask]
    commands += [*reports(35, 20, 45), ask]
    commands += [Report("3", UsageReport(percent(0), 0, 0.0, 0.0)), ask]
    answer = answer_modular_usage(ModularUsageTrial(UsageConfig(5, 0.5), tuple(commands)), edition)
    chosen = [result.choices for result in answer.results if isinstance(result, Chosen)]
    assert chosen == [("1",), ("1",), ("1",), ("1",), ("2",), ("3",)]


@each_edition
def test_the_extensible_strategy(edition: Edition) -> None:
    """Pulsar's LeastResourceUsageWithWeightTest of the extensible manager."""

    def extensible(*usages: float | None) -> ExtensibleUsageTrial:
        brokers = zip(names(len(usages)), usages, strict=True)
        return ExtensibleUsageTrial(5, tuple(UsedBroker(n, u) for n, u in brokers), 1)

    assert extensible_sets(extensible(0.1, 0.3, 0.6), edition) == (("1",),)
    assert extensible_sets(extensible(0.5, 1.0, None), edition) == (("1",),)
    assert extensible_sets(extensible(1.0, 1.0, None), edition) == (("1", "2", "3"),)
    assert extensible_sets(extensible(None, None), edition) == (("1", "2"),)


def test_the_order_of_addition_may_decide() -> None:
    """0.1 + 0.2 + 0.3 is 0.6 or a little more, so 0.2 is the mean or below it: both are right."""
    assert possible_sums((0.1, 0.2, 0.3)) == {0.6, 0.6000000000000001}
    known: dict[str, Number] = {"1": 0.1, "2": 0.2, "3": 0.3}
    found = resource_usage.allowed_sets(names(3), known, 0, PULSAR_4_0)
    assert set(found) == {("1",), ("1", "2")}
    exact: dict[str, Number] = {"1": decimal(0.1), "2": decimal(0.2), "3": decimal(0.3)}
    assert resource_usage.allowed_sets(names(3), exact, 0, DOCUMENTED) == (("1", "2"),)


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


# ------------------------------------------------------------------------------- round robin


def turns(counter: int, *asks: tuple[str, int]) -> list[str]:
    """The choices of 4.0; candidates are given as one text."""
    trial = RoundRobinTrial(counter, tuple(Turns(tuple(choices), times) for choices, times in asks))
    answer = answer_round_robin(trial, PULSAR_4_0)
    return [
        "".join(choice or "-" for choice in result.choices)
        for result in answer.results
        if isinstance(result, Chosen)
    ]


def test_the_round_robin_of_4_0() -> None:
    """Pulsar's RoundRobinBrokerSelectorTest."""
    assert turns(0, ("", 1), ("123", 10), ("231", 10)) == ["-", "1231231231", "2312312312"]
    assert turns(0, ("123", 20), ("124", 6)) == ["12312312312312312312", "412412"]
    assert turns(2, ("24", 4)) == ["2424"]
    assert turns(2**31 - 1, ("123", 2)) == ["21"]


def test_alternating_callers_of_the_round_robin_of_4_0() -> None:
    assert turns(0, *[("123", 1), ("12", 1)] * 3) == ["1", "2", "3", "2", "2", "2"]


# -------------------------------------------------------------------------------- AvgShedder


@each_edition
def test_a_planned_move(edition: Edition) -> None:
    """Pulsar's ModularLoadManagerStrategyTest."""
    bundles = (KnownBundle("t/n/1", Statistics(1)),)
    trial = PlannedTrial(
        bundles,
        (PlanMove("t/n/1", "1"), Place("t/n/1", ("3", "1", "2")), Place("t/n/1", ("2",))),
    )
    results = answer_planned(trial, edition).results
    assert results[1:] == (Chosen(("1",)), Chosen(("2",)))


def test_equal_bundles_share_a_plan_in_4_0() -> None:
    bundles = (KnownBundle("t/n/1", Statistics()), KnownBundle("t/n/2", Statistics()))
    moves = (PlanMove("t/n/1", "2"), PlanMove("t/n/2", "4"), Place("t/n/1", names(4)))
    trial = PlannedTrial(bundles, moves)
    assert answer_planned(trial, PULSAR_4_0).results[2] == Chosen(("4",))
    assert answer_planned(trial, DOCUMENTED).results[2] == Chosen(("2",))


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


# -------------------------------------------------------------------------------- candidates


def test_groups_over_domains() -> None:
    """The example in the description of LoadManagerShared's filter."""
    counts = {"b1": 2, "b2": 1, "b3": 2, "b4": 1, "b5": 2, "b6": 2}
    domains = {"b1": "d1", "b2": "d1", "b3": "d2", "b4": "d2", "b5": "d3", "b6": "d3"}
    assert spreading.apart(tuple(counts), counts, domains) == ("b2", "b4")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("group", "GROUP", True),
        ("ς", "Σ", True),
        ("ſ", "S", True),
        ("İ", "i", True),
        ("ı", "I", True),
        ("ß", "SS", False),
    ],
)
def test_groups_are_the_same_whatever_the_case(one: str, other: str, same: bool) -> None:
    assert spreading.members(RANGES[:2], {"t/n": one}, other, every_bundle=False) == same


def test_a_negative_topic_limit_drops_no_broker() -> None:
    config = PlacementConfig("m", max_topics=-1)
    remaining = below_topic_limit(
        ("a:1", "b:1"), Cluster(("a:1", "b:1"), {"a:1": BrokerReport()}), config
    )
    assert remaining == ("a:1", "b:1")


def test_isolation_policies() -> None:
    policy = IsolationPolicy(("tenant/.*",), ("host-[12]",), ("host-3",), least=2)
    brokers = tuple(f"host-{number}:8080" for number in range(1, 5))
    assert isolated(policy, brokers, DOCUMENTED) == brokers[:2]
    assert isolated(policy, brokers[1:], DOCUMENTED) == brokers[1:3]
    assert shared([policy], brokers, lambda broker: True, DOCUMENTED) == brokers[2:]


@each_edition
def test_the_modular_pipeline(edition: Edition) -> None:
    """The emptiest broker is overloaded, so all are offered as well, and the last choice counts."""
    brokers = tuple(
        ClusterBroker(f"h{number}:1", BrokerReport(cpu=cpu, manager="m"), bundles, None)
        for number, cpu, bundles in (
            (1, 90.0, ()),
            (2, 95.0, (RANGES[0],)),
            (3, 1.0, ("o/n/0x00000001_0x00000002",)),
        )
    )
    trial = CandidatesTrial(
        config=PlacementConfig(manager="m"),
        failure_domains=False,
        brokers=brokers,
        groups=(Grouped("o/n", "group"), Grouped("t/n", "GROUP")),
        policies=(),
        bundle=RANGES[1],
        persistent=True,
        prefers=("h1:1",),
        prefers_then=("h2:1",),
    )
    answer = answer_candidates(trial, edition)
    assert answer.offers == (("h1:1",), ("h1:1", "h2:1", "h3:1"))
    assert answer.chosen == "h2:1"


# ----------------------------------------------------------------------------- preallocation


def choices(edition: Edition, *commands: LookUp | Propose | Reported) -> list[str | None]:
    """The choices for bundles 0 to 9 of 1000 msg/s each, not spread evenly."""
    bundles = tuple(BundleRate(RANGES[index], 1000) for index in range(10))
    trial = PreallocationTrial(False, ("a:1", "b:1"), bundles, commands)
    results = answer_preallocation(trial, edition).results
    return [result.choices[0] for result in results if isinstance(result, Chosen)]


@each_edition
def test_a_burst_of_lookups_alternates_and_one_of_proposals_does_not(edition: Edition) -> None:
    lookups = [LookUp(RANGES[index]) for index in range(4)]
    assert sorted(filter(None, choices(edition, *lookups))) == ["a:1", "a:1", "b:1", "b:1"]
    busy = Reported("b:1", (RANGES[9],))
    proposals = [Propose(RANGES[index]) for index in range(4)]
    assert choices(edition, busy, *proposals) == ["a:1"] * 4


def test_what_ends_a_preallocation() -> None:
    """Another broker's report ends it in 4.0, and both brokers are idle again."""
    idle: dict[str, frozenset[str]] = {"a:1": frozenset(), "b:1": frozenset()}
    leader = preallocation.give("t/n/0", "a:1", preallocation.Leader(idle))
    for edition, allowed in ((DOCUMENTED, ("b:1",)), (PULSAR_4_0, ("a:1", "b:1"))):
        after = preallocation.settle(idle, "b:1", leader, edition)
        assert preallocation.allowed("t/n/1", after, {}, False) == allowed
    own = preallocation.settle(idle, "a:1", leader, DOCUMENTED)
    assert preallocation.allowed("t/n/1", own, {}, False) == ("a:1", "b:1")


def test_system_bundles_are_always_spread() -> None:
    reported = {"a:1": frozenset({"pulsar/system/0"}), "b:1": frozenset({"t/n/0"})}
    leader = preallocation.Leader(reported, {}, frozenset({"pulsar/system/0", "t/n/0"}))
    rates = {"pulsar/system/0": 0, "t/n/0": 1000}
    assert preallocation.allowed("pulsar/system/1", leader, rates, False) == ("b:1",)
    assert preallocation.allowed("t/n/1", leader, rates, False) == ("a:1",)
