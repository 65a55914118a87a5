"""What `evenkeel report` writes: red on Apache Pulsar 4.0.8, and green where 4.0.8 is right."""

import fcntl
import json
import os
import re
import shutil
import subprocess
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from evenkeel import spec
from evenkeel.cli.places import case_at as found
from evenkeel.harness.cases import DESCRIBED, Answer, Case, stored
from evenkeel.harness.seeded import make_trial
from evenkeel.harness.subjects import pulsar
from evenkeel.harness.subjects.wire import observation_to_json
from evenkeel.properties.catalogue import QUESTIONS
from evenkeel.properties.kit.codec import from_json, to_json
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.report.issue import issue_of
from evenkeel.report.parts import NotSupported, string
from evenkeel.report.testng import METHODS, WHY_NOT, JavaTest, java_test
from evenkeel.report.testng import test_of as report_of
from tests.harness.test_pulsar_lines import start

ROOT = Path(__file__).resolve().parents[2]
PULSAR = ROOT / "adapters" / "apache-pulsar"
RED = {
    "last-hash-lookup": "IndexOutOfBoundsException",
    "flow-cut-one-further": "2147483648 != 2147483649",
    "flow-cut-that-parts-nothing": r"expected \[0\] but found \[1\]",
    "flow-empty-part": r"expected \[1\] but found \[2\]",
    "flow-no-cut-for-colliding-topics": r"expected \[1\] but found \[0\]",
    "flow-colliding-loads-forgotten": "2147483647 != 4294967295",
    "specified-position-kept-twice": r"expected \[1\] but found \[2\]",
    "range-cut-without-room": r"expected \[0\] but found \[1\]",
    "topic-count-cut-at-the-lower-end": "1 != 0",
    "bandwidth-limit-wraps-modular": "Maps do not have the same size:1 != 0",
    "transfer-debug-mode-moves-more": "debug mode, which is for logging",
    "gap-after-a-removal": "a record of the life before replaces the owner",
    "first-boundary-above-zero": "nothing was thrown",
    "last-hash-range": "IndexOutOfBoundsException was thrown",
    "last-hash-topic": "IndexOutOfBoundsException",
    "partition-in-other-digits": r"but found \[persistent://public/default/x\]\s",
    "range-beyond-the-hash-space": "nothing was thrown",
    "range-further-piece": "nothing was thrown",
    "range-missing-piece": "ArrayIndexOutOfBoundsException was thrown",
    "ownerless-record-breaks": r'dstBroker\(\)" is null',
    "avg-shedder-without-candidates": "by zero",
    "candidate-without-report": '"brokerData" is null',
    "extensible-edge-of-the-mean": r"\[1, 2, 3\] are not all right",
    "overloaded-at-30-of-100": "1 != 2",
    "plan-lost-by-an-update": "2 != 1",
    "plan-shared-by-equal-bundles": "1 != 2",
    "round-robin-old-list": "1 != 2",
    "round-robin-skips-at-the-wrap": "1 != 2",
    "avg-hits-of-brokers": "1 != 0",
    "avg-plan-by-averages": "d != c",
    "avg-share-of-one-moves-the-only-bundle": "1 != 0",
    "avg-sole-bundle": "1 != 0",
    "overload-sole-bundle-beside-heartbeat": "1 != 0",
    "overload-stays-above-its-threshold": "do not match for key:a",
    "threshold-history-steps-twice": "1 != 0",
    "threshold-sole-bundle-beside-heartbeat": "1 != 0",
    "transfer-stale-broker-takes": "Sets differ",
    "uniform-5000-of-4000": "1 != 0",
    "uniform-allowance-moves-everything": "do not match for key:a",
    "uniform-allowance-wraps": "0 != 1",
    "uniform-fractions-are-free": "do not match for key:a",
    "uniform-idle-bundles": "do not match for key:a",
    "uniform-least-is-32-bits": "1 != 0",
    "uniform-one-more-by-the-allowance": "do not match for key:a",
    "uniform-rate-masks-throughput": "0 != 1",
    "small-bundle-uses-up-a-place": "Maps do not match",
    "bucket-refill-wraps-alone": r"expected \[200000000\] but found \[0\]",
    "bucket-refill-wraps": r"expected \[200000000\] but found \[95887598\]",
    "bucket-refills-part-of-a-period": r"expected \[0\] but found \[4\]",
}
GREEN = (
    "example-low-hash",
    "example-flow-case-1",
    "example-range",
    "example-topic-count",
    "flow-cut-one-further",
    "flow-empty-part",
    "flow-no-cut-for-colliding-topics",
    "specified-position-kept-twice",
    "bandwidth-limit-wraps-modular",
    "first-boundary-above-zero",
    "example-boundary-belongs-above",
    "erratum-closed-inner-range",
    "range-beyond-the-hash-space",
    "erratum-hash-of-my-topic",
    "example-name-with-a-cluster",
    "erratum-heap-memory-counts",
    "example-30-of-100",
    "example-extensible-10-30-60",
    "example-no-load-data",
    "example-planned-broker-is-gone",
    "example-planned-move",
    "erratum-least-loaded-at-random",
    "erratum-placement-memory",
    "erratum-10-30-80",
    "erratum-average-brokers",
    "example-round-robin-at-the-wrap",
    "example-round-robin-nobody",
    "avg-hits-of-brokers",
    "avg-plan-by-averages",
    "erratum-overload-all-bundles",
    "erratum-overload-exactly-one",
    "erratum-threshold-10-megabytes",
    "erratum-threshold-at-least-meet",
    "erratum-uniform-evenly",
    "example-transfer-close-enough",
    "example-transfer-idle-bundles-stay",
    "example-transfer-no-reports",
    "example-transfer-one-has-not-reported",
    "example-transfer-one-pair-is-enough",
    "example-transfer-overloaded",
    "example-transfer-smallest-first",
    "example-transfer-three-pairs",
    "example-uniform-22-of-110",
    "transfer-stale-broker-takes",
    "erratum-flow-case-1",
    "erratum-flow-case-2",
    "bucket-refill-wraps-alone",
    "bucket-refill-wraps",
    "bucket-refills-part-of-a-period",
    "erratum-counter-reset",
    "example-10000-a-minute",
    "example-30-of-10",
    "example-bytes-and-messages",
    "example-quota-no-limit",
    "frequent-changes-starve",
)
"""What 4.0.8 answers to these is expected of it: then they must pass."""


