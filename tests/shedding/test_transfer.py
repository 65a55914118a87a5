"""The judge of TransferShedder: an answer is allowed exactly if some order explains it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenkeel.properties.shedding.transfer import judge as judging
from evenkeel.properties.shedding.transfer.rounds import exact_spread, listed_spread, sums
from evenkeel.properties.shedding.transfer.trials import (
    TransferAnswer,
    TransferTrial,
    answer_transfer,
)
from evenkeel.properties.tolerance import tolerance_of
from evenkeel.reference.edition import DOCUMENTED, EDITIONS, PULSAR_4_0, Edition
from evenkeel.reference.shedding.cluster import BrokerId, BundleName
from evenkeel.reference.shedding.transfer import (
    TopBundle,
    TransferLabel,
    TransferMove,
    TransferReason,
    TransferReport,
    TransferRules,
    TransferView,
)
from evenkeel.reference.summation import ordered_sum
from evenkeel_engine.check.seeded import Block
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for
from evenkeel_engine.kit.question import judge
from evenkeel_engine.mutation.catalogue import MUTANTS
from evenkeel_engine.mutation.scoring.score import running_it

PULSAR_3_0 = EDITIONS["PULSAR_3_0"]
NAMES = tuple(BrokerId(name) for name in "abcdefghij")


def report(number: int, load: float) -> TransferReport:
    """A broker with bundles of 1 and 9 bytes a second."""
    top = tuple(
        TopBundle(BundleName(f"t/ns/0x{number}{place}000000_0x{number}{place}ffffff"), size, 0.0)
        for place, size in enumerate((1.0, 9.0))
    )
    return TransferReport(NAMES[number], load, 10.0, 0.0, 10.0, 0, top)


def transfer_trial(
    *loads: float, rounds: int = 1, hit_threshold: int = 0, target: float = 0.25
) -> TransferTrial:
    """Brokers with these loads."""
    view = TransferView(
        0, NAMES[: len(loads)], tuple(report(number, load) for number, load in enumerate(loads))
    )
    config = TransferRules(
        hit_threshold=hit_threshold, max_pairs=1, target_std=target, overloaded_percentage=100
    )
    return TransferTrial(config=config, rounds=(view,) * rounds)


def answer_in_order(trial: TransferTrial, *order: int) -> TransferAnswer:
    """The reference's answer if the store lists the reports in this order."""
    views = tuple(
        replace(view, reports=tuple(view.reports[place] for place in order))
        for view in trial.rounds
    )
    return answer_transfer(replace(trial, rounds=views), PULSAR_4_0)


def verdicts(
    trial: TransferTrial, answer: TransferAnswer, edition: Edition = PULSAR_4_0
) -> dict[str, str]:
    """The status of every clause."""
    question = QUESTIONS["shedding.transfer"]
    clauses = clauses_for(question.name, edition)
    return {v.clause: v.status for v in judge(question, clauses, trial, answer, edition)}


def violated(trial: TransferTrial, answer: TransferAnswer) -> bool:
    """Whether 4.0 cannot have answered this; otherwise the clause must hold."""
    status = verdicts(trial, answer)["SHD-68"]
    assert status in ("holds", "violated")
    return status == "violated"


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (1, 0, 2, 3), (0, 1, 3, 2), (3, 2, 1, 0)])
def test_any_of_equally_loaded_brokers_may_give_or_take(order: tuple[int, ...]) -> None:
    trial = transfer_trial(0.1, 0.1, 0.9, 0.9)
    answer = answer_in_order(trial, *order)
    assert len(answer.rounds[0].moves) == 1
    assert not violated(trial, answer)


def test_only_the_most_loaded_broker_may_give() -> None:
    trial = transfer_trial(0.1, 0.2, 0.8, 0.9)
    answer = answer_in_order(transfer_trial(0.1, 0.2, 0.9, 0.8), 0, 1, 2, 3)
    assert violated(trial, answer)


