"""Which shedding strategy a manager runs (BAL-23 to BAL-25, BAL-30, BAL-31)."""

from __future__ import annotations

from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding.strategies import EXTENSIBLE, Shedding
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.errors import Breakage, Refusal


class NotAvailable(Refusal):
    """The manager does not have the strategy that is configured."""


class NotMade(Breakage):
    """What is configured is no class that the manager can make."""


@states("BAL-23")
def has(extensible: bool, strategy: Shedding) -> bool:
    """Whether a manager has a strategy."""
    return (strategy in EXTENSIBLE) is extensible


@states("BAL-24")
def usual(extensible: bool, edition: Edition) -> Shedding:
    """The strategy that sheds by default."""
    if extensible:
        return Shedding.TRANSFER
    return Shedding.AVG if edition.avg_shedder_by_default else Shedding.THRESHOLD


@states("BAL-23", "BAL-25")
def sheds(extensible: bool, configured: Shedding | None, edition: Edition) -> Shedding:
    """The strategy that runs. Raises `NotAvailable`, or in some editions `NotMade`.

    Source: Pulsar `ModularLoadManagerImpl.createLoadSheddingStrategy`,
    `UnloadScheduler.createNamespaceUnloadStrategy` 4.0.8.
    """
    if configured is None:
        return usual(extensible, edition)
    if has(extensible, configured):
        return configured
    sentence = f"{configured} is none of this manager's strategies"
    if not edition.strategies_made_by_name:
        raise NotAvailable(sentence)
    if extensible:
        return Shedding.TRANSFER
    if edition.unknown_shedder_replaced:
        return Shedding.OVERLOAD
    raise NotMade(sentence)


@states("BAL-30", "BAL-31")
def runs_instead(why: Refusal | Breakage, edition: Edition) -> str:
    """What a broker runs whose manager cannot be made. It stops in most editions: raises `why`.

    Source: Pulsar `LoadManager.create` 4.0.8.
    """
    if edition.simple_manager_instead:
        return "SimpleLoadManagerImpl"
    raise why
