"""docs/upstream/ is what its sources say, and what it says is so on each line that is built."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from evenkeel import spec
from evenkeel.cli.places import case_at
from evenkeel.harness.cases import DESCRIBED, stored
from evenkeel.harness.subjects import pulsar
from evenkeel.report.parts import Method
from evenkeel.report.scaling import IMPORTS, PACKAGE
from evenkeel.report.testng import java_file
from evenkeel.report.track_record import data
from evenkeel.report.upstream import CLASSES, FOLDER, Defect, defects, documents, tried
from tests.report.test_testng import PULSAR, environment, run

DEFECTS = defects()
LINES = sorted({line for one in DEFECTS for line in one.seen}, key=pulsar.version_key)
HARMLESS = {
    "locks-adopted-lock-is-blind": ("store.put(path,", 'store.put("/elsewhere",'),
    "nine-digit-boundary": ("0x100000000", "0x10000000"),
    "destination-that-left": ('destination = "host-2', 'destination = "host-1'),
    "candidate-without-report": ('"host-1:8080", "host-2:8080"', '"host-2:8080"'),
    "bad-position-loses-the-cycle": ("kckeommocmae", "topic-0"),
    "another-controller-takes-the-halves-from-their-consumers": (
        "if (!takesOver) {",
        "if (true) {",
    ),
    "two-consumers-flip-flop-by-the-defaults": ('"sub-0", 2', '"sub-0", 1'),
    "checkpoint-consumers-without-a-segment": ("messages = 500.0", "messages = 1500.0"),
    "merge-threshold-above-half-of-the-split-threshold": ("(6000.0)", "(5000.0)"),
    "many-idle-segments-do-not-come-down": ("Metadata(32,", "Metadata(16,"),
    "one-hot-key-stops-all-splits": ("1966080000.0", "0.0"),
}
"""A change of each test that was written by hand or is about minutes; then nothing is wrong."""


def test_the_pages_are_current() -> None:
    written = documents()
    assert written == {path: path.read_text("utf-8") for path in written}, (
        "python -m evenkeel.report.upstream"
    )
    assert {path for path in FOLDER.rglob("*") if path.is_file()} == written.keys()


def test_they_are_seventeen_and_the_gravest_come_first() -> None:
    assert len(DEFECTS) == 17
    ranks = [CLASSES.index(one.effect) for one in DEFECTS]
    assert ranks == sorted(ranks)


@pytest.mark.parametrize("one", DEFECTS, ids=lambda one: one.case.id)
def test_each_breaks_a_document_stands_and_was_not_reported(one: Defect) -> None:
    clause = spec.clause(one.case.clause)
    assert clause.level is spec.Level.MUST
    assert one.seen[-1] == tried()[-1]
    assert not data()["upstream"].get(one.case.id, {}).get("issues")
    known = {case.id for case in stored(DESCRIBED)}
    assert set(re.findall(r"[a-z0-9]+(?:-[a-z0-9]+)+", one.said["shown"])) <= known


@pytest.mark.slow
@pytest.mark.parametrize("line", LINES)
def test_each_is_red_on_every_line_that_has_it(line: str, tmp_path: Path) -> None:
    here = [one for one in DEFECTS if line in one.tested]
    output = run({one.case.id: one.test for one in here}, tmp_path, line)
    assert f"Tests run: {len(here)}, Failures: {len(here)}, Skips: 0" in output, output
    for one in here:
        after = output.partition(f"FAILED: {one.test.package}.{one.test.name}.")[2]
        assert one.said["fails"] in after[:700], f"{one.case.id}: {after[:700]}"


@pytest.mark.slow
@pytest.mark.parametrize("line", LINES)
def test_each_case_is_shown_by_the_lines_that_are_named_and_no_others(line: str) -> None:
    if not pulsar.is_built(PULSAR, line):
        pytest.skip(f"not built: make adapter PULSAR={line}")
    here = [one for one in DEFECTS if line in tried()]
    words = ["replay", *(one.case.id for one in here), "--format", "json", "--subject"]
    done = subprocess.run(
        [sys.executable, "-m", "evenkeel", *words, f"{PULSAR / 'run'} --pulsar {line}"],
        env=environment(line),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 2, done.stderr
    broken = {
        judged["id"]: {at[0] for at in judged.get("verdicts", ()) if at[1] == "violated"}
        for judged in json.loads(done.stdout)["judged"]
    }
    for one in here:  # another release may break other clauses on the same trial
        clauses, own = broken[one.case.id], case_at(one.case.id).clause
        assert clauses if line in one.seen else own not in clauses, one.case.id


@pytest.mark.slow
@pytest.mark.parametrize("line", LINES)
def test_they_are_green_where_nothing_is_wrong(line: str, tmp_path: Path) -> None:
    tests = {}
    for one in DEFECTS:
        if one.case.id in HARMLESS and line in one.tested:
            wrong, right = HARMLESS[one.case.id]
            assert one.test.text.count(wrong) == 1
            tests[one.case.id] = replace(one.test, text=one.test.text.replace(wrong, right))
    output = run(tests, tmp_path, line)
    assert f"Tests run: {len(tests)}, Failures: 0, Skips: 0" in output, output


TIES = """
AutoScaleConfig rules = AutoScaleConfig.fromBrokerConfig(new ServiceConfiguration());
String chosen = "";
for (int count = 2; count <= 40; count++) {
    SegmentLayout layout = SegmentLayout.fromMetadata(
            ScalableTopicController.createInitialMetadata(count, 1, 1, Map.of()));
    Map<Long, SegmentLoadSample> load = new HashMap<>();
    for (long segment : layout.getActiveSegments().keySet()) {
        load.put(segment, new SegmentLoadSample(new SegmentLoadStats(20_000, 0, 0, 0), 0));
    }
    AutoScaleDecision decided = AutoScalePolicyEvaluator.decide(layout, load, Map.of(), Set.of(),
            rules, 60_000, Long.MIN_VALUE, Long.MIN_VALUE, Long.MIN_VALUE);
    chosen += ((AutoScaleDecision.Split) decided).segmentId() + " ";
}
assertTrue(chosen.matches("(0 )+"), "of equals " + chosen);
"""


@pytest.mark.slow
def test_which_of_equal_segments_is_split_is_random(tmp_path: Path) -> None:
    """No clause forbids it: they follow an unmodifiable map, in another order in each machine."""
    here = [one for one in DEFECTS if one.case.question == "scaling.loop"]
    one = replace(here[0].case, title="Ties follow a map")
    test = java_file(one, Method(PACKAGE, IMPORTS, TIES))
    seen = set[str]()  # nothing where the first one is always taken, as in some machines
    for at in range(12):
        output = run({"ties": test}, tmp_path / str(at), "5.0.1")
        assert "Tests run: 1" in output or "Total tests run: 1" in output, output
        seen.add("".join(re.findall(r"of equals [\d ]+", output)))
        if len(seen) > 1:
            return
    raise AssertionError(seen)