def test_the_count_continues_from_the_answered_rounds() -> None:
    trial = transfer_trial(0.1, 0.9, rounds=3, hit_threshold=1)
    answer = answer_in_order(trial, 0, 1)
    first, second, third = answer.rounds
    assert [len(decision.moves) for decision in answer.rounds] == [0, 1, 0]
    assert not violated(trial, answer)
    assert violated(trial, TransferAnswer((second, first, second)))
    assert violated(trial, TransferAnswer((first, first, third)))


def test_last_bits_of_sums_of_many_loads_are_ignored() -> None:
    """In one order the deviation is at the target, in another it is a bit above."""
    trial = transfer_trial(0.64, 0.96, 0.32, 0.82, 0.84, 0.38, target=0.23888630489558543)
    answers = answer_in_order(trial, 1, 4, 2, 3, 0, 5), answer_in_order(trial, *range(6))
    assert [len(answer.rounds[0].moves) for answer in answers] == [1, 0]
    assert not any(violated(trial, answer) for answer in answers)


def test_a_clear_deviation_of_many_loads_is_judged() -> None:
    trial = transfer_trial(0.64, 0.96, 0.32, 0.82, 0.84, 0.38, target=0.2)
    still = transfer_trial(0.64, 0.96, 0.32, 0.82, 0.84, 0.38, target=0.3)
    answer = answer_in_order(still, *range(6))
    assert not answer.rounds[0].moves
    assert violated(trial, answer)


def test_the_last_bit_of_a_sum_of_few_loads_decides() -> None:
    """Whatever the order of these loads, the deviation is the same, and just above the target."""
    loads = 0.25, 0.75
    at, below = (
        transfer_trial(*loads, target=0.25),
        transfer_trial(*loads, target=math.nextafter(0.25, 0.0)),
    )
    moves, still = answer_in_order(below, 0, 1), answer_in_order(at, 0, 1)
    assert (bool(moves.rounds[0].moves), bool(still.rounds[0].moves)) == (True, False)
    assert violated(at, moves)
    assert violated(below, still)


MANY = 1500
"""More rounds than Python's limit of nested calls."""


def test_many_rounds_are_judged() -> None:
    trial = transfer_trial(0.1, 0.9, rounds=MANY, hit_threshold=1)
    assert not violated(trial, answer_transfer(trial, PULSAR_4_0))


def test_many_equally_loaded_brokers_are_judged() -> None:
    """Thirty idle brokers and one hot: any idle one takes, in each of three rounds."""
    names = [BrokerId(f"b{number:02}") for number in range(31)]
    idle = [replace(report(0, 0.0), broker=name, top=()) for name in names[1:]]
    view = TransferView(0, tuple(names), (replace(report(1, 1.0), broker=names[0]), *idle))
    trial = TransferTrial(config=TransferRules(hit_threshold=0), rounds=(view,) * 3)
    answer = answer_transfer(trial, PULSAR_4_0)
    assert answer.rounds[0].moves
    assert not violated(trial, answer)
    nothing = replace(
        answer.rounds[0], label=TransferLabel.SKIP, reason=TransferReason.HIT_COUNT, moves=()
    )
    assert violated(trial, TransferAnswer((nothing, *answer.rounds[1:])))


def wrong_answers(name: str, index: int) -> Iterator[tuple[TransferTrial, TransferAnswer]]:
    """A mutant's answer to one of the trials."""
    [mutant] = [one for one in MUTANTS if one.name == name]
    for one in running_it(mutant, Block("shedding.transfer", 1, index, 1)):
        with mutant.apply():
            answer = QUESTIONS["shedding.transfer"].observe(one.trial, mutant.edition)
        assert isinstance(answer, TransferAnswer)
        yield one.trial, answer


@pytest.mark.parametrize("index", [563])
def test_an_answer_that_no_interpretation_allows_is_violated(index: int) -> None:
    """A broker cools down in a round of the row. If that interrupted it, HitCount must be reported
    in the next one; if it did not, load must move. Nothing moves, and another reason is given.
    """
    found = list(wrong_answers("transfer-from-least-to-most", index))
    assert found
    for trial, answer in found:
        assert "violated" in verdicts(trial, answer, DOCUMENTED).values()


