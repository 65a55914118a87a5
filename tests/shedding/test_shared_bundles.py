"""A bundle in two brokers' reports, which every unload causes for some seconds (SHD-96)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evenkeel.properties.shedding.avg.trials import AvgAnswer, AvgTrial, Planned, PlannedShed
from evenkeel.properties.shedding.overload import OverloadTrial
from evenkeel.properties.shedding.threshold import ThresholdTrial
from evenkeel.properties.shedding.transfer.trials import TransferTrial, answer_transfer
from evenkeel.properties.shedding.trial_parts import ReportedBroker, Shed, SheddingAnswer
from evenkeel.reference.edition import BASE_EDITIONS, DOCUMENTED, PULSAR_4_0, Edition
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.shedding.avg import AvgRules
from evenkeel.reference.shedding.cluster import BrokerId, BundleName
from evenkeel.reference.shedding.overload import OverloadRules
from evenkeel.reference.shedding.threshold import ThresholdRules
from evenkeel.reference.shedding.transfer import (
    TopBundle,
    TransferReport,
    TransferRules,
    TransferView,
)
from evenkeel_engine.check.seeded import make_trial
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for
from evenkeel_engine.kit.question import judge
from evenkeel_engine.kit.trial import BadTrial
from tests.shedding.building import MB, MIB, Node, bytes_per_second, cpu, name, round_of

A, B, C, D = "a:1", "b:1", "c:1", "d:1"
SHARED, OF_A, OF_B = name(1), name(2), name(3)
QUESTIONS_OF_SHEDDERS = (
    "shedding.overload",
    "shedding.uniform",
    "shedding.avg",
    "shedding.threshold",
    "shedding.transfer",
    "shedding.transfer_debug",
)


def violated(question: str, trial: object, answer: object, edition: Edition) -> set[str]:
    """The clauses that object."""
    clauses = clauses_for(question, edition)
    verdicts = judge(QUESTIONS[question], clauses, trial, answer, edition)
    return {verdict.clause for verdict in verdicts if verdict.status == "violated"}


def overloaded() -> OverloadTrial:
    """Two full brokers that both report the heaviest bundle; a has two more, b one."""
    loads = {1: 50.0, 2: 10.0, 4: 5.0}
    a = Node(cpu(90.0), {i: bytes_per_second(load * MB) for i, load in loads.items()})
    b = Node(cpu(90.0), {3: bytes_per_second(10.0 * MB)}, bytes_per_second(60.0 * MB))
    round_ = round_of({A: a, B: b})
    first, second = round_.brokers
    second = replace(second, bundles=(SHARED, OF_B))
    return OverloadTrial(config=OverloadRules(), rounds=(replace(round_, brokers=(first, second)),))


def sheds(**bundles: tuple[str, ...]) -> SheddingAnswer:
    """What a and b shed in the single round."""
    return SheddingAnswer((tuple(Shed(f"{key}:1", names) for key, names in bundles.items()),))


@pytest.mark.parametrize(
    "answer",
    [
        sheds(a=(SHARED,), b=(SHARED,)),
        sheds(a=(SHARED,), b=(OF_B,)),
        sheds(a=(OF_A,), b=(SHARED,)),
        sheds(a=(SHARED,)),
    ],
    ids=["of both", "of a", "of b", "of a, and b has a sole bundle"],
)
def test_documented_allows_either_broker_of_a_shared_bundle(answer: SheddingAnswer) -> None:
    assert violated("shedding.overload", overloaded(), answer, DOCUMENTED) == set()


def threshold_trial(traffic: Traffic | None) -> ThresholdTrial:
    """a is full, and each of its two bundles is in the report of another broker as well."""
    loads = {1: bytes_per_second(30.0 * MIB), 2: bytes_per_second(20.0 * MIB)}
    others = {
        B: Node(cpu(10.0), {3: bytes_per_second(10.0 * MIB)}),
        C: Node(cpu(10.0), {4: bytes_per_second(10.0 * MIB)}),
    }
    round_ = round_of({A: Node(cpu(90.0), loads, traffic), **others})
    a, b, c = round_.brokers
    b, c = replace(b, bundles=(*b.bundles, SHARED)), replace(c, bundles=(*c.bundles, OF_A))
    return ThresholdTrial(config=ThresholdRules(), rounds=(replace(round_, brokers=(a, b, c)),))


@pytest.mark.parametrize("answer", [sheds(a=(SHARED,)), sheds(a=(OF_A,))])
def test_a_broker_shedding_shared_bundles_sheds_no_more_than_it_has(
    answer: SheddingAnswer,
) -> None:
    question, without, enough = (
        "shedding.threshold",
        threshold_trial(Traffic()),
        threshold_trial(None),
    )
    assert violated(question, without, answer, DOCUMENTED) == {"SHD-83"}
    assert violated(question, without, sheds(), DOCUMENTED) == set()
    assert violated(question, enough, answer, DOCUMENTED) == set()


def test_documented_requires_an_overloaded_broker_to_shed() -> None:
    assert "SHD-11" in violated("shedding.overload", overloaded(), sheds(b=(OF_B,)), DOCUMENTED)


def test_pulsar_sheds_a_shared_bundle_from_both_brokers() -> None:
    trial = overloaded()
    question = QUESTIONS["shedding.overload"]
    assert question.observe(trial, PULSAR_4_0) == sheds(a=(SHARED,), b=(SHARED,))
    assert "SHD-14" in violated("shedding.overload", trial, sheds(a=(SHARED,)), PULSAR_4_0)


@pytest.mark.parametrize("edition", BASE_EDITIONS.values(), ids=BASE_EDITIONS)
def test_one_broker_still_sheds_it_once(edition: Edition) -> None:
    twice = sheds(a=(SHARED, SHARED), b=(SHARED,))
    assert "SHD-4" in violated("shedding.overload", overloaded(), twice, edition)


def test_a_broker_lists_a_bundle_once() -> None:
    node = round_of({A: Node(cpu(1.0), {1: Traffic()})}).brokers[0]
    with pytest.raises(BadTrial, match="twice"):
        ReportedBroker(A, node.resources, node.traffic, (SHARED, SHARED))


def test_a_bundle_shed_twice_may_be_planned_for_either_partner() -> None:
    """A with 95 % and B with 90 % both report it; C and D, with 10 % and 5 %, are theirs."""
    busy = {1: bytes_per_second(10.0 * MB), 2: bytes_per_second(90.0 * MB)}
    nodes = {
        A: Node(cpu(95.0), busy),
        B: Node(cpu(90.0), {3: bytes_per_second(90.0 * MB)}, bytes_per_second(100.0 * MB)),
        C: Node(cpu(10.0)),
        D: Node(cpu(5.0)),
    }
    round_ = round_of(nodes)
    brokers = [
        replace(one, bundles=(SHARED, OF_B)) if one.broker == B else one for one in round_.brokers
    ]
    trial = AvgTrial(
        config=AvgRules(high_hits=1), rounds=(replace(round_, brokers=tuple(brokers)),)
    )
    for partner in (C, D):
        planned = (Planned(SHARED, partner),)
        answer = AvgAnswer(((PlannedShed(A, planned), PlannedShed(B, planned)),))
        assert violated("shedding.avg", trial, answer, DOCUMENTED) == set()
    nowhere = (Planned(SHARED, None),)
    answer = AvgAnswer(((PlannedShed(A, nowhere), PlannedShed(B, nowhere)),))
    assert "SHD-34" in violated("shedding.avg", trial, answer, DOCUMENTED)


def both_ways() -> TransferTrial:
    """A gives 1 and then 2, for which B gives back 1 as well: it is on B's list already."""

    def report(broker: str, load: float, *top: TopBundle) -> TransferReport:
        traffic = sum(bundle.throughput for bundle in top)
        return TransferReport(BrokerId(broker), load, traffic, 0.0, traffic, 1000, top)

    first, second = BundleName(SHARED), BundleName(OF_A)
    a = report(A, 0.9, TopBundle(first, 10.0 * MB, 0.0), TopBundle(second, 45.0 * MB, 0.0))
    more = TopBundle(BundleName(name(4)), 35.0 * MB, 0.0)
    a = replace(a, top=(*(a.top or ()), more), throughput_in=90.0 * MB)
    b = report(
        B,
        0.1,
        TopBundle(first, 10.0 * MB, 0.0, owned=False),
        TopBundle(BundleName(OF_B), 20.0 * MB, 0.0),
    )
    view = TransferView(1000, (BrokerId(A), BrokerId(B)), (a, b))
    return TransferTrial(config=TransferRules(hit_threshold=0), rounds=(view,))


