"""What `evenkeel report` writes: red on Apache Pulsar 4.0.8, and green where 4.0.8 is right."""

import re
import shutil
import subprocess
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from evenkeel.cli.report_command import found
from evenkeel.harness import counterexample
from evenkeel.harness.counterexample import Counterexample
from evenkeel.harness.seeded import make_trial
from evenkeel.harness.subjects.wire import observation_to_json
from evenkeel.properties.catalogue import QUESTIONS
from evenkeel.properties.kit.codec import from_json, to_json
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.report.issue import issue_of
from evenkeel.report.parts import NotTold, string
from evenkeel.report.testng import METHODS, WHY_NOT, JavaTest, told
from evenkeel.report.testng import test_of as report_of

ROOT = Path(__file__).resolve().parents[2]
PULSAR = ROOT / "adapters" / "apache-pulsar"
RED = {
    "bundles/last-hash-lookup": "IndexOutOfBoundsException",
    "splitting/flow-cut-one-further": "2147483648 != 2147483649",
    "splitting/flow-cut-that-parts-nothing": r"expected \[0\] but found \[1\]",
    "splitting/flow-empty-part": r"expected \[1\] but found \[2\]",
    "splitting/flow-no-cut-for-colliding-topics": r"expected \[1\] but found \[0\]",
    "splitting/flow-colliding-loads-forgotten": "2147483647 != 4294967295",
    "splitting/specified-position-kept-twice": r"expected \[1\] but found \[2\]",
    "splitting/range-cut-without-room": r"expected \[0\] but found \[1\]",
    "splitting/topic-count-cut-at-the-lower-end": "1 != 0",
    "splitting/bandwidth-limit-wraps-modular": "Maps do not have the same size:1 != 0",
    "shedding/transfer-debug-mode-moves-more": "debug mode, which is for logging",
    "ownership/gap-after-a-removal": "a record of the life before replaces the owner",
    "bundles/first-boundary-above-zero": "nothing was thrown",
    "bundles/last-hash-range": "IndexOutOfBoundsException was thrown",
    "bundles/last-hash-topic": "IndexOutOfBoundsException",
    "bundles/partition-in-other-digits": r"but found \[persistent://public/default/x\]\s",
    "bundles/range-beyond-the-hash-space": "nothing was thrown",
    "bundles/range-further-piece": "nothing was thrown",
    "bundles/range-missing-piece": "ArrayIndexOutOfBoundsException was thrown",
    "ownership/ownerless-record-breaks": r'dstBroker\(\)" is null',
    "placement/avg-shedder-without-candidates": "by zero",
    "placement/candidate-without-report": '"brokerData" is null',
    "placement/extensible-edge-of-the-mean": r"\[1, 2, 3\] are not all right",
    "placement/overloaded-at-30-of-100": "1 != 2",
    "placement/plan-lost-by-an-update": "2 != 1",
    "placement/plan-shared-by-equal-bundles": "1 != 2",
    "placement/round-robin-old-list": "1 != 2",
    "placement/round-robin-skips-at-the-wrap": "1 != 2",
    "shedding/avg-hits-of-brokers": "1 != 0",
    "shedding/avg-plan-by-averages": "d != c",
    "shedding/avg-share-of-one-moves-the-only-bundle": "1 != 0",
    "shedding/avg-sole-bundle": "1 != 0",
    "shedding/overload-sole-bundle-beside-heartbeat": "1 != 0",
    "shedding/overload-stays-above-its-threshold": "do not match for key:a",
    "shedding/threshold-history-steps-twice": "1 != 0",
    "shedding/threshold-sole-bundle-beside-heartbeat": "1 != 0",
    "shedding/transfer-stale-broker-takes": "Sets differ",
    "shedding/uniform-5000-of-4000": "1 != 0",
    "shedding/uniform-allowance-moves-everything": "do not match for key:a",
    "shedding/uniform-allowance-wraps": "0 != 1",
    "shedding/uniform-fractions-are-free": "do not match for key:a",
    "shedding/uniform-idle-bundles": "do not match for key:a",
    "shedding/uniform-least-is-32-bits": "1 != 0",
    "shedding/uniform-one-more-by-the-allowance": "do not match for key:a",
    "shedding/uniform-rate-masks-throughput": "0 != 1",
    "splitting/small-bundle-uses-up-a-place": "Maps do not match",
    "throttling/bucket-refill-wraps-alone": r"expected \[200000000\] but found \[0\]",
    "throttling/bucket-refill-wraps": r"expected \[200000000\] but found \[95887598\]",
    "throttling/bucket-refills-part-of-a-period": r"expected \[0\] but found \[4\]",
}
GREEN = (
    "bundles/example-low-hash",
    "splitting/example-flow-case-1",
    "splitting/example-range",
    "splitting/example-topic-count",
    "splitting/flow-cut-one-further",
    "splitting/flow-empty-part",
    "splitting/flow-no-cut-for-colliding-topics",
    "splitting/specified-position-kept-twice",
    "splitting/bandwidth-limit-wraps-modular",
    "bundles/first-boundary-above-zero",
    "bundles/example-boundary-belongs-above",
    "bundles/erratum-closed-inner-range",
    "bundles/range-beyond-the-hash-space",
    "bundles/erratum-hash-of-my-topic",
    "bundles/example-name-with-a-cluster",
    "load/erratum-heap-memory-counts",
    "load/example-30-of-100",
    "placement/example-extensible-10-30-60",
    "placement/example-no-load-data",
    "placement/example-planned-broker-is-gone",
    "placement/example-planned-move",
    "placement/erratum-least-loaded-at-random",
    "placement/erratum-placement-memory",
    "placement/erratum-10-30-80",
    "placement/erratum-average-brokers",
    "placement/example-round-robin-at-the-wrap",
    "placement/example-round-robin-nobody",
    "shedding/avg-hits-of-brokers",
    "shedding/avg-plan-by-averages",
    "shedding/erratum-overload-all-bundles",
    "shedding/erratum-overload-exactly-one",
    "shedding/erratum-threshold-10-megabytes",
    "shedding/erratum-threshold-at-least-meet",
    "shedding/erratum-uniform-evenly",
    "shedding/example-transfer-close-enough",
    "shedding/example-transfer-idle-bundles-stay",
    "shedding/example-transfer-no-reports",
    "shedding/example-transfer-one-has-not-reported",
    "shedding/example-transfer-one-pair-is-enough",
    "shedding/example-transfer-overloaded",
    "shedding/example-transfer-smallest-first",
    "shedding/example-transfer-three-pairs",
    "shedding/example-uniform-22-of-110",
    "shedding/transfer-stale-broker-takes",
    "splitting/erratum-flow-case-1",
    "splitting/erratum-flow-case-2",
    "throttling/bucket-refill-wraps-alone",
    "throttling/bucket-refill-wraps",
    "throttling/bucket-refills-part-of-a-period",
    "throttling/erratum-counter-reset",
    "throttling/example-10000-a-minute",
    "throttling/example-30-of-10",
    "throttling/example-bytes-and-messages",
    "throttling/example-no-limit",
    "throttling/frequent-changes-starve",
)
"""What 4.0.8 answers to these is expected of it: then they must pass."""


