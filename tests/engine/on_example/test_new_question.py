"""A new question touches at most eight places: those that CONTRIBUTING lists."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Final

import pytest

from tests.engine.on_example.test_example import FOLDER, ROOT, start

ENGINE: Final = "evenkeel_engine"
CLAUSE: Final = """
### RGN-8 · MUST · The fullest server holds most regions
No server holds more regions than the fullest one.

- **Formula:** `c[s] ≤ c[fullest]` for every `s`.
- **Editions:** all.
- **Basis:** documents: guide, "hbase.regions.slop": "Rebalance if any regionserver has average"
- **Example:** of servers with 3 and 5 regions the second.
"""
FUNCTION: Final = '''"""The fullest server."""

from collections.abc import Sequence

from evenkeel_engine.example.reference.regions.balancing import Server
from evenkeel_engine.frame.clauses import states


@states("RGN-8")
def find_fullest(servers: Sequence[Server]) -> str:
    """The name of the first server that holds the most regions."""
    return max(servers, key=lambda one: len(one.regions)).name
'''
COMPONENT: Final = '''"""The fullest server: which one is it?"""

from dataclasses import dataclass

from evenkeel_engine.example.properties.regions.balancing import make_round
from evenkeel_engine.example.reference.edition import Edition
from evenkeel_engine.example.reference.regions.balancing import Server
from evenkeel_engine.example.reference.regions.fullest import find_fullest
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.judge import decision
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import Run
from evenkeel_engine.kit.trial import require, require_different


@dataclass(frozen=True, slots=True)
class FullestTrial:
    """`regions.fullest`: which server is the fullest?"""

    racks: tuple[tuple[Server, ...], ...]

    def __post_init__(self) -> None:
        require(bool(self.servers), "racks", "must not be empty")
        require_different("racks", [one.name for one in self.servers])

    @property
    def servers(self) -> tuple[Server, ...]:
        return tuple(one for rack in self.racks for one in rack)


@dataclass(frozen=True, slots=True)
class Fullest:
    """The name of a server."""

    server: str


def make_servers(draw: Draw) -> FullestTrial:
    return FullestTrial((make_round(draw).servers, (Server("last", ()),)))


def answer_fullest(trial: FullestTrial, edition: Edition) -> Fullest:
    return Fullest(find_fullest(trial.servers))


@decision("regions.fullest", "RGN-8")
def judge_fullest(run: Run, case: Case[FullestTrial, Fullest]) -> None:
    held = {one.name: len(one.regions) for one in case.trial.servers}
    named = getattr(case.observation, "server", "")
    most = max(held.values())
    run.require("RGN-8", held.get(named) == most, f"{named} does not hold {most} regions")


QUESTIONS = (
    Question("regions.fullest", FullestTrial, Fullest, make_servers, answer_fullest),
)
'''
MUTANT: Final = """
[[mutant]]
name = "emptiest-is-fullest"
description = "The emptiest server is named."
function = "regions.fullest:find_fullest"
old = "return max(servers, key=lambda one: len(one.regions)).name"
new = "return min(servers, key=lambda one: len(one.regions)).name"
"""
PLACES: Final = {
    "spec/regions.md": CLAUSE,
    "reference/regions/fullest.py": FUNCTION,
    "properties/regions/fullest.py": COMPONENT,
    "properties/regions/mutants.toml": MUTANT,
}
"""What one writes; tools write the pages and the case."""


@pytest.mark.slow
def test_a_question_is_added_in_at_most_eight_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = tmp_path / "evenkeel_engine"
    shutil.copytree(FOLDER.parent, engine, ignore=shutil.ignore_patterns("__pycache__"))
    small = engine / "example"
    before = {path: path.read_bytes() for path in small.rglob("*") if path.is_file()}
    for place, text in PLACES.items():
        with (small / place).open("a", encoding="utf-8") as file:
            file.write(text)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    added = ("cases", "add", "regions.fullest@1:3", "--clause", "RGN-8")
    about = ("--title", "The fullest of some servers", "--effect", "e", "--source", "s")
    start(tmp_path, ENGINE, *added, *about, "--to", str(small / "counterexamples"))
    asked = ("check", "--question", "regions.fullest")
    for module in ("document", "bounds"):
        start(tmp_path, f"{ENGINE}.trial_types.{module}")
    assert "1 of 1 clauses hold" in start(tmp_path, ENGINE, *asked)
    assert "1 of 1" in start(tmp_path, ENGINE, *asked, "--generator", "independent")
    assert "1 of 1 mutants killed" in start(tmp_path, ENGINE, "score", *asked[1:], "--drawn", "0")
    pages = [path for path in small.rglob("*") if path.is_file() and "pycache" not in str(path)]
    touched = [path for path in pages if path.read_bytes() != before.get(path)]
    assert len(PLACES) < len(touched) <= 8, touched


def test_contributing_lists_them() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    section = text.partition("## Add a question")[2].partition("\n## ")[0]
    assert 4 < len(re.findall(r"^\d\. ", section, re.MULTILINE)) <= 8
    chapter = text.partition("## Add a chapter")[2].partition("\n## ")[0]
    assert len(re.findall(r"^\d+\. ", chapter, re.MULTILINE)) <= 12
