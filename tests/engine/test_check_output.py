"""A failing check as people and CI machines meet it: small, the root first, replayable."""

import json
import shlex
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import jsonschema
import pytest

from docs.site.markdown import anchor
from evenkeel.reference.edition import DOCUMENTED, PULSAR_4_0
from evenkeel_engine import pytest_items
from evenkeel_engine.check import failure
from evenkeel_engine.check.blocks import Part, run_check
from evenkeel_engine.check.failure import (
    Failure,
    describe_failures,
    find_violations,
    flatten_groups,
    group_failures,
    violated_on,
)
from evenkeel_engine.check.nearest import find_differing
from evenkeel_engine.check.seeded import make_trial
from evenkeel_engine.check.tally import Found, Tally, asked_clauses
from evenkeel_engine.cli import ci_files
from evenkeel_engine.cli.check_report import Report, ShownFailure, report_data
from evenkeel_engine.cli.ci_files import render_junit, render_sarif, workflow_commands
from evenkeel_engine.cli.failure_files import replay_command, save
from evenkeel_engine.cli.failure_report import failure_lines, list_following
from evenkeel_engine.cli.render import Paper, render, render_rows
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.pytest_items import CheckState, failure_reports
from evenkeel_engine.stored.cases import find_problems, read_one
from evenkeel_engine.subjects.local import ReferenceSubject
from tests.command_line import Done, run

pytestmark = pytest.mark.xdist_group("what a check found")  # else every process looks for it
WRONG = ReferenceSubject(PULSAR_4_0)
SARIF = Path(__file__).with_name("sarif.schema.json")
SECRET = "replay x --subject 'python3 s.py T0P'"


def tally_of(question: str) -> Tally:
    return run_check([Part(QUESTIONS[question], 300)], 1, WRONG, DOCUMENTED, None, lambda *_: None)


def failures_of(question: str) -> list[Failure]:
    tally = tally_of(question)
    ordered = flatten_groups(group_failures(tally, WRONG, DOCUMENTED, list(tally.smallest)))
    return list(describe_failures(ordered, tally, WRONG, DOCUMENTED))


@pytest.fixture(scope="module")
def shed() -> list[Failure]:
    return failures_of("shedding.uniform")


@pytest.fixture(scope="module")
def report(shed: list[Failure]) -> Report:
    tally = tally_of("shedding.uniform")
    asked = asked_clauses(["shedding.uniform"], DOCUMENTED)
    new = [one.signature for one in shed]
    return Report(
        WRONG.name,
        "DOCUMENTED",
        1,
        asked,
        tally,
        new=new[1:],
        known=new[:1],
        failures=[ShownFailure(f, "folder/a b.json", f"evenkeel {SECRET}") for f in shed[1:]],
        coverage_gaps=["100% of nothing"],
    )


# ------------------------------------------------------------------------- reports


def test_failure_report_has_80_columns(shed: list[Failure]) -> None:
    assert len(shed) > 3
    for one in shed:
        lines = failure_lines(one, DOCUMENTED, "evenkeel replay x", Paper())
        assert max(map(len, lines)) <= 80, one.signature
        assert len(lines) <= 60
        text = "\n".join(lines)
        assert one.found.clause in text
        assert "≠" in text
        assert "spec/shedding.md" in text
        assert "(bundle=" not in text.partition("the smallest trial")[2]


def test_what_comes_with_a_failure_is_said_of_the_trial_above_it(
    shed: list[Failure], report: Report
) -> None:
    every, tally = [one.signature for one in shed], report.tally
    for one in shed:
        assert one.breach is not None
        seen = find_violations(one.question, one.breach.trial, one.breach.observation, DOCUMENTED)
        said = {verdict.signature: verdict.sentence for verdict in seen}
        lines = list_following(every, one, tally, (), DOCUMENTED, Paper(full=True))
        for signature, line in zip(every, lines, strict=True):
            assert said.get(signature, f": in {tally.smallest[signature].place}, ") in line


def test_nothing_is_folded_in_full(shed: list[Failure]) -> None:
    for one in shed:
        lines = failure_lines(one, DOCUMENTED, "evenkeel replay x", Paper(full=True))
        assert not any("--full" in line for line in lines)


def test_the_first_failure_comes_first_on_its_own_trial(shed: list[Failure]) -> None:
    assert violated_on(shed[0].found, WRONG, DOCUMENTED)[0] == shed[0].signature


