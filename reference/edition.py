"""Editions: where the documents and the shipped code disagree, one named switch each.

The reference is one model. `DOCUMENTED` is what the documents promise, `PULSAR_4_0` what Apache
Pulsar's 4.0 line does: the base editions. The others are released lines (`reference/editions/`, a
file for each edition). The switches are in `reference/switches/`, a file for each chapter.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from evenkeel.reference import editions
from evenkeel.reference.switches.balancing import BalancingSwitches
from evenkeel.reference.switches.bundles import BundlesSwitches
from evenkeel.reference.switches.load import LoadSwitches
from evenkeel.reference.switches.ownership import OwnershipSwitches
from evenkeel.reference.switches.placement import PlacementSwitches
from evenkeel.reference.switches.scaling import ScalingSwitches
from evenkeel.reference.switches.shedding import SheddingSwitches
from evenkeel.reference.switches.splitting import SplittingSwitches
from evenkeel.reference.switches.throttling import ThrottlingSwitches
from evenkeel_engine.frame import edition as frame


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
    frame.Edition,
):
    """A frozen record of all switches."""


LINES: Final = frame.find_lines(editions, Edition)
"""What the files of editions say, by the edition's name."""
EDITIONS: Final = frame.make_editions(Edition, LINES)
BASE_EDITIONS: Final = {name: one for name, one in EDITIONS.items() if one.parent is None}
"""Those that everything is checked in; the others are checked where they differ from a parent."""
DOCUMENTED: Final = EDITIONS["DOCUMENTED"]
PULSAR_4_0: Final = EDITIONS["PULSAR_4_0"]
