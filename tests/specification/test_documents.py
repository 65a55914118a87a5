"""What the documents for contributors name is there."""

import re
from functools import cache
from pathlib import Path

import pytest

from docs.site.commands import PAGE, page
from evenkeel.report import conformance, track_record
from evenkeel_engine import spec
from evenkeel_engine.cli.commands import find_command
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.mutation.catalogue import CONFORMING, DEFECTS
from evenkeel_engine.proofs.catalogue import GRAPHS, THEOREMS
from evenkeel_engine.stored.cases import read_stored_cases

ROOT = Path(__file__).parents[2]
DOCUMENTS = [
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "docs/architecture.md",
    "docs/live.md",
    "docs/live-runs.md",
]
PAGES = ["**/README.md", "*.md", "docs/**/*.md", "spec/*.md"]
"""Which name commands."""
COMMAND = re.compile(
    r"(?:^ {4}|`|^\$ )(?:\.venv/bin/)?evenkeel ([a-z][a-z-]*(?: [a-z][a-z-]*)*)", re.MULTILINE
)
PLACE = re.compile(r"`((?:[\w.-]+/)+[\w.-]*)`")
MADE = ("campaigns/", "dist/", "evenkeel-failures/", "adapters/apache-pulsar/target/")
"""Where commands write."""
LINK = re.compile(r"\]\(([^)#:]+)\)")


def is_command(words: list[str]) -> bool:
    """Whether words begin with a command; arguments may follow."""
    found = find_command()
    for word in words:
        if not hasattr(found, "commands"):
            return True
        if (found := found.get_command(None, word)) is None:
            return False
    return True


def test_the_page_of_commands_is_current() -> None:
    assert PAGE.read_text("utf-8") == page(), "python -m docs.site.commands makes it"


def test_documents_name_commands_that_there_are() -> None:
    pages = {path for pattern in PAGES for path in ROOT.glob(pattern) if ".venv" not in path.parts}
    named = [words for path in pages for words in COMMAND.findall(path.read_text("utf-8"))]
    assert len(named) > 50
    assert [words for words in named if not is_command(words.split())] == []


@cache
def figures() -> dict[str, tuple[str, ...]]:
    """What README counts: a pattern, and what its groups must be."""
    written = track_record.data()
    reported = [*written["known"], *written["later"]]
    sayable = [one for one in reported if "why_not" not in one]
    cases = sum(1 for _ in read_stored_cases()) // 100 * 100
    defects = re.findall(r"^\| \d+ \|", (ROOT / "docs/upstream/README.md").read_text("utf-8"), re.M)
    return {
        r"\*\*(\d+) clauses\*\* in (\w+) chapters": (
            str(len(spec.read_entries())),
            in_words(len(spec.CHAPTERS)),
        ),
        r"\*\*(\d+) questions\*\*": (str(len(QUESTIONS)),),
        r"\*\*(\d+) theorems\*\* .*?\*\*(\d+) state graphs\*\*": (
            str(len(THEOREMS)),
            str(len(GRAPHS)),
        ),
        r"\*\*About ([\d,]+) stored cases\*\*": (f"{cases:,}",),
        r"\*\*(\w+) releases of Apache Pulsar\*\*": (
            in_words(len(conformance.stored()["subjects"])).capitalize(),
        ),
        r"\*\*(\d+) known defects\*\* .*? detect (\d+), and \*\*(\d+) places\*\*": (
            str(len(reported)),
            str(len(sayable)),
            str(sum(1 for _ in track_record.of_releases())),
        ),
        r"The ([\w-]+) gravest": (in_words(len(defects)),),
        r"\*\*(\d+) mutants\*\* .*?, (\d+) conforming variants": (
            str(len(DEFECTS)),
            str(len(CONFORMING)),
        ),
    }


def in_words(number: int) -> str:
    """A number up to twenty-five as README writes it."""
    words = "none one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
    more = "fifteen sixteen seventeen eighteen nineteen"
    last = "twenty twenty-one twenty-two twenty-three twenty-four twenty-five"
    return [*words.split(), *more.split(), *last.split()][number]


def test_the_readme_counts_what_there_is() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    found = {pattern: re.search(pattern, text) for pattern in figures()}
    assert {pattern: one and one.groups() for pattern, one in found.items()} == figures()


@pytest.mark.parametrize("name", DOCUMENTS)
def test_documents_name_existing_things(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    for place in PLACE.findall(text):
        assert (ROOT / place).exists() or place.startswith(MADE), place
    for link in LINK.findall(text):
        assert ((ROOT / name).parent / link).exists(), link


def test_the_makefile_has_the_targets_that_documents_name() -> None:
    made = (ROOT / "Makefile").read_text("utf-8")
    for name in DOCUMENTS:
        for target in re.findall(r"`make ([a-z]+)", (ROOT / name).read_text("utf-8")):
            assert f"\n{target}:" in made, target


def test_workflow_check_has_existing_options_and_one_amount() -> None:
    text = (ROOT / "docs/ci/evenkeel.yml").read_text("utf-8")
    line = text.partition("evenkeel check --subject ./my-adapter --profile ci --allow")[2]
    used = set(
        re.findall(r"--[a-z-]+", text.partition("      - run: >\n")[2].partition("- if:")[0])
    )
    known = {name for one in find_command("check").params for name in one.opts}
    assert line
    assert used <= known
    assert not {"--profile", "--for"} <= used
    upload = text.partition("upload-sarif")[0].rpartition("- if:")[2]
    assert "hashFiles('evenkeel.sarif')" in upload  # no report, no upload
