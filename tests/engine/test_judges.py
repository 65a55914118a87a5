"""Judges are independent: one for each question, and none calls what it judges."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from inspect import isfunction, ismodule
from pathlib import Path

import pytest

from evenkeel_engine.kit.catalogue import QUESTIONS, find_judges

ROOT = Path(__file__).resolve().parents[2] / "properties"

ALLOWED = {
    "evenkeel.reference.bundles.ranges",
    "evenkeel.reference.bundles.topics",
    "evenkeel.reference.contract.course",
    "evenkeel.reference.contract.plant",
    "evenkeel.reference.java_text",
    "evenkeel.reference.load.namespaces",
}
"""Modules of the reference whose functions a judge may call: names, parsing, units, and the cluster
that the harness has around any balancer. Of all others
it may take types, enums and constants only; what a right balancer decides it says itself.
"""


MODULES = sorted({*ROOT.glob("*/*.py"), *ROOT.glob("*/*/*.py")} - {*ROOT.glob("kit/**/*.py")})
JUDGES = {"decision", "rounds", "monitor"}
"""What registers a judge."""


@dataclass(frozen=True)
class Source:
    """A module's functions and classes by name, and what it imports of the reference: for each
    local name the module and the name there.
    """

    definitions: Mapping[str, ast.AST]
    imports: Mapping[str, tuple[str, str]]


def source_of(path: Path) -> Source:
    tree = ast.parse(path.read_text())
    imports = {
        alias.asname or alias.name: (node.module, alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("evenkeel.reference")
        for alias in node.names
        if node.module
    }
    definitions = [n for n in tree.body if isinstance(n, ast.FunctionDef | ast.ClassDef)]
    return Source({node.name: node for node in definitions}, imports)


def is_judge(node: ast.AST) -> bool:
    """Whether a function is decorated as one."""
    calls = [d.func for d in getattr(node, "decorator_list", []) if isinstance(d, ast.Call)]
    return any(isinstance(call, ast.Name) and call.id in JUDGES for call in calls)


def names_in(node: ast.AST) -> set[str]:
    """What a definition uses that it does not bind itself; not what only its types name."""
    types = {
        one
        for part in ast.walk(node)
        for hint in (getattr(part, "annotation", None), getattr(part, "returns", None))
        if hint is not None
        for one in ast.walk(hint)
    }
    names = [one for one in ast.walk(node) if isinstance(one, ast.Name) and one not in types]
    bound = {one.id for one in names if isinstance(one.ctx, ast.Store)}
    bound |= {one.arg for one in ast.walk(node) if isinstance(one, ast.arg)}
    return {one.id for one in names} - bound


def judging(path: Path, source: Source) -> set[str]:
    """The names that a module's judges use, by whatever functions of the module."""
    apart = path.stem.startswith("judge") or path.stem == "judge_parts"
    waiting = [name for name, node in source.definitions.items() if apart or is_judge(node)]
    seen = set(waiting)
    used = set[str]()
    while waiting:
        found = names_in(source.definitions[waiting.pop()])
        used |= found
        fresh = (found & source.definitions.keys()) - seen
        seen |= fresh
        waiting.extend(fresh)
    return used


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_judge_calls_no_function_of_the_reference(path: Path) -> None:
    source = source_of(path)
    called = []
    for local in sorted(judging(path, source) & source.imports.keys()):
        module, name = source.imports[local]
        if module in ALLOWED or f"{module}.{name}" in ALLOWED:
            continue
        found = getattr(import_module(module), name, None)
        if found is None or ismodule(found):
            called.append(f"{module}.{name} (a whole module)")
        elif isfunction(found) or hasattr(found, "__wrapped__"):
            called.append(f"{module}.{name}")
    assert called == []


def test_one_judge_a_question() -> None:
    found = Counter(judge.question for judge in find_judges())
    assert [name for name, count in found.items() if count > 1] == []
    assert found.keys() <= QUESTIONS.keys()


def test_a_judge_names_each_clause_once() -> None:
    for judge in find_judges():
        ids = [entry.id for entry in judge.entries]
        assert len(set(ids)) == len(ids), judge.question
