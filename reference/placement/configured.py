"""Which placement a manager runs (PLC-6, PLC-50, PLC-51)."""

from __future__ import annotations

from enum import StrEnum

from evenkeel.reference.edition import Edition
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.errors import Refusal


class Placing(StrEnum):
    """The placement strategies by the names of Pulsar's classes."""

    MESSAGE_RATE = "LeastLongTermMessageRate"
    RESOURCE_USAGE = "LeastResourceUsageWithWeight"
    ROUND_ROBIN = "RoundRobinBrokerSelector"
    AVG = "AvgShedder"


class NotAlone(Refusal):
    """AvgShedder is configured to place what another strategy sheds."""


@states("PLC-6", "PLC-50", "PLC-51")
def places(
    extensible: bool, avg_sheds: bool, configured: Placing | None, edition: Edition
) -> Placing:
    """The placement that runs where this is configured to place; `avg_sheds`: AvgShedder to shed.

    Raises `NotAlone`: AvgShedder places only if it sheds, too, and in some editions never.

    Source: Pulsar `ModularLoadManagerImpl.initialize`, `ModularLoadManagerStrategy.create`,
    `ExtensibleLoadManagerImpl.createBrokerSelectionStrategy` 4.0.8.
    """
    if extensible:
        return Placing.RESOURCE_USAGE
    usual = Placing.AVG if edition.avg_shedder_by_default else Placing.MESSAGE_RATE
    placing = usual if configured is None else configured
    if placing is Placing.AVG and edition.planned_placement_refused:
        raise NotAlone("AvgShedder is compared with the setting of another manager")
    if placing is Placing.AVG and not avg_sheds:
        if edition.lone_planned_placement_replaced:
            return Placing.MESSAGE_RATE
        raise NotAlone("AvgShedder cannot place what another strategy sheds")
    return placing
