"""The cycles around a manager's strategy: when it is called, and with what.

Source: UnloadScheduler.execute, LoadSheddingTask.run 4.0.8; SHD-92 to SHD-95.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding.cluster import (
    BrokerId,
    BundleName,
    Millis,
    may_shed,
    remember_unloads,
    within_grace,
)
from evenkeel_engine.frame.clauses import states


class Outcome(Enum):
    """What becomes of a decision: it is carried out, or that fails, or it says that nothing is to
    be done.
    """

    DONE = "done"
    FAILS = "fails"
    SKIP = "skip"


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision of the strategy."""

    bundle: BundleName
    source: BrokerId
    destination: BrokerId | None
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Cycle:
    """One cycle: configuration, leader and brokers, and what the strategy would decide.

    It is at `now` (ms). `leads` null: the channel gives no answer, or the modular manager's
    metadata store is away; `available`, the number of brokers, null: the registry gives none.
    """

    now: Millis
    enabled: bool
    shedding_enabled: bool
    leads: bool | None
    available: int | None
    decided: tuple[Decided, ...]


@dataclass(frozen=True, slots=True)
class Unloads:
    """When bundles were unloaded, and when brokers last gave one away."""

    bundles: Mapping[BundleName, Millis] = field(default_factory=dict)
    brokers: Mapping[BrokerId, Millis] = field(default_factory=dict)


@states("SHD-92", "SHD-104", "SHD-105", "SHD-108")
def calls_strategy(cycle: Cycle) -> bool:
    """Whether the strategy is called: shedding is on, this broker leads, several are there."""
    on = cycle.enabled and cycle.shedding_enabled
    return on and bool(cycle.leads) and cycle.available is not None and may_shed(cycle.available)


@states("SHD-92")
def task_calls_strategy(before: Sequence[Cycle], cycle: Cycle, edition: Edition) -> bool:
    """The same of the modular manager's task, with the cycles before this one."""
    if edition.task_ends_without_store and any(earlier.leads is None for earlier in before):
        return False
    if cycle.leads is None:
        cycle = replace(cycle, leads=edition.task_goes_on_without_store)
    elif edition.former_leaders_shed:
        cycle = replace(cycle, leads=True)
    return calls_strategy(cycle)


@states("SHD-93", "SHD-94", "SHD-110")
def unloads_in_grace(unloads: Unloads, cycle: Cycle, grace_minutes: int) -> Unloads:
    """Earlier unloads, as the strategy gets them: of bundles, those in their grace period."""
    return replace(unloads, bundles=within_grace(unloads.bundles, cycle.now, grace_minutes))


@states("SHD-95", "SHD-106")
def select_executed(decided: Iterable[Decided]) -> tuple[Decided, ...]:
    """The decisions that are carried out, or are tried to be."""
    return tuple(decision for decision in decided if decision.outcome is not Outcome.SKIP)


@states("SHD-93", "SHD-94")
def note_unloads(unloads: Unloads, decided: Iterable[Decided], now: Millis) -> Unloads:
    """Bundles that were really unloaded, and the brokers that gave them away, are remembered."""
    done = [decision for decision in decided if decision.outcome is Outcome.DONE]
    sources = dict.fromkeys((decision.source for decision in done), now)
    bundles = remember_unloads(unloads.bundles, (decision.bundle for decision in done), now)
    return Unloads(bundles, {**unloads.brokers, **sources})
