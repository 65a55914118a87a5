"""What stands behind each clause: functions, checks, theorems, graphs, counterexamples.

To find it out everything is imported, which takes seconds; so it is kept in the user's cache
folder until a file of the floors below changes.
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

from evenkeel import spec
from evenkeel.extras import there

FLOORS: Final = ("spec", "reference", "properties", "models", "counterexamples", "cli")
"""What is gathered, and what gathers it."""
MODELS_NEED: Final = ("z3", "networkx")
"""Without these there is nothing to be listed of theorems and graphs."""
SUFFIXES: Final = (".py", ".md", ".jsonl")


@dataclass(frozen=True, slots=True)
class Behind:
    """What stands behind one clause, by name. `functions` are those of the reference."""

    functions: list[str] = field(default_factory=list)
    checks: list[str] = field(default_factory=list)
    theorems: list[str] = field(default_factory=list)
    graphs: list[str] = field(default_factory=list)
    counterexamples: list[str] = field(default_factory=list)

    @property
    def checked(self) -> bool:
        """Whether any property, theorem or state model checks the clause."""
        return bool(self.checks or self.theorems or self.graphs)


def behind() -> dict[str, Behind]:
    """What stands behind every clause, by id."""
    place, now = kept_at(), stamp()
    kept = read_kept(place)
    if kept is not None and kept["stamp"] == now:
        return {id_: Behind(**parts) for id_, parts in kept["clauses"].items()}
    gathered = gather()
    keep(place, {"stamp": now, "clauses": {id_: asdict(b) for id_, b in gathered.items()}})
    return gathered


def gather() -> dict[str, Behind]:
    """What stands behind every clause of the specification, by id."""
    # Both import all questions.
    from evenkeel.harness.cases import DESCRIBED, stored  # noqa: PLC0415
    from evenkeel.properties.catalogue import CLAUSES, STATED_BY  # noqa: PLC0415

    behind = {id_: Behind() for id_ in spec.entries()}
    for id_, functions in STATED_BY.items():
        behind[id_].functions.extend(map(str, functions))
    for clause in CLAUSES:
        behind[clause.id].checks.append(f"the judge of {clause.question}")
    if all(there(module) for module in MODELS_NEED):
        add_models(behind)
    for case in stored(DESCRIBED):
        behind[case.clause].counterexamples.append(case.id)
    return behind


def add_models(behind: dict[str, Behind]) -> None:
    """What is proved and explored, which needs an extra."""
    from evenkeel.models.catalogue import GRAPHS, THEOREMS  # noqa: PLC0415 - of an extra

    for theorem in THEOREMS:
        for id_ in theorem.clauses:
            behind[id_].theorems.append(theorem.name)
    for graph in GRAPHS:
        for id_ in graph.clauses:
            behind[id_].graphs.append(graph.name)


def kept_at() -> Path:
    """The file: one for each place from which evenkeel is run."""
    folder = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    place = blake2b(__file__.encode(), digest_size=8).hexdigest()
    return Path(folder) / "evenkeel" / f"behind-{place}.json"


def stamp() -> str:
    """Differs whenever a file of the floors was changed, added or removed."""
    digest = blake2b(digest_size=16)
    digest.update(repr([there(module) for module in MODELS_NEED]).encode())
    for floor in FLOORS:
        found = find_spec(f"evenkeel.{floor}")
        for folder in (found.submodule_search_locations if found else None) or ():
            for told in sorted(files_in(folder)):
                digest.update(told.encode())
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


def read_kept(place: Path) -> Any:
    """What was kept; None if that is nothing, or nothing that can be read."""
    try:
        kept = json.loads(place.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    known = isinstance(kept, dict) and set(kept) == {"stamp", "clauses"}
    return kept if known else None


def keep(place: Path, data: dict[str, Any]) -> None:
    """Write the file as a whole. Where that cannot be done it is gathered again next time."""
    with suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        part = place.with_suffix(f".{os.getpid()}")
        part.write_text(json.dumps(data), "utf-8")
        part.replace(place)