def test_a_consequence_comes_after_its_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """A signature that comes first in every run is a root, however small others' trials are."""
    tally = Tally()
    met = {"SHD-1": ["SHD-9", "SHD-1"], "SHD-9": ["SHD-9"], "SHD-2": ["SHD-9", "SHD-2"]}
    for size, (signature, sentence) in enumerate(
        [("SHD-1", "or else SHD-2"), ("SHD-2", "round 7"), ("SHD-9", "round 9")]
    ):
        found = Found(size, 0, "shedding.threshold", 1, signature, "", sentence)
        tally.count_failure(signature, found)
    monkeypatch.setattr(failure, "violated_on", lambda found, *_: met[found.clause])
    assert group_failures(tally, WRONG, DOCUMENTED, met) == {"SHD-9": ["SHD-2", "SHD-1"]}
    # An error does not follow from a mere departure.
    groups = group_failures(tally, WRONG, DOCUMENTED, ["SHD-2"], ["SHD-9", "SHD-1"])
    assert groups == {"SHD-2": [], "SHD-9": ["SHD-1"]}
    # A root that may not be broken at all comes last, however much follows from it.
    met |= {"SHD-1": ["SHD-1"], "SHD-9": ["SHD-1", "SHD-9"], "SHD-2": ["SHD-2"]}
    groups = group_failures(tally, WRONG, DOCUMENTED, met)
    assert list(groups.items()) == [("SHD-2", []), ("SHD-1", ["SHD-9"])]
    # A departure that may be none is listed with an error.
    assert group_failures(tally, WRONG, DOCUMENTED, ["SHD-2"], ["SHD-1"]) == {"SHD-2": ["SHD-1"]}


def test_the_report_in_pytest_names_every_failure_by_its_own_severity(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def not_shrunk(signatures: list[str], tally: Tally, *_: object) -> Iterator[Failure]:
        return (failure.describe_unshrunk(one, tally) for one in signatures)

    # What the documents demand, and what comes with each and is Pulsar's practice.
    pairs = {"SHD-80": "SHD-2", "SHD-81": "SHD-4", "SHD-82": "SHD-5", "SHD-85": "SHD-8"}
    tally, roots = Tally(), {other: root for root, other in pairs.items()}
    for size, id_ in enumerate((*pairs, *roots)):
        tally.count_failure(id_, Found(size, 0, "shedding.threshold", 1, id_, "", "a sentence"))
    met = {id_: [roots.get(id_, id_), id_] for id_ in tally.smallest}
    monkeypatch.setattr(failure, "violated_on", lambda found, *_: met[found.clause])
    monkeypatch.setattr(pytest_items, "describe_failures", not_shrunk)
    state = CheckState("", DOCUMENTED, 1, None, subject=WRONG)
    text = "\n".join(failure_reports(list(tally.smallest), tally, state))
    assert "△ SHD-2, 1 trial" in text
    assert text.endswith("2 more: SHD-85, SHD-8")


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_trial_is_rendered(name: str) -> None:
    for index in range(3):
        trial = make_trial(QUESTIONS[name], 5, index)
        short, full = render(trial, Paper()), render(trial, Paper(full=True))
        assert short
        assert all(isinstance(line, str) and "\n" not in line for line in full)
        assert max(map(len, short)) <= 80
        assert not any(word in line for line in full for word in ("None", "True", "False", "<"))


def test_tables_list_constants_once_and_fold_what_is_long() -> None:
    rows = [{"name": f"n{i}", "load": {"cpu": float(i), "limit": 100.0}, "zero": 0} for i in (1, 2)]
    assert render_rows(rows, Paper()) == [
        "name  cpu",
        "n1    1.0",
        "n2    2.0",
        "every row: limit: 100.0",
    ]
    rows = [{"name": f"n{i}", "load": i} for i in range(20)]
    assert render_rows(rows, Paper())[-1] == "… 12 more, --full shows all"
    assert len(render_rows(rows, Paper(full=True))) == 21
    assert render_rows([{"name": f"n{i}", "load": 0} for i in range(3)], Paper()) == [
        "name: n0, n1, n2"
    ]


def test_differing_places_are_marked_and_wording_does_not_count() -> None:
    assert find_differing({"answer": {"a": [1, 2]}}, {"answer": {"a": [1, 3]}}) == ["answer.a[2]"]
    refused = {"refused": {"reason": "A", "detail": "x"}}
    assert find_differing(refused, {"refused": {"reason": "B", "detail": "y"}}) == []


def test_the_saved_trial_is_the_shrunk_one_and_can_be_read(tmp_path: Path) -> None:
    [found] = failures_of("bundles.hash_lookup")
    path = save(found, DOCUMENTED, "reference:PULSAR_4_0", tmp_path / "new")
    assert path is not None
    case = read_one(path)
    assert case.decode_trial() == found.trial
    assert [answer.by for answer in case.answers] == [("DOCUMENTED",), ("PULSAR_4_0",)]
    assert case.shown.verdict == found.found.clause
    assert list(find_problems(case)) == []
    command = replay_command(found, path, "a 'b c'", DOCUMENTED)
    assert shlex.split(command) == ["evenkeel", "replay", str(path), "--subject", "a 'b c'"]


# ------------------------------------------------------------------------- for machines


def test_files_do_not_have_the_words_of_a_subject(report: Report, tmp_path: Path) -> None:
    [found] = failures_of("bundles.hash_lookup")
    path = save(found, DOCUMENTED, "python3 s.py T0P", tmp_path)
    assert path is not None
    texts = [render_junit(report), render_sarif(report), json.dumps(report_data(report))]
    texts += [path.read_text(), *workflow_commands(report)]
    assert all("T0P" not in text for text in texts)
    assert "--subject 'python3 …'" in texts[0]


def test_junit_has_a_case_for_each_clause(report: Report) -> None:
    root = Xml.fromstring(render_junit(report).encode())
    cases = root.findall("testsuite[@name='evenkeel.shedding']/testcase")
    assert len(cases) == len(report.clauses)
    failed = {case.get("name", "").split()[0] for case in cases if case.find("failure") is not None}
    assert failed == {signature.partition(":")[0] for signature in report.new}
    assert root.get("failures") == str(len(failed))
    texts = [one.text or "" for one in root.iter("failure")]
    for text in texts:  # the report: trial and answers, not the sentence alone
        assert "smallest trial found" in text
        assert "≠" in text
        assert "again: evenkeel replay x" in text
    assert root.get("errors") == "1"


def test_xml_holds_any_text() -> None:
    assert Xml.fromstring(f"<a>{ci_files.xml_text(chr(1) + 'x')}</a>").text == "\ufffdx"


def test_sarif_has_its_structure(report: Report) -> None:
    data = json.loads(render_sarif(report))
    jsonschema.Draft7Validator(json.loads(SARIF.read_text())).validate(data)
    [run] = data["runs"]
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    for result in run["results"][: len(report.new)]:
        assert "smallest trial found" in result["message"]["text"]
        assert "again: evenkeel replay x" in result["message"]["text"]
    states = [result["baselineState"] for result in run["results"]]
    assert states.count("unchanged") == len(report.known)
    assert run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"] == {
        "uri": "folder/a%20b.json"
    }


