"""A breach of what is merely Pulsar's practice is a departure: seen everywhere, and no error."""

import json
import sys
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree as Xml

import jsonschema
import pytest

from evenkeel.reference.edition import DOCUMENTED, PULSAR_4_0
from evenkeel_engine.check.severity import Severity
from evenkeel_engine.check.tally import Found, Tally
from evenkeel_engine.cli import ci_files
from evenkeel_engine.cli.check_report import Location, Report
from evenkeel_engine.cli.ci_files import (
    escape_cell,
    render_junit,
    render_sarif,
    render_summary,
    workflow_commands,
)
from evenkeel_engine.kit.blame import LARGEST_BLAME
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.kit.run import MOST_RUNS, Program, Run, StepRun
from evenkeel_engine.kit.search import explain
from evenkeel_engine.pytest_items import CheckFixture, Violated, judge_clause
from evenkeel_engine.pytest_items import CheckState as PluginState
from tests.command_line import run

SCHEMA = Path(ci_files.__file__).with_name("check.schema.json")
PRACTICE, PROMISED, GRAVE = "LOA-56", "SHD-10", "OWN-15"
FAIL_ON: Final = ["--fail-on", "availability"]


def tally_with(*clauses: str, status: str = "violated") -> Tally:
    """A tally in which these clauses failed once each."""
    tally = Tally()
    for index, clause in enumerate(clauses):
        tally.verdicts[clause, status] += 1
        tally.trials["load.top_bundles"] += 1
        found = Found(1, index, "load.top_bundles", 1, clause, "", "it did otherwise")
        tally.count_failure(clause, found)
    return tally


def report_of(strict: bool) -> Report:
    """A report of one departure and one error."""
    tally = tally_with(PROMISED, PRACTICE)
    report = Report("a subject", "DOCUMENTED", 1, [PROMISED, PRACTICE], tally, strict)
    report.departures = report.severity.list_departures(tally)
    report.new = report.severity.list_errors(tally)
    return report


def test_practice_is_no_error_in_documented_unless_strict() -> None:
    tally = tally_with(PROMISED, PRACTICE)
    lenient = Severity("DOCUMENTED")
    assert (lenient.list_errors(tally), lenient.list_departures(tally)) == ([PROMISED], [PRACTICE])
    assert lenient.conclude_verdict(tally, PRACTICE) == "departed"
    assert lenient.conclude_verdict(tally, PROMISED) == "violated"
    strict = Severity("DOCUMENTED", strict=True)
    assert strict.list_errors(tally) == [PROMISED, PRACTICE]
    assert strict.conclude_verdict(tally, PRACTICE) == "violated"


def test_behaviour_of_a_release_is_an_error_in_its_edition() -> None:
    assert Severity("PULSAR_4_0").list_errors(tally_with("LOA-50")) == ["LOA-50"]


def test_a_check_that_failed_is_an_error_whatever_it_checked() -> None:
    assert Severity("DOCUMENTED").list_errors(tally_with(PRACTICE, status="errored")) == [PRACTICE]


def test_the_exit_status_and_the_summary_tell_them_apart() -> None:
    report = report_of(strict=False)
    assert report.status == 1
    assert "1 failure, 1 departure (SHOULD only: no error without --strict) in" in report.summary
    report.new = []
    assert report.status == 0
    assert "2 failures in" in report_of(strict=True).summary


def test_machines_are_warned() -> None:
    report = report_of(strict=False)
    assert [one.split(" ")[0] for one in workflow_commands(report)] == ["::error", "::warning"]
    levels = {
        r["ruleId"]: r["level"] for r in json.loads(render_sarif(report))["runs"][0]["results"]
    }
    assert levels == {PROMISED: "error", PRACTICE: "warning"}
    cases = {
        one.get("name", "")[:6]: one
        for one in Xml.fromstring(render_junit(report)).iter("testcase")
    }
    assert [child.tag for child in cases[PROMISED]] == ["failure"]
    [skipped] = cases[PRACTICE]
    assert skipped.get("message") == "departure, no error without --strict: it did otherwise"
    [of_run] = json.loads(render_sarif(report))["runs"]
    assert of_run["properties"]["summary"] == report.summary
    strict = json.loads(render_sarif(report_of(strict=True)))["runs"][0]["results"]
    assert {one["level"] for one in strict} == {"error"}


