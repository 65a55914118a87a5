"""The engine of the judges: numbers with a tolerance, decisions, the search, blame."""

from __future__ import annotations

from typing import Final

import pytest

from evenkeel.reference.edition import PULSAR_4_0
from evenkeel_engine import spec
from evenkeel_engine.kit import search
from evenkeel_engine.kit.approx import Approx
from evenkeel_engine.kit.blame import LARGEST_BLAME
from evenkeel_engine.kit.clause import HOLDS, UNDECIDED, UNEXERCISED, Case, Findings, Violation
from evenkeel_engine.kit.judge import Judge, decision, monitor, require_equal, rounds
from evenkeel_engine.kit.observations import Broke, Refused
from evenkeel_engine.kit.run import Contradiction, MonitorRun, Program, Run, StepRun, fill
from evenkeel_engine.kit.search import explain

NONE: frozenset[str] = frozenset()


def test_exact_numbers_compare_to_the_bit() -> None:
    assert Approx(0.1 + 0.2).above(Approx(0.3)) is True
    assert Approx(1.0).at_least(Approx(1.0)) is True
    assert Approx(1.0).above(Approx(1.0)) is False
    assert Approx(1.0).equals(Approx(1.0)) is True


def test_within_the_tolerance_nothing_is_decided() -> None:
    bound = Approx(1.0, 0.25)
    assert bound.above(Approx(1.25)) is None
    assert bound.above(Approx(1.26)) is False
    assert bound.at_most(Approx(0.75)) is None
    assert bound.below(Approx(1.5)) is True
    assert bound.equals(Approx(1.0)) is None
    assert not bound.may_equal(Approx(2.0))


def one_step(step: StepRun, disabled: frozenset[str] = NONE) -> Findings:
    return explain(Program(None, 1, step), disabled)


def sheds(observed: bool, value: bool | None) -> StepRun:
    """A balancer that sheds exactly if the value says so."""

    def step(run: Run, _: int, state: object) -> None:
        if run.rule(value, "SHD-81", "SHD-80", lambda: f"the value is {value}") != observed:
            clause = "SHD-81" if value else "SHD-80"
            run.require(clause, False, "it sheds" if observed else "it does not")

    return step


def test_a_decision_is_explained_or_blamed() -> None:
    assert one_step(sheds(True, True)).conclude_finding("SHD-81") == HOLDS
    assert one_step(sheds(True, True)).conclude_finding("SHD-80") == UNEXERCISED
    found = one_step(sheds(True, False)).conclude_finding("SHD-80")
    assert isinstance(found, Violation)
    assert found.sentence == "it sheds; the value is False"


def test_undecided_comparison_allows_both_and_exercises_nothing() -> None:
    for observed in (True, False):
        assert one_step(sheds(observed, None)).by_clause == {}


def test_clause_of_another_edition_is_ignored() -> None:
    assert one_step(sheds(True, False), frozenset({"SHD-80"})).by_clause == {}


def far_or_too_much(run: Run, _: int, state: object) -> None:
    """Below the threshold nothing may be shed, above it two: one is wrong either way."""
    observed = 1
    allowed = 2 if run.rule(None, "SHD-81", "SHD-80") else 0
    run.require("SHD-86" if allowed else "SHD-80", observed == allowed, f"{observed}")


def test_an_answer_that_every_reading_forbids_is_a_violation() -> None:
    found = one_step(far_or_too_much)
    assert isinstance(found.conclude_finding("SHD-80"), Violation)
    assert isinstance(found.conclude_finding("SHD-86"), Violation)
    assert "or else SHD-86 is broken" in found.by_clause["SHD-80"].sentence  # type: ignore[union-attr]


