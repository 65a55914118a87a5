"""Evidence of each clause: functions, checks, theorems, graphs, counterexamples.

Gathering it imports everything, which takes seconds; so it is cached in the user's cache
folder until a file of the folders below changes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from evenkeel_engine import content, spec
from evenkeel_engine.extras import is_installed
from evenkeel_engine.files import write_file

SOURCES: Final = (
    *map(content.name, ("spec", "reference", "properties", "models", "counterexamples")),
    "evenkeel_engine",
)
"""Folders from which the evidence is gathered, and the code that gathers it."""
MODELS_NEED: Final = ("z3", "networkx")
"""Modules without which theorems and graphs are not listed."""
SUFFIXES: Final = (".py", ".md", ".jsonl", ".toml")


@dataclass(frozen=True, slots=True)
class Evidence:
    """Evidence of one clause, by name. `functions` are those of the reference."""

    functions: list[str] = field(default_factory=list)
    checks: list[str] = field(default_factory=list)
    theorems: list[str] = field(default_factory=list)
    graphs: list[str] = field(default_factory=list)
    counterexamples: list[str] = field(default_factory=list)

    @property
    def checked(self) -> bool:
        """Whether any property, theorem or state model checks the clause."""
        return bool(self.checks or self.theorems or self.graphs)


def find_evidence() -> dict[str, Evidence]:
    """The evidence of every clause, by id; from the cache if it is current."""
    place, now = cache_file(), compute_stamp()
    cached = read_cache(place)
    if cached is not None and cached["stamp"] == now:
        return {id_: Evidence(**parts) for id_, parts in cached["clauses"].items()}
    gathered = gather_evidence()
    write_cache(place, {"stamp": now, "clauses": {id_: asdict(b) for id_, b in gathered.items()}})
    return gathered


def gather_evidence() -> dict[str, Evidence]:
    """Gather the evidence of every clause, by id."""
    from evenkeel_engine.kit.catalogue import CLAUSES, STATED_BY  # noqa: PLC0415 - the same
    from evenkeel_engine.stored.cases import DESCRIBED, CaseKind, read_stored_cases  # noqa: PLC0415 - all questions

    evidence = {id_: Evidence() for id_ in spec.read_entries()}
    for id_, functions in STATED_BY.items():
        evidence[id_].functions.extend(map(str, functions))
    for clause in CLAUSES:
        evidence[clause.id].checks.append(f"the judge of {clause.question}")
    if all(is_installed(module) for module in MODELS_NEED):
        from evenkeel_engine.proofs.catalogue import GRAPHS, THEOREMS  # noqa: PLC0415 - of an extra

        for theorem in THEOREMS:
            for id_ in theorem.clauses:
                evidence[id_].theorems.append(theorem.name)
        for graph in GRAPHS:
            for id_ in graph.clauses:
                evidence[id_].graphs.append(graph.name)
    for case in read_stored_cases((*DESCRIBED, CaseKind.BOUNDARY)):
        evidence[case.clause].counterexamples.append(case.id)
    return evidence


def cache_file() -> Path:
    """The cache file: one for each installation."""
    folder = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    place = blake2b(__file__.encode(), digest_size=8).hexdigest()
    return Path(folder) / "evenkeel" / f"evidence-{place}.json"


def compute_stamp() -> str:
    """A digest that changes when a file of the folders is changed, added or removed."""
    digest = blake2b(digest_size=16)
    digest.update(repr([is_installed(module) for module in MODELS_NEED]).encode())
    for package in SOURCES:
        found = find_spec(package)
        for folder in (found.submodule_search_locations if found else None) or ():
            for entry in sorted(files_in(folder)):
                digest.update(entry.encode())
    return digest.hexdigest()


def files_in(folder: str) -> Iterator[str]:
    """Every source under a folder, with its size and when it was changed."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                yield from files_in(entry.path)
            elif entry.name.endswith(SUFFIXES) and "__pycache__" not in entry.path:
                state = entry.stat()
                yield f"{entry.path} {state.st_size} {state.st_mtime_ns}\n"


def read_cache(place: Path) -> Any:
    """The cached data; None if there is none, or it cannot be read."""
    with suppress(OSError, ValueError):
        data = json.loads(place.read_text("utf-8"))
        if isinstance(data, dict) and set(data) == {"stamp", "clauses"}:
            return data
    return None


def write_cache(place: Path, data: dict[str, Any]) -> None:
    """Write the file atomically. If that fails, the evidence is gathered again next time."""
    with suppress(OSError):
        write_file(place, json.dumps(data), folders=True)