def test_a_place_of_the_users_is_where_machines_point_and_the_summary_is_a_table() -> None:
    report = report_of(strict=False)
    report.location = Location(Path("src/a,b.go"), 7)
    assert all("file=src/a%2Cb.go,line=7,title=" in one for one in workflow_commands(report))
    for one in json.loads(render_sarif(report))["runs"][0]["results"]:
        [place] = one["locations"]
        assert place["physicalLocation"] == {
            "artifactLocation": {"uri": "src/a%2Cb.go"},
            "region": {"startLine": 7},
        }
    rows = [line for line in render_summary(report).splitlines() if line.startswith("| ")]
    assert [row.split(" | ")[0] for row in rows[1:]] == ["| new", "| departure"]
    assert escape_cell("a|b\n<c>") == "a\\|b \\<c\\>"


def run_check(*words: str) -> tuple[int, str, dict[str, Any]]:
    """The exit status, the summary and the data of a check of 4.0 against the documents."""
    fixed = ["check", "--question", "load.top_bundles", "--subject", "reference:PULSAR_4_0"]
    done = run(*fixed, "--format", "json", *words)
    data = json.loads(done.stdout)
    jsonschema.validate(data, json.loads(SCHEMA.read_text("utf-8")))
    return done.returncode, data["summary"], data


def test_a_check_reports_a_departure_and_ends_with_0_unless_strict() -> None:
    status, summary, data = run_check()
    assert status == 0
    assert "1 departure (SHOULD only: no error without --strict) in" in summary
    [failure] = data["failures"]
    assert (data["new"], data["departures"]) == ([], [failure["signature"]])
    assert (failure["clause"], failure["level"], failure["departure"]) == (PRACTICE, "SHOULD", True)
    assert failure["basis"] == "practice"

    status, summary, data = run_check("--strict")
    assert status == 1
    assert "1 failure" in summary
    assert data["departures"] == []


def test_a_grave_departure_is_in_the_last_line_and_an_error_if_asked() -> None:
    mutant = f"{sys.executable} -m evenkeel_engine.subjects.serve --mutant cycles-of-a-sole-broker"
    fixed = ["check", "--clause", "SHD-92", "--subject", mutant]
    done, other, graver = (run(*fixed, *w) for w in ([], ["--fail-on", "overdelivery"], FAIL_ON))
    said = " ".join(done.stdout.split())
    assert "of effect availability: an error with --fail-on availability" in said
    assert "1 of them with the effect availability" in said.rpartition("again:")[2]
    assert (done.returncode, other.returncode, graver.returncode) == (0, 0, 1)
    assert "1 failure in" in graver.stdout


def test_machines_see_which_departures_are_grave() -> None:
    report = Report("a subject", "DOCUMENTED", 1, [GRAVE], tally_with(GRAVE, PRACTICE))
    report.departures = [GRAVE]
    several = "2 departures (SHOULD only: no error without --strict), 1 of them with the effect "
    assert f"{several}availability in" in report.summary
    assert "(availability)" in workflow_commands(report)[0]
    assert "| departure, availability |" in render_summary(report)
    assert "without --fail-on availability or --strict" in render_junit(report)
    [rule] = json.loads(render_sarif(report))["runs"][0]["tool"]["driver"]["rules"]
    assert "availability" in rule["properties"]["tags"]
    assert rule["defaultConfiguration"]["level"] == "warning"
    report.fail_on = ("availability",)
    assert json.loads(render_sarif(report))["runs"][0]["results"][0]["level"] == "error"


def test_the_plugin_lets_departures_pass() -> None:
    asked = QUESTIONS["load.top_bundles"]
    functions = {asked.name: lambda trial: asked.observe(trial, PULSAR_4_0)}
    assert CheckFixture()(functions)[PRACTICE] == "departed"
    with pytest.raises(pytest.fail.Exception, match="There is no effect nothing"):
        CheckFixture()(functions, fail_on=["nothing"])
    with pytest.raises(pytest.fail.Exception, match=PRACTICE):
        CheckFixture()(functions, strict=True)


