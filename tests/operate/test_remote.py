"""A subject in the loop: equal to the reference round by round, or shown what is not."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from evenkeel.operate.simulate import remote, running
from evenkeel.operate.simulate.remote import Does, NotOffered
from evenkeel.operate.simulate.remote_placement import reported_once
from evenkeel.operate.simulate.subject_calls import Log, SubjectCalls, SubjectFailed
from evenkeel.properties.placement.trial_parts import ChoicesAnswer
from evenkeel.reference.balancing.settings import Placer, Strategy
from evenkeel.reference.edition import DOCUMENTED, PULSAR_4_0, Edition
from evenkeel.reference.shedding.cluster import BrokerId, BundleName
from evenkeel_engine.kit.observations import Broke, Refused
from evenkeel_engine.subjects.base import Errored, Observed, Reply, Request, Skipped
from evenkeel_engine.subjects.local import ReferenceSubject
from tests.operate.shipped import shipped_job

STRATEGIES = [strategy for strategy in Strategy if strategy is not Strategy.NONE]
MODULAR = [placer for placer in Placer if placer is not Placer.AVG]
each_strategy = pytest.mark.parametrize("strategy", STRATEGIES)
each_edition = pytest.mark.parametrize("edition", [DOCUMENTED, PULSAR_4_0], ids=["doc", "4.0"])


@each_edition
@each_strategy
def test_the_reference_as_a_subject_changes_nothing(strategy: Strategy, edition: Edition) -> None:
    asked, log = shipped_job("rolling-restart", strategy, 30, edition), Log()
    remote.carry_out(asked, ReferenceSubject(edition), log)
    assert (log.rounds, log.allowed, log.violations) == (30, 0, [])
    assert (log.equal, log.moments) == (31, 31)
    assert log.placements >= 12


@each_strategy
def test_shedding_alone_goes_on_with_the_references_placement(strategy: Strategy) -> None:
    asked, log = shipped_job("rolling-restart", strategy, 30), Log()
    run = remote.carry_out(asked, ReferenceSubject(asked.edition), log, Does.SHEDDING)
    assert run.history == running.carry_out(asked).history
    assert (log.rounds, log.placements) == (30, 0)


@pytest.mark.parametrize("placer", MODULAR)
def test_placement_alone_goes_on_with_the_references_shedding(placer: Placer) -> None:
    asked, log = shipped_job("uneven-bundles", Strategy.THRESHOLD, 90, PULSAR_4_0, placer), Log()
    remote.carry_out(asked, ReferenceSubject(asked.edition), log, Does.PLACEMENT)
    assert (log.rounds, log.violations, log.equal) == (0, [], 91)
    assert log.placements >= 10


class Changed:
    """The reference with changed answers, or replies, to some questions."""

    questions: frozenset[str] | None = None
    name = "changed"

    def __init__(
        self, changes: dict[str, Callable[[Any], Any]], edition: Edition = PULSAR_4_0
    ) -> None:
        self._changes, self._edition = changes, edition

    def replies(self, asks: Iterable[Request]) -> Iterator[tuple[Request, Reply]]:
        for ask in asks:
            known = ask.question.observe(ask.trial, self._edition)
            found = self._changes.get(ask.question.name, lambda answer: answer)(known)
            yield ask, found if isinstance(found, Errored | Skipped) else Observed(found)

    def close(self) -> None:
        """Nothing is open."""


def test_a_subject_that_places_wrongly_is_found_out() -> None:
    stubborn, log = Changed({RATE: lambda known: ChoicesAnswer(("broker-1",))}), Log()
    remote.carry_out(shipped_job("three-brokers", Strategy.THRESHOLD, 5), stubborn, log)
    assert {"PLC-8", "BAL-11"} <= {found.clause for found in log.violations}
    assert log.equal < log.moments


RATE = "placement.least_long_term_message_rate"
USAGE = "placement.least_resource_usage_extensible"
CANDIDATES = "placement.candidates"


def times(number: int, field: str) -> Callable[[Any], Any]:
    """The values of a field n times."""
    return lambda known: replace(known, **{field: getattr(known, field) * number})


def offers(change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Each offer changed."""
    return lambda known: replace(known, offers=tuple(map(change, known.offers)))


USELESS: dict[str, tuple[Strategy, str, Callable[[Any], Any]]] = {
    "no rounds": (Strategy.AVG, "shedding.avg", times(0, "rounds")),
    "rounds more": (Strategy.TRANSFER, "shedding.transfer", times(2, "rounds")),
    "refused": (Strategy.THRESHOLD, "shedding.threshold", lambda _: Refused("no")),
    "broke": (Strategy.UNIFORM, "shedding.uniform", lambda _: Broke("no")),
    "no choice": (Strategy.THRESHOLD, RATE, lambda _: ChoicesAnswer(())),
    "two choices": (Strategy.TRANSFER, USAGE, times(2, "choices")),
    "unknown choice": (Strategy.THRESHOLD, RATE, lambda _: ChoicesAnswer(("X",))),
    "other candidates": (Strategy.OVERLOAD, CANDIDATES, offers(lambda offer: offer[-1:])),
    "unknown offer": (Strategy.THRESHOLD, CANDIDATES, offers(lambda _: ("X",))),
    "the same offer twice": (Strategy.THRESHOLD, CANDIDATES, offers(lambda offer: offer * 2)),
    "offers without end": (Strategy.TRANSFER, "placement.filters", times(5, "offers")),
    "no results": (Strategy.AVG, "placement.avg_shedder", times(0, "results")),
    "two results for one": (Strategy.AVG, "placement.avg_shedder", times(2, "results")),
}


