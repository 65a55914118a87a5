"""The lines of Apache Pulsar that its adapter has: pinned once, each in its own folders."""

import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path
from typing import Final

import pytest

from evenkeel.releases import adapter as pulsar
from evenkeel_engine.subjects.process import ProcessSubject

ROOT: Final = Path(__file__).resolve().parents[2]
ADAPTER: Final = pulsar.ADAPTER
LINES: Final = pulsar.lines(ADAPTER)
POM: Final = "{http://maven.apache.org/POM/4.0.0}"


def folders() -> dict[str, list[Path]]:
    """The folders next to src/main/java of every line."""
    pom = ET.parse(ADAPTER / "pom.xml").getroot()
    found = {LINES[0]: pom.findtext(f"{POM}properties/{POM}sources")}
    for profile in pom.iter(f"{POM}profile"):
        found[str(profile.findtext(f"{POM}id"))] = profile.findtext(f"{POM}properties/{POM}sources")
    return {
        line: [ADAPTER / text.replace("${lines}", "src/lines") for text in str(given).split(",")]
        for line, given in found.items()
    }


def start(
    adapter: Path, *words: str, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """What `run` does with these words."""
    return subprocess.run(
        [str(adapter / "run"), *words],
        input="",
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )


def test_every_line_has_a_profile_of_its_name() -> None:
    assert tuple(folders()) == LINES
    assert len(set(LINES)) == len(LINES)


def test_a_line_has_every_class_once_and_every_folder_is_of_some_line() -> None:
    for line, its in folders().items():
        names = Counter(
            file.relative_to(folder)
            for folder in (ADAPTER / "src" / "main" / "java", *its)
            for file in folder.rglob("*.java")
        )
        assert all(folder.is_dir() for folder in its), line
        assert [name for name, times in names.items() if times > 1] == [], line
    used = {folder for its in folders().values() for folder in its}
    assert set((ADAPTER / "src" / "lines").iterdir()) == used


def test_nothing_else_of_the_adapter_pins_a_version() -> None:
    for name in ("run", "rates", "src/main/resources/subject.properties"):
        text = (ADAPTER / name).read_text(encoding="utf-8")
        assert [line for line in LINES if re.search(rf"\b{re.escape(line)}\b", text)] == []


@pytest.mark.parametrize(
    "words", [("--pulsar", "9.9"), ("--pulsar",), ("4.0.8",), ("--pulsar", "")]
)
def test_what_it_cannot_start_is_one_sentence(words: tuple[str, ...]) -> None:
    done = start(ADAPTER, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("The adapter apache-pulsar ")


@pytest.mark.parametrize("line", LINES)
def test_a_line_that_is_not_built_says_how_to_build_it(line: str, tmp_path: Path) -> None:
    for name in ("run", "pom.xml"):
        shutil.copy(ADAPTER / name, tmp_path / name)
    assert not pulsar.is_built(tmp_path, line)
    done = start(tmp_path, "--pulsar", line)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"'mvn -q -B package -Dpulsar={line}'" in done.stderr


@pytest.mark.parametrize("line", LINES)
def test_a_built_line_is_what_it_says(line: str) -> None:
    if not pulsar.is_built(ADAPTER, line):
        pytest.skip(f"not built: make adapter PULSAR={line}")
    if start(ADAPTER, "--pulsar", line).returncode:
        pytest.skip(f"{line} needs a newer Java")
    subject = ProcessSubject([str(ADAPTER / "run"), "--pulsar", line])
    try:
        assert subject.name == f"apache-pulsar {line}"
        assert {"bundles.topic", "scaling.decision"}.intersection(subject.questions or ())
    finally:
        subject.close()