def test_a_test_of_the_plugin_warns() -> None:
    state = PluginState("", DOCUMENTED, 1, None)
    assert judge_clause(PRACTICE, [tally_with(PRACTICE)], state).startswith("LOA-56: departure: ")
    strict = PluginState("reference:PULSAR_4_0", DOCUMENTED, 1, None, strict=True)
    with pytest.raises(Violated):
        judge_clause(PRACTICE, [strict.run_question("load.top_bundles")], strict)


def test_interpretation_with_fewer_violations_counts() -> None:
    def breaking(clause: str) -> Program:
        return Program(None, 1, lambda run, *_: run.require(clause, False, "not so"))

    interpretations = [breaking(PROMISED), breaking(PRACTICE)]
    assert explain(interpretations, frozenset()).violated == {PROMISED}
    assert explain(interpretations, frozenset(), frozenset({PRACTICE})).violated == {PRACTICE}


@pytest.mark.parametrize("is_open", [False, True])
def test_no_interpretation_is_blamed_after_one_departure(is_open: bool) -> None:
    """Unless one of them could not be followed, and might explain everything."""
    looked: list[int] = []

    def departing(run: Run, place: int, state: object) -> None:
        run.require(PRACTICE, False, "not so")

    def open_or_not(run: Run, place: int, state: object) -> None:
        looked.append(run.pick(2 * MOST_RUNS if is_open else 1))
        run.require(PROMISED, False, "not so")

    programs = [Program(None, 1, step) for step in (departing, open_or_not)]
    found = explain(programs, frozenset(), frozenset({PRACTICE}))
    assert (found.violated, bool(found.gave_up)) == (set() if is_open else {PRACTICE}, is_open)
    assert is_open or len(looked) == 2, "to explain, not to blame"


def test_practice_is_blamed_before_more() -> None:
    def step(run: Run, place: int, state: object) -> None:
        run.require(PROMISED, run.rule(False, so=None, not_so=PRACTICE), "not so")

    def list_blamed(advisory: frozenset[str]) -> set[str]:
        return set(explain(Program(None, 1, step), frozenset(), advisory).by_clause)

    assert list_blamed(frozenset()) == {PROMISED, PRACTICE}
    assert list_blamed(frozenset({PRACTICE})) == {PRACTICE}


ALSO: Final = "LOA-57"
ADVISORY: Final = frozenset({PRACTICE, ALSO})


def violated_ids(step: StepRun, steps: int = 1) -> set[str]:
    """The clauses that the judge reports for a program of this number of steps."""
    return explain(Program(0, steps, step), frozenset(), ADVISORY).violated


def test_two_departures_are_blamed_before_one_must() -> None:
    def step(run: Run, place: int, state: object) -> None:
        done = run.rule(False, not_so=PRACTICE) and run.rule(False, not_so=ALSO)
        run.require(PROMISED, done, "not so")

    assert violated_ids(step) == ADVISORY


def test_a_departure_that_shows_in_a_later_step_only_is_blamed_for_it() -> None:
    def step(run: Run, place: int, state: int) -> int:
        if place == 0:
            return int(run.rule(False, not_so=PRACTICE))
        run.require(PROMISED, state == 1, "wrong from what went before")
        return state

    assert violated_ids(step, steps=2) == {PRACTICE}


def test_violation_without_explaining_departure_is_reported() -> None:
    def step(run: Run, place: int, state: object) -> None:
        run.require(PRACTICE, False, "a departure")
        run.require(PROMISED, False, "and not so, either")

    assert PROMISED in violated_ids(step)
    assert PROMISED in violated_ids(step, steps=2)


def test_any_number_of_departures_comes_before_a_violation() -> None:
    names = [f"LOA-{number}" for number in range(50, 50 + LARGEST_BLAME + 1)]

    def step(run: Run, place: int, state: object) -> None:
        done = [run.rule(False, not_so=name) for name in names]
        run.require(PROMISED, all(done), "not so")

    for steps in (1, 2):
        found = explain(Program(None, steps, step), frozenset(), frozenset(names))
        assert found.violated == set(names)