@pytest.mark.parametrize(("strategy", "question", "change"), USELESS.values(), ids=USELESS)
def test_an_answer_of_no_use_is_the_subjects_fault(
    strategy: Strategy, question: str, change: Callable[[Any], Any]
) -> None:
    asked, log = shipped_job("rolling-restart", strategy, 12), Log()
    assert len(remote.carry_out(asked, Changed({question: change}), log).history.moments) == 13
    first = log.violations[0]
    assert first.clause[:4] in {"SHD-", "PLC-"}
    assert re.match(rf"rolling-restart/{strategy}, minute \d+: {first.clause}: ", str(first))


def test_an_answer_of_no_use_that_no_clause_objects_to_ends_the_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(SubjectCalls, "judge", lambda self, name, trial, answer: False)
    requested = r"three-brokers/threshold, minute 1: the subject changed gave an answer to "
    empty = Changed({"shedding.threshold": lambda known: replace(known, rounds=())})
    with pytest.raises(
        SubjectFailed, match=f"{requested}shedding.threshold that has 0 rounds, must"
    ):
        remote.carry_out(shipped_job("three-brokers", Strategy.THRESHOLD, 5), empty, Log())
    unknown = Changed({RATE: lambda _: ChoicesAnswer(("X",))})
    with pytest.raises(SubjectFailed, match=r"minute \d+: .* that chooses X, which is no broker"):
        remote.carry_out(shipped_job("rolling-restart", Strategy.THRESHOLD, 12), unknown, Log())


def test_a_destination_that_is_no_broker_is_the_subjects_fault() -> None:
    def elsewhere(known: Any) -> Any:
        *before, cycle = known.rounds
        moves = tuple(replace(move, destination=BrokerId("X")) for move in cycle.moves)
        return replace(known, rounds=(*before, replace(cycle, moves=moves)))

    log = Log()
    asked = shipped_job("ten-thirty-eighty", Strategy.TRANSFER, 12)
    run = remote.carry_out(asked, Changed({"shedding.transfer": elsewhere}), log)
    assert {found.clause[:4] for found in log.violations} == {"SHD-"}
    assert run.measures.unloads == 0


def test_a_subject_that_does_not_answer_stops_the_run() -> None:
    silent = Changed({"shedding.overload": lambda _: Skipped("no")})
    with pytest.raises(
        SubjectFailed, match=r"minute 1: the subject changed did not answer shedding.overload: no$"
    ):
        remote.carry_out(shipped_job("three-brokers", Strategy.OVERLOAD, 5), silent, Log())


def test_what_cannot_be_put_to_a_subject_is_one_sentence() -> None:
    asked = shipped_job("three-brokers", Strategy.OVERLOAD, 5)
    scenario = asked.file.scenario
    odd = replace(scenario.bundles[0], name=BundleName("tenant/x/1"))
    scenario = replace(scenario, bundles=(odd, *scenario.bundles[1:]))
    asked = replace(asked, file=replace(asked.file, scenario=scenario))
    with pytest.raises(SubjectFailed, match=r"must be a bundle's full name"):
        remote.carry_out(asked, ReferenceSubject(PULSAR_4_0), Log())


def test_a_subject_without_the_questions_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SubjectCalls, "offers", lambda self, question: "uniform" in question)
    asked = shipped_job("three-brokers", Strategy.UNIFORM, 5)
    with pytest.raises(NotOffered, match=r"shedding.overload or placement.least_long_term"):
        remote.carry_out(shipped_job("three-brokers", Strategy.OVERLOAD, 5), Changed({}), Log())
    with pytest.raises(NotOffered, match=r"does not answer placement.least_long_term"):
        remote.carry_out(asked, Changed({}), Log(), Does.PLACEMENT)


@pytest.mark.parametrize("strategy", [Strategy.UNIFORM, Strategy.TRANSFER])
def test_a_subject_with_strategies_alone_gets_the_references_candidates(
    strategy: Strategy, monkeypatch: pytest.MonkeyPatch
) -> None:
    without = {"placement.candidates", "placement.filters"}
    monkeypatch.setattr(SubjectCalls, "offers", lambda self, question: question not in without)
    asked, log = shipped_job("rolling-restart", strategy, 30), Log()
    remote.carry_out(asked, ReferenceSubject(PULSAR_4_0), log)
    assert (log.violations, log.equal) == ([], 31)
    assert log.placements > 0
    assert not without & set(log.asked)


def test_no_bundle_is_reported_twice() -> None:
    first, second = (
        BundleName("t/n/0x00000000_0x7fffffff"),
        BundleName("t/n/0x7fffffff_0xffffffff"),
    )
    a, b = BrokerId("a"), BrokerId("b")
    reported = reported_once(first, {a: (first, second), b: (second,)})
    names = [name for mine in reported.values() for name in mine]
    assert len({first, *names}) == 4
    assert all(name.startswith("t/n/0x") for name in names)
    assert [len(mine) for mine in reported.values()] == [2, 1]
