"""Editions: where the documents and the shipped code disagree, one named switch each.

The reference is one model. An `Edition` is a frozen record of switches; every switch carries a
sentence that says what it decides and a source (`reference/switches/`, a file for each chapter).
`DOCUMENTED` is what the documents promise, `PULSAR_4_0` what Apache Pulsar's 4.0 line does. These
two are the *base editions*; the others are released lines, each a parent and the switches that
differ from it (`reference/editions/`, a file for each edition). No code asks for an edition's name.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from importlib import import_module
from typing import Final

from evenkeel.reference import editions
from evenkeel.reference.editions.line import Line
from evenkeel.reference.switches.balancing import BalancingSwitches
from evenkeel.reference.switches.bundles import BundlesSwitches
from evenkeel.reference.switches.load import LoadSwitches
from evenkeel.reference.switches.ownership import OwnershipSwitches
from evenkeel.reference.switches.placement import PlacementSwitches
from evenkeel.reference.switches.scaling import ScalingSwitches
from evenkeel.reference.switches.shedding import SheddingSwitches
from evenkeel.reference.switches.splitting import SplittingSwitches
from evenkeel.reference.switches.throttling import ThrottlingSwitches


@dataclass(frozen=True, kw_only=True)
class Edition(
    BundlesSwitches,
    SplittingSwitches,
    OwnershipSwitches,
    LoadSwitches,
    PlacementSwitches,
    SheddingSwitches,
    BalancingSwitches,
    ThrottlingSwitches,
    ScalingSwitches,
):
    """A frozen record of switches. `name` is what `--edition` takes; `parent` is the name of the
    edition from which it differs.
    """

    name: str
    parent: str | None = None


def _lines() -> dict[str, Line]:
    """The edition of each module, parents first."""
    modules = (one.name for one in pkgutil.iter_modules(editions.__path__) if one.name != "line")
    found = [import_module(f"{editions.__name__}.{name}").LINE for name in sorted(modules)]
    by_name: dict[str, Line] = {line.name: line for line in found}

    def generation(line: Line) -> int:
        return 0 if line.parent is None else 1 + generation(by_name[line.parent])

    return {line.name: line for line in sorted(found, key=generation)}


def _editions() -> Iterator[Edition]:
    made: dict[str, Edition] = {}
    for line in LINES.values():
        changes = {change.switch: change.value for change in line.changes}
        if line.parent is None:
            values = {f.name: f.metadata[line.name] for f in fields(Edition) if f.metadata}
            made[line.name] = Edition(name=line.name, **values)
        else:
            parent = made[line.parent]
            made[line.name] = replace(parent, name=line.name, parent=parent.name, **changes)
        yield made[line.name]


LINES: Final = _lines()
"""What the modules of editions say, by the edition's name."""
EDITIONS: Final = {edition.name: edition for edition in _editions()}
BASE_EDITIONS: Final = {name: one for name, one in EDITIONS.items() if one.parent is None}
"""Those that everything is checked in; the others are checked where they differ from a parent."""
DOCUMENTED: Final = EDITIONS["DOCUMENTED"]
PULSAR_4_0: Final = EDITIONS["PULSAR_4_0"]


def lineage(name: str) -> tuple[str, ...]:
    """An edition's name and those of its parents, the nearest first: a clause that belongs to one
    of them belongs to it.
    """
    parent = EDITIONS[name].parent if name in EDITIONS else None
    return (name,) if parent is None else (name, *lineage(parent))


def switches() -> dict[str, tuple[str, str]]:
    """Every switch: its sentence and its source."""
    return {
        f.name: (f.metadata["sentence"], f.metadata["source"])
        for f in fields(Edition)
        if f.metadata
    }