@pytest.mark.parametrize("name", RED)
def test_an_issue_says_what_a_maintainer_asks(name: str) -> None:
    one = found(name)
    test = report_of(one)
    text = issue_of(one, test, name)
    for part in ("**Observed**", "**Expected.**", "**Source.**", "**Versions.**", "```java"):
        assert part in text
    assert "evenkeel" not in test.text.replace("Made by `evenkeel report`", "")
    assert test.text.count("@Test") == 1


def test_no_shipped_counterexample_fails_otherwise() -> None:
    sayable = 0
    for _, one in counterexample.shipped():
        with suppress(NotTold):
            sayable += bool(report_of(one).text)
    assert sayable >= len(RED)


def test_texts_are_escaped() -> None:
    assert string('a"\\\u00fc') == '"a\\"\\\\\\u00fc"'


@cache
def jars() -> str:
    """The class path; what is missing skips the test."""
    if shutil.which("javac") is None or shutil.which("mvn") is None:
        pytest.skip("no Maven or no JDK")
    if not (PULSAR / "target" / "lib").is_dir():
        pytest.skip("Apache Pulsar's adapter is not built: make adapter")
    folder = PULSAR / "reported"
    done = subprocess.run(
        ["mvn", "-q", "-B", "package"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    return f"{PULSAR}/target/lib/*:{folder}/target/lib/*"


def run(tests: dict[str, JavaTest], folder: Path) -> str:
    """Compile these tests and run them with TestNG; what it prints."""
    paths = []
    for test in tests.values():
        path = folder / "src" / test.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(test.text)
        paths.append(str(path))
    out = folder / "out"
    compile_ = ["javac", "-nowarn", "-d", str(out), "-cp", jars(), *paths]
    done = subprocess.run(compile_, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    names = ",".join(f"{test.package}.{test.name}" for test in tests.values())
    words = ["java", "-Xshare:off", "-cp", f"{out}:{jars()}", "org.testng.TestNG", "-verbose", "2"]
    words += ["-d", str(folder / "report"), "-testclass", names]
    ran = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False)
    return ran.stdout


def of_4_0(one: Counterexample) -> Counterexample:
    """With what the edition of 4.0 answers as what is expected."""
    question = QUESTIONS[one.question]
    answer = question.observe(from_json(question.trial_type, one.trial), PULSAR_4_0)
    return replace(one, expected=observation_to_json(answer), edition=PULSAR_4_0.name)


@pytest.mark.slow
def test_they_are_red_on_the_defect_and_say_so(tmp_path: Path) -> None:
    tests = {name: report_of(found(name)) for name in RED}
    said = run(tests, tmp_path)
    assert f"Tests run: {len(RED)}, Failures: {len(RED)}, Skips: 0" in said, said
    for name, why in RED.items():
        after = said.partition(f"FAILED: {tests[name].package}.{tests[name].name}.")[2]
        assert re.search(why, after[:700]), f"{name}: {after[:700]}"


@pytest.mark.slow
def test_they_are_green_where_pulsar_is_right(tmp_path: Path) -> None:
    said = run({name: told(of_4_0(found(name))) for name in GREEN}, tmp_path)
    assert f"Tests run: {len(GREEN)}, Failures: 0, Skips: 0" in said, said


@pytest.mark.slow
def test_drawn_trials_are_green_too(tmp_path: Path) -> None:
    tests: dict[str, JavaTest] = {}
    for question in DRAWN:
        for index in range(40):
            one = drawn(question, index)
            with suppress(NotTold):
                tests[one.title] = told(of_4_0(one))
            if sum(title.startswith(question) for title in tests) == EACH:
                break
    assert len(tests) == EACH * len(DRAWN)
    said = run(tests, tmp_path)
    assert f"Tests run: {len(tests)}, Failures: 0, Skips: 0" in said, said


DRAWN = (
    "bundles.membership",
    "bundles.topic_lookup",
    "ownership.conflict",
    "ownership.transition",
    "throttling.bucket",
    "throttling.counter",
    "throttling.quota",
)
EACH = 5


def drawn(question: str, index: int) -> Counterexample:
    """A drawn trial in the form of a file."""
    trial = to_json(make_trial(QUESTIONS[question], 1, index))
    known = found("bundles/last-hash-lookup")
    return replace(known, question=question, trial=trial, title=f"{question} {index}")


def test_what_takes_a_whole_broker_is_said() -> None:
    with pytest.raises(
        NotTold, match=r"ownership\.locks cannot be told .*\(a trial says which answer of the store"
    ):
        report_of(found("ownership/locks-release-tried-once"))
    assert not set(WHY_NOT) & set(METHODS)
    assert set(WHY_NOT) <= set(QUESTIONS)


def test_equals_and_the_clock_are_not_told_of_a_shedder() -> None:
    for name, why in (
        ("shedding/transfer-three-at-ten-percent", "equals"),
        ("shedding/example-transfer-exactly-half-an-hour", "the clock"),
        ("shedding/example-transfer-fourth-round", "one round"),
    ):
        with pytest.raises(NotTold, match=why):
            told(found(name))


def test_methods_are_of_questions_that_there_are() -> None:
    assert set(METHODS) <= set(QUESTIONS)
