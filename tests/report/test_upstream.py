"""docs/upstream/: what its pages say is so on each line that is built."""

import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from evenkeel.reference.edition import LINES as EDITIONS
from evenkeel.releases import adapter as pulsar
from evenkeel.report.track_record import data, named
from evenkeel_engine import spec
from evenkeel_engine.cli.places import case_at
from tests.report.test_pulsar_lines import start

ROOT = Path(__file__).resolve().parents[2]
PULSAR = ROOT / "adapters" / "apache-pulsar"
FOLDER = ROOT / "docs" / "upstream"
CLASSES = ("availability", "balance", "limits", "cosmetic", "document")
"""Kinds of effect, the gravest first; of the last one the documents contradict themselves."""
FORGOTTEN = "without-a-limit-for-each-consumer-that-of-the-subscription-is-forgotten-too"
READS = "a-read-fails-though-its-memory-is-free-since-the-one-before-it-failed"
PERMITS = "key-shared-permits-taken-for-entries"
LEAVING = "a-key-shared-consumer-leaves-and-what-waited-for-it-waits-on"
"""The pages about a SHOULD; of the last one issues are known, which do not have its test."""
ROW = re.compile(
    r"^\| \d+ \| \[(?P<title>.+?)\]\((?P<case>[\w-]+)/README\.md\) \| (?P<effect>\w+) "
    r"\| \[(?P<clause>[A-Z]+-\d+)\]",
    re.MULTILINE,
)
SEEN = re.compile(r"^\*\*Versions\.\*\* (.+?) show the stored case", re.MULTILINE)
TEST = re.compile(
    r"^\*\*Reproduce\.\*\* \[(?P<name>\w+)\]\((?P=name)\.java\) belongs to "
    r"`(?P<place>[\w/]+\.java)`"
    r".*? class path(?:, as of (?P<since>[\w.-]+?))?\. .* with `(?P<fails>.+)`, and passes",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Defect:
    """What its page and the table say of a defect: the lines that show it, those of them on which
    its test can be compiled, where the test belongs, its text, and how it fails.
    """

    case: str
    title: str
    effect: str
    clause: str
    seen: tuple[str, ...]
    tested: tuple[str, ...]
    place: str
    text: str
    fails: str

    @property
    def page(self) -> str:
        return (FOLDER / self.case / "README.md").read_text("utf-8")


def defect_of(row: re.Match[str]) -> Defect:
    page = (FOLDER / row["case"] / "README.md").read_text("utf-8")
    seen, test = SEEN.search(page), TEST.search(page)
    assert seen is not None, row["case"]
    assert test is not None, row["case"]
    lines = tuple(seen[1].split(", "))
    least = pulsar.version_key(test["since"] or lines[0])
    tested = tuple(line for line in lines if pulsar.version_key(line) >= least)
    text = (FOLDER / row["case"] / f"{test['name']}.java").read_text("utf-8")
    place, fails = test["place"], test["fails"]
    named = row["case"], row["title"], row["effect"], row["clause"]
    return Defect(*named, lines, tested, place, text, fails)


def list_tried() -> tuple[str, ...]:
    """The adapter's lines that have an edition, in ascending order."""
    can = {one.release for one in EDITIONS.values()}
    return tuple(sorted(can & {*pulsar.lines()}, key=pulsar.version_key))


def name_of(place: str) -> str:
    """The name of the class that belongs to a place."""
    return place.removesuffix(".java").replace("/", ".")


DEFECTS = [defect_of(row) for row in ROW.finditer((FOLDER / "README.md").read_text("utf-8"))]
LINES = sorted({line for one in DEFECTS for line in one.seen}, key=pulsar.version_key)
HARMLESS = tomllib.loads(Path(__file__).with_name("harmless.toml").read_text("utf-8"))
"""A change of each test that was written by hand or is about minutes; then nothing is wrong."""


def test_every_file_is_that_of_a_defect() -> None:
    files = {FOLDER / "README.md", FOLDER / "other-systems.md"}
    for one in DEFECTS:
        files |= {FOLDER / one.case / "README.md", FOLDER / one.case / Path(one.place).name}
        assert f"\npackage {name_of(one.place).rpartition('.')[0]};" in one.text
    assert {path for path in FOLDER.rglob("*") if path.is_file()} == files


def test_they_are_25_and_the_gravest_come_first() -> None:
    assert len(DEFECTS) == 25
    ranks = [CLASSES.index(one.effect) for one in DEFECTS]
    assert ranks == sorted(ranks)


@pytest.mark.xdist_group("described cases")
@pytest.mark.parametrize("one", DEFECTS, ids=lambda one: one.case)
def test_each_breaks_a_document_stands_and_says_what_was_reported(one: Defect) -> None:
    clause = spec.find_clause(one.clause)
    should = one.case in (FORGOTTEN, READS, PERMITS, LEAVING)
    assert clause.level is (spec.Level.SHOULD if should else spec.Level.MUST)
    assert ("\n**Though a SHOULD.** " in one.page) is should
    assert clause.sentence in one.page
    assert one.page.startswith(f"# {named()[one.case].title}\n")
    assert one.seen[-1] == list_tried()[-1]
    issues = data()["upstream"].get(one.case, {}).get("issues", [])
    assert bool(issues) is (one.case == PERMITS)
    assert all(issue in one.page.partition("**Reported before?**")[2] for issue in issues)
    shown = one.page.partition("**Shown from end to end.**")[2].partition("\n")[0]
    assert set(re.findall(r"[a-z0-9]+(?:-[a-z0-9]+)+", shown)) <= named().keys()


@cache
def jars(version: str) -> str:
    """The class path of a line; what is missing skips the test."""
    if shutil.which("javac") is None or shutil.which("mvn") is None:
        pytest.skip("no Maven or no JDK")
    if not pulsar.is_built(PULSAR, version):
        pytest.skip(f"Apache Pulsar's adapter is not built: make adapter PULSAR={version}")
    if start(PULSAR, "--pulsar", version).returncode:
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
def make_environment(version: str | None) -> dict[str, str]:
    """With JAVA_HOME only for a line that does not start with the Java on the path: what looks into
    the JDK does not know every one.
    """
    without = {name: it for name, it in os.environ.items() if name != "JAVA_HOME"}
    words = () if version is None else ("--pulsar", version)
    starts = start(PULSAR, *words, env=without).returncode == 0
    return without if starts else dict(os.environ)


def java(tool: str, version: str) -> str:
    """A tool of the Java that is taken for a line."""
    home = make_environment(version).get("JAVA_HOME")
    return f"{home}/bin/{tool}" if home else tool


def run(tests: Mapping[str, str], folder: Path, version: str) -> str:
    """Compile these tests, texts by place, and run them with TestNG; what it prints."""
    paths = []
    for place, text in tests.items():
        path = folder / "src" / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        paths.append(str(path))
    out = folder / "out"
    compile_ = [java("javac", version), "-nowarn", "-d", str(out), "-cp", jars(version), *paths]
    done = subprocess.run(compile_, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    names = ",".join(map(name_of, tests))
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
    return subprocess.run(words, capture_output=True, text=True, timeout=300, check=False).stdout


@pytest.mark.slow
@pytest.mark.parametrize("line", LINES)
def test_each_is_red_on_every_line_that_has_it(line: str, tmp_path: Path) -> None:
    here = [one for one in DEFECTS if line in one.tested]
    output = run({one.place: one.text for one in here}, tmp_path, line)
    assert f"Tests run: {len(here)}, Failures: {len(here)}, Skips: 0" in output, output
    for one in here:
        after = output.partition(f"FAILED: {name_of(one.place)}.")[2]
        assert one.fails in after[:700], f"{one.case}: {after[:700]}"


@pytest.mark.slow
@pytest.mark.parametrize("options", ["", " --dispatcher key-shared"])
@pytest.mark.parametrize("line", LINES)
def test_each_case_is_shown_by_the_named_lines_and_no_others(line: str, options: str) -> None:
    if not pulsar.is_built(PULSAR, line):
        pytest.skip(f"not built: make adapter PULSAR={line}")
    here = [one for one in DEFECTS if f'--pulsar {list_tried()[-1]}{options}"`' in one.page]
    if options and line not in here[0].seen:
        pytest.skip(f"{line} has no such dispatcher")
    words = ["replay", *(one.case for one in here), "--format", "json", "--subject"]
    done = subprocess.run(
        [sys.executable, "-m", "evenkeel", *words, f"{PULSAR / 'run'} --pulsar {line}{options}"],
        env=make_environment(line),
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
        clauses, own = broken[one.case], case_at(one.case).clause
        if one.effect == "document":
            assert line not in one.seen or not clauses, one.case
            continue
        assert clauses if line in one.seen else own not in clauses, one.case


@pytest.mark.slow
@pytest.mark.parametrize("line", LINES)
def test_they_are_green_where_nothing_is_wrong(line: str, tmp_path: Path) -> None:
    tests = {}
    for one in DEFECTS:
        if one.case in HARMLESS and line in one.tested:
            wrong, right = HARMLESS[one.case]
            assert one.text.count(wrong) == 1
            tests[one.place] = one.text.replace(wrong, right)
    output = run(tests, tmp_path, line)
    assert f"Tests run: {len(tests)}, Failures: 0, Skips: 0" in output, output
