"""The commands of the tutorial and the how-to pages do what is shown; miniatures are detected."""

import re
import shlex
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from evenkeel.reference.edition import DOCUMENTED
from evenkeel_engine.check.blocks import Part, run_check
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.subjects.process import ProcessSubject
from tests import command_line
from tests.command_line import Done

ROOT = Path(__file__).resolve().parents[2]
PAGES = ["docs/tutorial.md", *sorted(str(p.relative_to(ROOT)) for p in ROOT.glob("docs/how-to/*"))]
MINIATURES = "examples/miniatures.py"
pytestmark = pytest.mark.slow


def run(command: str, cache: Path) -> Done | subprocess.CompletedProcess[str]:
    """A command of a page, with this Python's evenkeel."""
    words = shlex.split(command.replace("python examples", f"{sys.executable} examples"))
    if words[0] == "evenkeel":
        return command_line.run(*words[1:], cache=cache)
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)


def list_shown() -> list[tuple[str, str, list[str]]]:
    """Page, command, and the lines shown below it."""
    found = []
    for page in PAGES:
        for block in re.findall(r"```console\n(.*?)```", (ROOT / page).read_text(), re.DOTALL):
            first, *lines = block.splitlines()
            found.append((page, first.removeprefix("$ "), lines))
    return found


@pytest.mark.parametrize(("page", "command", "lines"), list_shown())
def test_a_command_does_what_the_page_shows(
    page: str, command: str, lines: list[str], tmp_path: Path
) -> None:
    done = run(command, tmp_path)
    status = int(lines.pop().split()[1]) if lines and lines[-1].startswith("status ") else 0
    assert done.returncode == status, done.stdout + done.stderr
    printed = done.stdout.splitlines()
    for line in lines:
        assert line in printed, f"{page}: {line}\n{done.stdout}"


def detected_by() -> list[tuple[str, list[str]]]:
    """The tutorial's table: miniature and clauses."""
    rows = re.findall(r"^\| (`.+`) \| (BUN.+) \|$", (ROOT / PAGES[0]).read_text(), re.MULTILINE)
    return [(name, ids.split(", ")) for names, ids in rows for name in re.findall("`(.+?)`", names)]


@pytest.mark.parametrize(("name", "ids"), detected_by())
def test_miniature_is_detected_by_its_clauses(name: str, ids: list[str]) -> None:
    with closing(ProcessSubject([sys.executable, str(ROOT / MINIATURES), name])) as subject:
        parts = [Part(QUESTIONS[question], 400) for question in sorted(subject.questions)]
        found = run_check(parts, 1, subject, DOCUMENTED, None, lambda *_: None)
    assert sorted({one.clause for one in found.smallest.values()}) == sorted(ids)


def test_the_table_names_every_miniature(tmp_path: Path) -> None:
    listed = run(f"python {MINIATURES} --list", tmp_path).stdout.splitlines()
    assert {line.split()[0] for line in listed} == {name for name, _ in detected_by()}
    assert len(listed) >= 12


def test_links_lead_somewhere() -> None:
    for page in [*PAGES, "docs/explanation.md", "docs/track-record.md"]:
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", (ROOT / page).read_text()):
            assert ((ROOT / page).parent / link).exists(), f"{page}: {link}"
