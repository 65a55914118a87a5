"""Which manager a broker runs, and which strategy that (BAL-23 to BAL-25, BAL-30 to BAL-34)."""

from __future__ import annotations

from typing import Final

from evenkeel.reference import java_text
from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding.strategies import EXTENSIBLE, Shedding
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.errors import Breakage, Refusal

PACKAGE: Final = "org.apache.pulsar.broker.loadbalance."
USUAL: Final = f"{PACKAGE}impl.ModularLoadManagerImpl"
SIMPLE: Final = f"{PACKAGE}impl.SimpleLoadManagerImpl"
MANAGERS: Final = (
    USUAL,
    SIMPLE,
    f"{PACKAGE}extensions.ExtensibleLoadManagerImpl",
    f"{PACKAGE}NoopLoadManager",
)


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


@states("BAL-32", "BAL-33", "BAL-34")
def counts(text: str | None, by_program: bool, edition: Edition) -> str:
    """The class that counts as named: a blank name is none, and broker.conf is read without spaces.

    Source: Pulsar `FieldParser.update`, `LoadManager.create` 4.0.8.
    """
    if text is None or java_text.is_blank(text):
        return SIMPLE if by_program and edition.simple_manager_unnamed else USUAL
    return text if by_program else java_text.trim(text)


@states("BAL-33")
def throws_unnamed(text: str | None, by_program: bool, edition: Edition) -> bool:
    """Whether a class of no name is looked for."""
    unnamed = by_program and (text is None or java_text.is_blank(text))
    return unnamed and edition.unnamed_manager_throws


@states("BAL-30", "BAL-31")
def manager(name: str) -> str:
    """The manager of this class. Raises `NotMade`: there is none.

    Source: Pulsar `LoadManager.create` 4.2.4.
    """
    if name not in MANAGERS:
        raise NotMade(f"{name} is no load manager")
    return name.rpartition(".")[2]


@states("BAL-30", "BAL-31")
def runs_instead(why: Refusal | Breakage, edition: Edition) -> str:
    """What a broker runs whose manager cannot be made. It stops in most editions: raises `why`.

    Source: Pulsar `LoadManager.create` 4.0.8.
    """
    if edition.simple_manager_instead:
        return "SimpleLoadManagerImpl"
    raise why