@pytest.mark.parametrize("name", RED)
def test_issue_has_the_facts_for_a_maintainer(name: str) -> None:
    one = found(name)
    test = report_of(one)
    text = issue_of(one, test, name)
    for part in ("**Observed**", "**Expected.**", "**Source.**", "**Versions.**", "```java"):
        assert part in text
    assert "evenkeel" not in test.text.replace("Generated by `evenkeel report`", "")
    assert test.text.count("@Test") == 1


def test_an_issue_says_only_what_a_kept_case_shows() -> None:
    stored_one = found("last-hash-lookup")
    mine = tuple(replace(one, by=("mine",) * bool(one.verdict)) for one in stored_one.answers)
    title = spec.clause(stored_one.clause).title
    one = replace(stored_one, title=title, notes={}, answers=mine)
    text = issue_of(one, report_of(stored_one), "kept.json")
    assert text.startswith(f"# Not so: {title}\n")
    assert "**Effect.**" not in text
    assert "**Cause" not in text
    assert "was not observed" in text
    assert "fails as long as this is so" in issue_of(stored_one, report_of(stored_one), "x")


def test_an_issue_needs_no_method() -> None:
    one = found("locks-release-tried-once")
    with pytest.raises(NotSupported) as why:
        report_of(one)
    text = issue_of(one, why.value, "x")
    assert "There is no TestNG method: ownership.locks cannot be written" in text
    assert "these can" not in text
    assert "```java" not in text
    assert json.dumps(one.trial) in text


def test_no_stored_case_fails_otherwise() -> None:
    sayable = 0
    for one in stored(DESCRIBED):
        with suppress(NotSupported):
            sayable += bool(report_of(one).text)
    assert sayable >= len(RED)


def test_texts_are_escaped() -> None:
    assert string('a"\\\u00fc') == '"a\\"\\\\\\u00fc"'


@cache
def jars(version: str | None = None) -> str:
    """The class path of a line, the default if None; what is missing skips the test."""
    if shutil.which("javac") is None or shutil.which("mvn") is None:
        pytest.skip("no Maven or no JDK")
    if not pulsar.is_built(PULSAR, version):
        pytest.skip(f"Apache Pulsar's adapter is not built: make adapter PULSAR={version or ''}")
    if version is not None and start(PULSAR, "--pulsar", version).returncode:
        pytest.skip(f"{version} needs a newer Java")
    return f"{pulsar.folder(PULSAR, version)}/lib/*:{libraries()}/target/lib/*"


@cache
def libraries() -> Path:
    """The folder that has TestNG and Mockito, in target/lib.

    Each process that runs tests asks for it; Maven cannot write one folder for two at once.
    """
    folder = PULSAR / "reported"
    with (folder / "pom.xml").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = subprocess.run(
            ["mvn", "-q", "-B", "package"], cwd=folder, capture_output=True, text=True, check=False
        )
    assert done.returncode == 0, done.stdout
    return folder