def test_pulsar_may_transfer_a_shared_bundle_both_ways() -> None:
    trial = both_ways()
    answer = answer_transfer(trial, PULSAR_4_0)
    moves = {(m.source, m.bundle, m.destination) for m in answer.rounds[0].moves}
    assert {(A, SHARED, B), (B, SHARED, A)} <= moves
    assert violated("shedding.transfer", trial, answer, PULSAR_4_0) == set()
    assert "SHD-56" in violated("shedding.transfer", trial, answer, DOCUMENTED)
    documented = answer_transfer(trial, DOCUMENTED)
    assert violated("shedding.transfer", trial, documented, DOCUMENTED) == set()


def test_a_bundle_on_two_lists_counts_once() -> None:
    [view] = both_ways().rounds
    a, b = view.reports
    first, *others = b.top or ()
    for wrong in (replace(first, owned=True), replace(first, filter_fails=True)):
        reports = (a, replace(b, top=(wrong, *others)))
        with pytest.raises(BadTrial, match=r"owners|filters"):
            TransferTrial(config=TransferRules(), rounds=(replace(view, reports=reports),))


@pytest.mark.parametrize("question", QUESTIONS_OF_SHEDDERS)
def test_generated_shared_bundles_are_judged_right_for_the_reference(question: str) -> None:
    trials = (make_trial(QUESTIONS[question], 5, index) for index in range(400))
    shared = [trial for trial in trials if has_shared(question, trial)]
    assert len(shared) > 10
    for trial in shared:
        for edition in (DOCUMENTED, PULSAR_4_0):
            answer = QUESTIONS[question].observe(trial, edition)
            assert violated(question, trial, answer, edition) == set()


def has_shared(question: str, trial: object) -> bool:
    labels = set(QUESTIONS[question].labels(trial))
    return bool(labels & {"a bundle in two reports", "a bundle on two lists"})