def test_two_clauses_together_are_to_blame_where_neither_alone_is() -> None:
    def step(run: Run, _: int, state: object) -> None:
        run.require("SHD-84" if run.pick(2) else "SHD-86", False, "first")
        run.require("SHD-85", False, "second")

    sentences = {clause: str(found) for clause, found in one_step(step).by_clause.items()}
    assert {"SHD-84", "SHD-85", "SHD-86"} == set(sentences)
    assert "SHD-85 is broken with it; or else SHD-85 and SHD-86 is broken" in sentences["SHD-84"]


BROKEN: Final = [f"SHD-{number}" for number in range(80, 80 + LARGEST_BLAME + 1)]


@pytest.mark.parametrize("broken", [BROKEN[:2], BROKEN])
def test_what_is_decided_alone_is_named_alone_and_only_if_broken(broken: list[str]) -> None:
    """However many clauses are broken together in what is decided after it."""

    def step(run: Run, _: int, state: object) -> None:
        run.require("SHD-1", True)
        run.require("SHD-3", False, "within its grace period")
        run.require("SHD-4", True)
        run.pick(2)
        for clause in broken:
            run.require(clause, False, "not so")

    found = one_step(step)
    assert found.violated == {"SHD-3", *broken}
    first, *others = found.by_clause.values()
    assert first == Violation("within its grace period")
    assert not [one for one in others if "SHD-3" in str(one)]


def test_an_interpretation_that_departs_is_not_certain() -> None:
    def step(run: Run, _: int, state: object) -> None:
        run.depart("SHD-97", "weighed by long-term averages")
        run.require("SHD-1", False, "a bundle that it does not serve")
        run.pick(2)
        run.require("SHD-80", False, "not so")

    first, *others = one_step(step).by_clause.items()
    assert first == ("SHD-1", Violation("a bundle that it does not serve"))
    assert [clause for clause, _ in others] == ["SHD-80", "SHD-97"]
    assert "SHD-80 is broken with it" in others[1][1].sentence  # type: ignore[union-attr]


def test_search_continues_after_a_violation_and_keeps_exercised_clauses() -> None:
    def step(run: Run, place: int, state: int) -> int:
        run.require(("SHD-1", "SHD-2", "SHD-3")[place], place != 1, "round 2")
        return state

    found = explain(Program(0, 3, step), NONE)
    assert found.conclude_finding("SHD-1") == HOLDS
    assert isinstance(found.conclude_finding("SHD-2"), Violation)
    assert found.conclude_finding("SHD-3") == HOLDS


@pytest.mark.parametrize(("expected", "possible"), [(0, True), (1, True), (2, True), (3, False)])
def test_a_choice_of_one_step_is_refuted_by_a_later_one(expected: int, possible: bool) -> None:
    def step(run: Run, place: int, state: int) -> int:
        if place == 0:
            return run.pick(3)
        run.require("SHD-1", state == expected, f"{state}")
        return state

    assert (explain(Program(0, 2, step), NONE).conclude_finding("SHD-1") == HOLDS) == possible


def test_cap_is_reported_as_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MOST_RUNS", 10)

    def step(run: Run, _: int, state: object) -> None:
        run.require("SHD-1", True)
        if not all(run.pick(2) for _ in range(10)):
            raise Contradiction("SHD-2", "", "")

    found = one_step(step)
    assert found.gave_up
    assert found.conclude_finding("SHD-1") == UNDECIDED