def test_sarif_links_clauses_to_a_site_where_there_is_one(report: Report) -> None:
    [alone] = {rule.get("helpUri") for rule in rules_of(report)}
    assert alone is None  # no address is invented
    for rule in rules_of(replace(report, docs_url="https://example.org/keel/")):
        chapter, at = rule["properties"]["tags"][0], anchor(rule["id"])
        assert rule["helpUri"] == f"https://example.org/keel/spec/{chapter}.html#{at}"
        assert rule["helpUri"] in rule["help"]["text"]
        for form in rule["help"].values():
            assert rule["fullDescription"]["text"] in form
            assert f"evenkeel explain {rule['id']}" in form


def rules_of(report: Report) -> list[dict[str, Any]]:
    data = json.loads(render_sarif(report))
    jsonschema.Draft7Validator(json.loads(SARIF.read_text())).validate(data)
    rules: list[dict[str, Any]] = data["runs"][0]["tool"]["driver"]["rules"]
    return rules


def test_annotations_are_one_line_each(report: Report) -> None:
    lines = workflow_commands(report)
    assert len(lines) == len(report.new) + len(report.known) + 1
    assert all(line.startswith("::") and "\n" not in line for line in lines)
    assert lines[-1] == "::warning title=evenkeel::100%25 of nothing"
    assert "smallest trial found" in lines[0]


# ------------------------------------------------------------------------- the command


def check(tmp_path: Path, *words: str) -> Done:
    fixed = ("check", "--subject", "reference:PULSAR_4_0")
    return run(*fixed, *words, folder=tmp_path, cache=tmp_path / "cache")


