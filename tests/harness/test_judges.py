"""Judges stand on their own feet: one for each question, and none calls what it judges."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from inspect import isfunction
from pathlib import Path

import pytest

from evenkeel.properties.catalogue import QUESTIONS, judges

ROOT = Path(__file__).resolve().parents[2] / "properties"

ALLOWED = {
    "evenkeel.reference.bundles.ranges",
    "evenkeel.reference.bundles.topics",
    "evenkeel.reference.java_text",
    "evenkeel.reference.load.namespaces",
}
"""Modules of the reference whose functions a judge may call: names, parsing, units. Of all others
it may take types, enums and constants only; what a right balancer decides it says itself.
"""


def imported(path: Path) -> Iterator[tuple[str, str]]:
    """What a file imports from our own packages, as (module, name)."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("evenkeel."):
            yield from ((node.module or "", alias.name) for alias in node.names)


JUDGES = sorted(ROOT.glob("*/*/judge*.py"))


@pytest.mark.parametrize("path", JUDGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_judge_calls_no_function_of_the_reference(path: Path) -> None:
    called = []
    for module, name in imported(path):
        if not module.startswith("evenkeel.reference") or module in ALLOWED:
            continue
        found = getattr(import_module(module), name, None)
        if found is None:
            found = import_module(f"{module}.{name}")
            called.append(f"{module}.{name} (a whole module)")
        elif isfunction(found) or hasattr(found, "__wrapped__"):
            called.append(f"{module}.{name}")
    assert called == []


def test_one_judge_a_question() -> None:
    found = Counter(judge.question for judge in judges())
    assert [name for name, count in found.items() if count > 1] == []
    assert found.keys() <= QUESTIONS.keys()


def test_a_judge_names_each_clause_once() -> None:
    for judge in judges():
        ids = [entry.id for entry in judge.entries]
        assert len(set(ids)) == len(ids), judge.question