LOADS = st.lists(st.floats(0.0, 1000.0), min_size=1, max_size=5)


@given(LOADS)
def test_average_and_deviation_are_rounded_once(loads: list[float]) -> None:
    exact = [Fraction(load) for load in loads]
    average = sum(exact, Fraction(0)) / len(exact)
    variance = sum(((load - average) ** 2 for load in exact), Fraction(0)) / len(exact)
    assert exact_spread(tuple(loads)) == (float(average), math.sqrt(variance))


@given(LOADS, st.randoms())
def test_sums_are_those_of_every_order(loads: list[float], random: Random) -> None:
    shuffled = random.sample(loads, len(loads))
    found = ordered_sum(shuffled), ordered_sum(load * load for load in shuffled)
    assert found in sums(tuple(sorted(loads)))


def moved(trial: TransferTrial, *moves: tuple[int, int, int]) -> dict[str, str]:
    """The verdicts by the documents where these bundles move: by source, place in its list, and
    destination.
    """
    [view], named = trial.rounds, []
    for source, place, to in moves:
        entry = (view.reports[source].top or ())[place]
        destination = NAMES[to] if trial.config.transfer else None
        named.append(
            TransferMove(NAMES[source], entry.bundle, destination, TransferReason.OVERLOADED)
        )
    [decision] = answer_transfer(trial, DOCUMENTED).rounds
    decision = replace(decision, label=TransferLabel.SUCCESS, reason=None, moves=tuple(named))
    return verdicts(trial, TransferAnswer((decision,)), DOCUMENTED)


def in_turns(
    *moves: tuple[int, int, int], first: tuple[float, float] = (40.0, 50.0)
) -> dict[str, str]:
    """Verdicts on three brokers of 0.9, 0.85 and 0.1, 100 bytes/s for a load of 1; a move names
    source, place in its list and destination. `first`: the bundles of the first broker.
    """
    given = transfer_trial(0.9, 0.85, 0.1, target=0.1)
    [view] = given.rounds
    sizes = (first, (17.0, 68.0), (1.0, 9.0))
    reports = tuple(
        replace(
            one,
            throughput_in=100 * one.load,
            throughput_average=100 * one.load,
            top=tuple(map(lambda entry, size: replace(entry, throughput_in=size), one.top, own)),
        )
        for one, own in zip(view.reports, sizes, strict=True)
        if one.top is not None
    )
    config = replace(given.config, max_pairs=3)
    trial = replace(given, config=config, rounds=(replace(view, reports=reports),))
    return moved(trial, *moves)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_broker_may_give_and_then_take(order: tuple[int, int]) -> None:
    """0.9 gives 0.4 to 0.1; of 0.5, 0.85 and 0.5 the second gives to the first."""
    moves = ((0, 0, 2), (1, 0, 0))
    found = in_turns(*(moves[place] for place in order))
    assert {clause for clause, status in found.items() if status == "violated"} == {"SHD-57"}


def test_half_the_gap_may_be_what_earlier_pairs_leave() -> None:
    """0.85 gives 0.17 to 0.1; of 0.9 and the 0.68 that are left half the gap is 0.11."""
    found = in_turns((1, 0, 2), (0, 0, 1), first=(10.0, 80.0))
    assert {clause for clause, status in found.items() if status == "violated"} == {"SHD-57"}
    found = in_turns((1, 0, 2), (0, 0, 1), first=(12.0, 78.0))
    assert {clause for clause, status in found.items() if status == "violated"} >= {"SHD-63"}