@pytest.mark.slow
def test_baseline_from_new_to_known_to_removed(tmp_path: Path) -> None:
    lookup = ("--question", "BUNDLES.hash_lookup", "--baseline", "known.json")
    missing = check(tmp_path, *lookup)
    assert missing.returncode == 1, missing.stderr
    assert "known.json: is not there, so nothing is known" in missing.stderr
    assert check(tmp_path, *lookup, "--update-baseline").returncode == 0
    again = check(tmp_path, *lookup, "--format", "json")
    assert again.returncode == 0
    assert json.loads(again.stdout)["known"] == ["BUN-17:broke instead of answered"]
    other = check(tmp_path, *lookup, "--edition", "pulsar_4_0")
    assert other.returncode == 2
    assert "edition: is DOCUMENTED" in other.stderr
    data: dict[str, Any] = json.loads((tmp_path / "known.json").read_text())
    data["known"].append({"signature": "BUN-15:never", "sentence": "", "questions": {}})
    (tmp_path / "known.json").write_text(json.dumps(data))
    mended = check(tmp_path, *lookup)
    assert mended.returncode == 0
    assert "removed: BUN-15:never" in mended.stdout


@pytest.mark.slow
def test_files_for_ci_and_a_time_budget(tmp_path: Path) -> None:
    files = ("--junit", "a.xml", "--sarif", "a.sarif", "--save", "found", "--github")
    done = check(
        tmp_path, "--clause", "bun-17", "--for", "1s", "--stop-at-first", "--quiet", *files
    )
    assert done.returncode == 1, done.stderr
    assert done.stdout.count("::error title=BUN-17") == 1
    assert Xml.parse(tmp_path / "a.xml").getroot().get("failures") == "1"
    [saved] = (tmp_path / "found").iterdir()
    assert "smallest trial found" in (tmp_path / "a.xml").read_text()
    [result] = json.loads((tmp_path / "a.sarif").read_text())["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert place == f"found/{saved.name}"
    assert len(done.stdout.splitlines()) == 4


@pytest.mark.slow
def test_report_names_files_inside_the_project_and_shows_three_failures(tmp_path: Path) -> None:
    done = check(tmp_path, "--question", "splitting.positions", "--sarif", "a.sarif")
    assert done.returncode == 1, done.stderr
    assert done.stdout.count("smallest trial found") == 3
    assert "also right: " in done.stdout
    results = json.loads((tmp_path / "a.sarif").read_text())["runs"][0]["results"]
    assert len(results) > 5  # so some are not shrunk
    lines = done.stdout.splitlines()
    roots = [text for text in lines if " · again: evenkeel replay " in text]
    folded = [text for text in lines if text.startswith(("    ✗ SPL-", "    △ SPL-"))]
    assert roots
    assert folded
    assert len(roots) + len(folded) == len(results) - 3
    for result in results:
        place = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert place.startswith("evenkeel-failures/")
        assert read_one(tmp_path / place).question
    quick = check(tmp_path, "--question", "splitting.positions")
    assert "evenkeel-failures" not in quick.stdout  # no files were requested: they are in the cache


@pytest.mark.slow
def test_a_time_is_instead_of_a_profile_that_the_configuration_has(tmp_path: Path) -> None:
    (tmp_path / "evenkeel.toml").write_text('profile = "nightly"\n')
    done = check(tmp_path, "--question", "bundles.range", "--for", "1s", "--format", "json")
    assert done.returncode in (0, 1), done.stderr
    (tmp_path / "evenkeel.toml").write_text('[check]\nfor = "30m"\n')
    done = check(tmp_path, "--question", "bundles.range", "--profile", "quick", "--format", "json")
    assert json.loads(done.stdout)["seconds"] < 600, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--for", "1s", "--profile", "ci"], "--for and --profile both set the number of trials"),
        (["--for", "soon"], "--for: soon is no duration"),
        (["--update-baseline"], "--update-baseline needs --baseline FILE"),
        (["--clause", "BUM-17"], "did you mean BUN-17?"),
        (["--question", "bundles.hash_look"], "did you mean bundles.hash_lookup?"),
        (["--chapter", "bundels"], "did you mean bundles?"),
        (["--edition", "PULSAR_40"], "did you mean PULSAR_4_0?"),
        (["--clause", "BUN-17", "--sarif", "no/such/folder"], "no/such/folder: cannot be written"),
        (["--location", "no.go:3"], "--location: no.go:3 is no line of a file that is there"),
        (["--docs-url", "example.org"], "--docs-url must be an address that begins with http"),
        (["--clause", "BUN-17", "--save", "/dev/null/x"], "failures cannot be saved: "),
    ],
)
def test_bad_options_are_one_sentence(tmp_path: Path, words: list[str], sentence: str) -> None:
    done = check(tmp_path, *words)
    assert done.returncode == 2
    assert sentence in done.stderr.splitlines()[-1]