@cache
def environment(version: str | None) -> dict[str, str]:
    """With JAVA_HOME only for a line that does not start with the Java on the path: what looks into
    the JDK does not know every one.
    """
    without = {name: it for name, it in os.environ.items() if name != "JAVA_HOME"}
    words = () if version is None else ("--pulsar", version)
    starts = start(PULSAR, *words, env=without).returncode == 0
    return without if starts else dict(os.environ)


def java(tool: str, version: str | None) -> str:
    """A tool of the Java that is taken for a line."""
    home = environment(version).get("JAVA_HOME")
    return f"{home}/bin/{tool}" if home else tool


def run(tests: dict[str, JavaTest], folder: Path, version: str | None = None) -> str:
    """Compile these tests and run them with TestNG, against a line; what it prints."""
    paths = []
    for test in tests.values():
        path = folder / "src" / test.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(test.text)
        paths.append(str(path))
    out = folder / "out"
    compile_ = [java("javac", version), "-nowarn", "-d", str(out), "-cp", jars(version), *paths]
    done = subprocess.run(compile_, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    names = ",".join(f"{test.package}.{test.name}" for test in tests.values())
    words = [
        java("java", version),
        "-Xshare:off",
        "-cp",
        f"{out}:{jars(version)}",
        "org.testng.TestNG",
        "-verbose",
        "2",
    ]
    words += ["-d", str(folder / "report"), "-testclass", names]
    ran = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False)
    return ran.stdout


def of_4_0(one: Case) -> Case:
    """With what the edition of 4.0 answers as what is expected."""
    question = QUESTIONS[one.question]
    answer = question.observe(from_json(question.trial_type, one.trial), PULSAR_4_0)
    name = PULSAR_4_0.name
    return replace(one, edition=name, answers=(Answer(observation_to_json(answer), (name,)),))


@pytest.mark.slow
def test_they_are_red_on_the_defect_and_say_so(tmp_path: Path) -> None:
    tests = {name: report_of(found(name)) for name in RED}
    output = run(tests, tmp_path)
    assert f"Tests run: {len(RED)}, Failures: {len(RED)}, Skips: 0" in output, output
    for name, why in RED.items():
        after = output.partition(f"FAILED: {tests[name].package}.{tests[name].name}.")[2]
        assert re.search(why, after[:700]), f"{name}: {after[:700]}"


@pytest.mark.slow
def test_methods_are_green_if_pulsar_is_right(tmp_path: Path) -> None:
    output = run({name: java_test(of_4_0(found(name))) for name in GREEN}, tmp_path)
    assert f"Tests run: {len(GREEN)}, Failures: 0, Skips: 0" in output, output


@pytest.mark.slow
def test_generated_trials_are_green_too(tmp_path: Path) -> None:
    tests: dict[str, JavaTest] = {}
    for question in GENERATED:
        for index in range(40):
            one = generated(question, index)
            with suppress(NotSupported):
                tests[one.title] = java_test(of_4_0(one))
            if sum(title.startswith(question) for title in tests) == EACH:
                break
    assert len(tests) == EACH * len(GENERATED)
    output = run(tests, tmp_path)
    assert f"Tests run: {len(tests)}, Failures: 0, Skips: 0" in output, output


GENERATED = (
    "bundles.membership",
    "bundles.topic_lookup",
    "ownership.conflict",
    "ownership.transition",
    "throttling.bucket",
    "throttling.counter",
    "throttling.quota",
)
EACH = 5


def generated(question: str, index: int) -> Case:
    """A generated trial as a case."""
    trial = to_json(make_trial(QUESTIONS[question], 1, index))
    known = found("last-hash-lookup")
    return replace(known, question=question, trial=trial, title=f"{question} {index}")


def test_need_of_a_whole_broker_is_reported() -> None:
    with pytest.raises(
        NotSupported,
        match=r"ownership\.locks cannot be written .*\(a trial says which answer of the store",
    ):
        report_of(found("locks-release-tried-once"))
    assert not set(WHY_NOT) & set(METHODS)
    assert set(WHY_NOT) <= set(QUESTIONS)


def test_equals_and_the_clock_are_not_supported_for_a_shedder() -> None:
    for name, why in (
        ("transfer-three-at-ten-percent", "equals"),
        ("example-transfer-exactly-half-an-hour", "the clock"),
        ("example-transfer-fourth-round", "one round"),
    ):
        with pytest.raises(NotSupported, match=why):
            java_test(found(name))


def test_the_plan_of_5_0_1_is_not_supported() -> None:
    for name in ("in-5-0-1-a-plan-ends-with-its-round", "example-planned-move"):
        with pytest.raises(NotSupported, match=r"since 5\.0\.1"):
            java_test(replace(found(name), edition="PULSAR_5_0_1"))


def test_methods_are_of_questions_that_there_are() -> None:
    assert set(METHODS) <= set(QUESTIONS)