def test_ten_brokers_that_are_equally_idle_are_decided() -> None:
    """Whether the deviation 0 exceeds the target 0 is a matter of rounding, and so is each pair."""
    reports = [report(number, 0.0) for number in range(10)]
    for number in (0, 1, 3, 7, 8):
        reports[number] = replace(reports[number], top=(reports[number].top or ())[:1])
    reports[4] = replace(reports[4], top=())
    rules = TransferRules(hit_threshold=0, target_std=0.0, overloaded_percentage=0)
    trial = TransferTrial(config=rules, rounds=(TransferView(0, NAMES, tuple(reports)),))
    answer = answer_in_order(trial, *range(10))
    assert answer.rounds[0].reason is TransferReason.HIT_COUNT
    assert verdicts(trial, answer)["SHD-68"] == "holds"


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (2, 1, 3, 0)])
def test_equally_idle_brokers_unload_with_transfers_off(
    order: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It does not show who would have received; in 3.0 idle brokers give, too."""
    monkeypatch.setattr(judging, "MOST_RUNS", 20)
    trial = transfer_trial(*[0.0] * 9, 1.0)
    reports = [replace(one, top=(one.top or ())[:1]) for one in trial.rounds[0].reports]
    reports[:3] = [report(number, 0.0) for number in range(3)]
    rules = replace(trial.config, transfer=False, max_pairs=2)
    view = replace(trial.rounds[0], reports=tuple(reports))
    trial = replace(trial, config=rules, rounds=(view,))
    listed = [reports[place] for place in order] + reports[4:]
    answer = answer_transfer(
        replace(trial, rounds=(replace(view, reports=tuple(listed)),)), PULSAR_3_0
    )
    assert answer.rounds[0].moves
    assert set(verdicts(trial, answer, PULSAR_3_0).values()) == {"holds", "unexercised"}


def test_pairs_in_vain_are_decided_with_transfers_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most brokers are not registered, so that no broker can give to them."""
    monkeypatch.setattr(judging, "MOST_RUNS", 20)
    trial = transfer_trial(0.9, *[0.0] * 9)
    view = trial.rounds[0]
    reports = tuple(
        replace(one, throughput_average=float(number)) for number, one in enumerate(view.reports)
    )
    view = replace(view, registered=NAMES[:3], reports=reports)
    rules = replace(trial.config, target_std=2.0, max_pairs=3, transfer=False)
    trial = replace(trial, config=rules, rounds=(view,))
    random, moves = Random(1), set()
    for _ in range(40):
        answer = answer_in_order(trial, *random.sample(range(10), 10))
        moves.add(len(answer.rounds[0].moves))
        assert verdicts(trial, answer)["SHD-68"] == "holds"
    assert moves == {0, 1, 2}


def test_the_average_stays_where_no_load_can_be_computed() -> None:
    """A source without traffic: 4.0 divides by 0, and compares the next pair with the average."""
    spread = listed_spread((0.1, 0.5), tolerance_of(PULSAR_4_0))
    after = spread.after(0.5, 0.1, math.nan, math.nan)
    assert (after.average, math.isnan(after.deviation.value)) == (spread.average, True)


def between_two(*moves: tuple[int, int], sizes: tuple[float, ...] = (1.0, 9.0)) -> dict[str, str]:
    """The verdicts by the documents where brokers with loads 0.9 and 0.2 and bundles of these sizes
    each move bundles, named by broker and place.
    """
    trial = transfer_trial(0.9, 0.2)
    reports = tuple(
        replace(
            one,
            top=tuple(
                TopBundle(BundleName(f"t/ns/0x{at}{place}000000_0x{at}{place}ffffff"), size, 0.0)
                for place, size in enumerate(sizes)
            ),
        )
        for at, one in enumerate(trial.rounds[0].reports)
    )
    trial = replace(trial, rounds=(replace(trial.rounds[0], reports=reports),))
    return moved(trial, *((at, place, 1 - at) for at, place in moves))


def test_a_swap_does_not_bring_more_back() -> None:
    assert between_two((0, 1), (1, 0))["SHD-62"] != "violated"
    assert between_two((0, 0), (1, 0))["SHD-62"] == "holds"
    assert between_two((0, 0), (1, 1))["SHD-62"] == "violated"


def test_a_bundle_without_traffic_is_no_load() -> None:
    assert between_two((0, 0), sizes=(0.0, 1.0, 2.0))["SHD-66"] == "violated"
    assert between_two((0, 0), (0, 1), sizes=(0.0, 1.0, 2.0))["SHD-66"] == "holds"
    assert between_two((0, 0), sizes=(0.0, 1.0))["SHD-66"] == "holds"


@pytest.mark.parametrize(
    ("average", "taker", "status"),
    [(10.0, 10.0, "violated"), (100.0, 10.0, "holds"), (10.0, 0.1, "holds")],
)
def test_which_traffic_load_follows_is_open(average: float, taker: float, status: str) -> None:
    """A second pair, where by the source's traffic of now the first is enough."""
    trial = transfer_trial(0.02, 0.04, 0.06, 0.55, 0.65)
    reports = [*trial.rounds[0].reports]
    [small, large] = reports[4].top or ()
    top = (replace(small, throughput_in=4.8), large)
    reports[4] = replace(reports[4], throughput_average=average, top=top)
    reports[0] = replace(reports[0], throughput_in=taker)
    view = replace(trial.rounds[0], reports=tuple(reports))
    trial = replace(trial, config=replace(trial.config, max_pairs=2), rounds=(view,))
    assert moved(trial, (4, 0, 0), (3, 0, 1))["SHD-67"] == status


@pytest.mark.parametrize("transfer", [True, False])
@pytest.mark.parametrize(("size", "status"), [(1.0, "violated"), (6.0, "holds")])
def test_a_broker_that_can_give_is_not_passed_over(
    size: float, status: str, transfer: bool
) -> None:
    """0.9 and 0.5 give, and 0.6 nothing."""
    trial = transfer_trial(0.02, 0.04, 0.06, 0.5, 0.6, 0.9)
    reports = [*trial.rounds[0].reports]
    [small, large] = reports[4].top or ()
    reports[4] = replace(reports[4], top=(replace(small, throughput_in=size), large))
    view = replace(trial.rounds[0], reports=tuple(reports))
    rules = replace(trial.config, max_pairs=2, transfer=transfer)
    trial = replace(trial, config=rules, rounds=(view,))
    assert moved(trial, (5, 0, 0), (3, 0, 1))["SHD-62"] == status


@pytest.mark.parametrize(("size", "status"), [(2.0, "holds"), (1.0, "violated")])
def test_a_swap_may_pass_over_a_broker_with_which_nothing_fits(size: float, status: str) -> None:
    """Half the gap is 1.2; the least loaded broker has no bundle to give back."""
    trial = transfer_trial(0.55, 0.219, 0.22, 0.221, 0.222, 0.223, 0.224, target=0.05)
    view = trial.rounds[0]
    first, *others = (replace(one, top=()) for one in view.reports)
    [small, large] = view.reports[0].top or ()
    top = (replace(small, throughput_in=size), replace(large, throughput_in=4.0 - size))
    first = replace(first, throughput_in=4.0, throughput_average=4.0, top=top)
    others[1] = replace(others[1], top=(view.reports[2].top or ())[:1])
    trial = replace(trial, rounds=(replace(view, reports=(first, *others)),))
    assert moved(trial, (0, 0, 2), (2, 0, 0))["SHD-62"] == status


def test_what_earlier_pairs_leave_is_not_below_0() -> None:
    """By the averages the first two lose all their load, and take in their turn."""
    trial = transfer_trial(0.02, 0.03, 0.03, 0.3, 0.01, target=0.05)
    view = trial.rounds[0]
    reports = tuple(replace(one, throughput_average=0.5) for one in view.reports)
    trial = replace(trial, rounds=(replace(view, reports=reports),))
    found = moved(trial, (3, 0, 4), (2, 0, 3), (1, 0, 2))
    assert {clause for clause, status in found.items() if status == "violated"} == {"SHD-57"}
