"""The shedding strategies, and which manager has them."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Shedding(StrEnum):
    """The shedding strategies by the names of Pulsar's classes."""

    OVERLOAD = "OverloadShedder"
    THRESHOLD = "ThresholdShedder"
    UNIFORM = "UniformLoadShedder"
    TRANSFER = "TransferShedder"
    AVG = "AvgShedder"


EXTENSIBLE: Final = (Shedding.TRANSFER,)
"""The strategies of the extensible manager; all others are those of the modular one."""
MODULAR: Final = tuple(
    f"shedding.{one.removesuffix('Shedder').removesuffix('Load').lower()}"
    for one in Shedding
    if one not in EXTENSIBLE
)
"""The questions about the others."""
