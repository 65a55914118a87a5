"""All mutants that are not sampled: those in the files of the chapters, and the switches."""

from __future__ import annotations

from typing import Final

from evenkeel_engine import spec
from evenkeel_engine.mutation import switches
from evenkeel_engine.mutation.mutant import Mutant
from evenkeel_engine.mutation.patches import patches_of

MUTANTS: Final[tuple[Mutant, ...]] = (
    *(one for chapter in spec.CHAPTERS for one in patches_of(chapter)),
    *(one for chapter in spec.CHAPTERS for one in switches.mutants_of(chapter)),
)
BY_NAME: Final = {mutant.name: mutant for mutant in MUTANTS}
DEFECTS: Final = [mutant for mutant in MUTANTS if not mutant.conforming]
CONFORMING: Final = [mutant for mutant in MUTANTS if mutant.conforming]
