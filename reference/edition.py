"""Editions: where the documents and the shipped code disagree, one named switch each.

The reference is one model. An `Edition` is a frozen record of switches; every switch carries a
sentence that says what it decides and a source (`reference/switches/`, a file for each chapter).
`DOCUMENTED` is what the documents promise, with their own slips of arithmetic corrected
(spec/errata.md); `PULSAR_4_0` is what Apache Pulsar's 4.0 line does, its defects included (checked
against 4.0.8).
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final

from evenkeel.reference.switches.balancing import BalancingSwitches
from evenkeel.reference.switches.bundles import BundlesSwitches
from evenkeel.reference.switches.load import LoadSwitches
from evenkeel.reference.switches.ownership import OwnershipSwitches
from evenkeel.reference.switches.placement import PlacementSwitches
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
):
    """A frozen record of switches. `name` is what `--edition` takes."""

    name: str


def _edition(name: str) -> Edition:
    values = {f.name: f.metadata[name] for f in fields(Edition) if f.metadata}
    return Edition(name=name, **values)


DOCUMENTED: Final = _edition("DOCUMENTED")
PULSAR_4_0: Final = _edition("PULSAR_4_0")

EDITIONS: Final = {edition.name: edition for edition in (DOCUMENTED, PULSAR_4_0)}


def switches() -> dict[str, tuple[str, str]]:
    """Every switch: its sentence and its source."""
    return {
        f.name: (f.metadata["sentence"], f.metadata["source"])
        for f in fields(Edition)
        if f.metadata
    }