def test_so_is_the_cap_on_all_runs_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each step from each state has few runs; all of them have many."""
    monkeypatch.setattr(search, "MOST_IN_ALL", 2_000)

    def step(run: Run, place: int, state: int) -> int:
        run.require("SHD-1", True)
        if place == 3:
            raise Contradiction("SHD-2", "", "")
        return 30 * state + run.pick(30)

    found = explain([Program(0, 4, step)] * 2, NONE)
    assert found.gave_up
    assert found.conclude_finding("SHD-1") == UNDECIDED


def test_an_interpretation_that_blames_no_less_is_not_followed_to_its_end() -> None:
    blamed: list[tuple[int, int]] = []

    def program(number: int, *wrong: str) -> Program:
        def step(run: Run, place: int, state: None) -> None:
            run.require(wrong[place], False)
            blamed.append((number, place))

        return Program(None, len(wrong), step)

    two, three = program(0, "SHD-1", "SHD-3"), program(1, "SHD-4", "SHD-5", "SHD-6")
    programs = two, three, program(2, *["SHD-1"] * 2), program(3, *["SHD-3"] * 2)
    assert explain(programs, NONE).violated == {"SHD-1"}
    assert [*dict.fromkeys(blamed)] == [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]


def judge_one(judge: Judge, observation: object, right: object = 1) -> Findings:
    return judge.judge(Case(None, observation, PULSAR_4_0, lambda *_: right))


def test_the_unique_answer_of_an_edition() -> None:
    @decision("bundles.topic", "BUN-17")
    def judge(run: Run, case: Case[None, int]) -> None:
        require_equal(run, case, "BUN-17")

    in_force = spec.find_clause("BUN-17").holds_in(PULSAR_4_0.name)
    assert judge_one(judge, 1).conclude_finding("BUN-17") == (HOLDS if in_force else UNEXERCISED)


def test_only_the_sort_of_a_refusal_counts() -> None:
    @decision("bundles.topic", "BUN-1")
    def judge(run: Run, case: Case[None, int]) -> None:
        require_equal(run, case, "BUN-1")

    assert judge_one(judge, Refused("a"), Refused("b")).conclude_finding("BUN-1") == HOLDS
    found = judge_one(judge, Broke("a"), Refused("b")).conclude_finding("BUN-1")
    assert isinstance(found, Violation)
    assert found.kind == "broke instead of refused"


def test_monitor_continues_after_a_violation_and_counts_the_first() -> None:
    @monitor("bundles.topic", "BUN-1", "BUN-2", "BUN-3")
    def judge(run: MonitorRun, case: Case[None, int]) -> None:
        run.require("BUN-1", True)
        run.require("BUN-1", False, fill("{} after {}", case.observation, True), "first")
        run.require("BUN-1", False, "another", "second")
        run.require("BUN-2", True, lambda: pytest.fail("a sentence that is not needed"))
        run.require("BUN-3", None, "undecided")

    found = judge_one(judge, 7)
    assert found.by_clause == {"BUN-1": Violation("7 after yes", "first"), "BUN-2": HOLDS}


def test_monitor_ignores_a_disabled_clause() -> None:
    run = MonitorRun(frozenset({"BUN-1"}))
    run.require("BUN-1", False, "wrong")
    run.require("BUN-2", False, "wrong")
    assert run.findings.violated == {"BUN-2"}


def test_a_judge_of_an_unknown_clause_fails_where_it_is_registered() -> None:
    with pytest.raises(spec.UnknownClause):
        rounds("shedding.threshold", "SHD-999")


def test_cap_after_a_violation_gives_undecided() -> None:
    """Behind the first step only the last of 500 states is right, and 400 runs are tried."""

    def step(run: Run, place: int, state: int) -> int:
        if place == 0:
            run.require("SHD-80", False, "wrong, whatever is chosen")
            return run.pick(500)
        run.require("SHD-81", state == 499, "right from the last state only")
        return state

    findings = explain(Program(0, 2, step), frozenset())
    assert findings.violated == {"SHD-80"}
    assert "step 1" in findings.gave_up


@pytest.mark.parametrize(("ways", "known"), [(300, True), (500, False)])
def test_blame_that_was_not_found_is_known_only_if_all_was_tried(ways: int, known: bool) -> None:
    """No set of clauses is enough, and 400 runs are tried with each."""

    def step(run: Run, _: int, state: object) -> None:
        run.require("SHD-80", False, "wrong, whatever is chosen")
        run.pick(ways)
        raise Contradiction("SHD-2", "", "")

    findings = one_step(step)
    assert findings.violated
    assert (not findings.gave_up) == known
