"""Which strategies a manager runs: to shed (BAL-23 to BAL-25), to place (PLC-6, PLC-50, PLC-51)."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from evenkeel.reference.clauses import states
from evenkeel.reference.edition import Edition
from evenkeel.reference.errors import Breakage, Refusal


class Shedding(StrEnum):
    """The shedding strategies by the names of Pulsar's classes."""

    OVERLOAD = "OverloadShedder"
    THRESHOLD = "ThresholdShedder"
    UNIFORM = "UniformLoadShedder"
    TRANSFER = "TransferShedder"
    AVG = "AvgShedder"


class Placing(StrEnum):
    """The placement strategies by the names of Pulsar's classes."""

    MESSAGE_RATE = "LeastLongTermMessageRate"
    RESOURCE_USAGE = "LeastResourceUsageWithWeight"
    ROUND_ROBIN = "RoundRobinBrokerSelector"
    AVG = "AvgShedder"


EXTENSIBLE: Final = (Shedding.TRANSFER,)
"""The strategies of the extensible manager; all others are those of the modular one."""


class NotAvailable(Refusal):
    """The manager does not have the strategy that is configured."""


class NotMade(Breakage):
    """What is configured is no class that the manager can make."""


@states("BAL-23")
def has(extensible: bool, strategy: Shedding) -> bool:
    """Whether a manager has a strategy."""
    return (strategy in EXTENSIBLE) is extensible


@states("BAL-24")
def usual(extensible: bool) -> Shedding:
    """What sheds where nobody configured anything."""
    return Shedding.TRANSFER if extensible else Shedding.THRESHOLD


@states("BAL-23", "BAL-25")
def sheds(extensible: bool, configured: Shedding | None, edition: Edition) -> Shedding:
    """The strategy that runs. Raises `NotAvailable`, or in some editions `NotMade`.

    Source: Pulsar `ModularLoadManagerImpl.createLoadSheddingStrategy`,
    `UnloadScheduler.createNamespaceUnloadStrategy` 4.0.8.
    """
    if configured is None:
        return usual(extensible)
    if has(extensible, configured):
        return configured
    sentence = f"{configured} is none of this manager's strategies"
    if not edition.strategies_made_by_name:
        raise NotAvailable(sentence)
    if not extensible:
        raise NotMade(sentence)
    return Shedding.TRANSFER


@states("PLC-6", "PLC-50", "PLC-51")
def places(extensible: bool, shedding: Shedding | None, configured: Placing | None) -> Placing:
    """The placement that runs where this is configured to shed, and that to place.

    Raises `NotAvailable`: AvgShedder places only if it sheds, too.

    Source: Pulsar `ModularLoadManagerImpl.initialize`, `ModularLoadManagerStrategy.create`,
    `ExtensibleLoadManagerImpl.createBrokerSelectionStrategy` 4.0.8.
    """
    if extensible:
        return Placing.RESOURCE_USAGE
    placing = Placing.MESSAGE_RATE if configured is None else configured
    if placing is Placing.AVG and shedding is not Shedding.AVG:
        raise NotAvailable("AvgShedder cannot place what another strategy sheds")
    return placing
