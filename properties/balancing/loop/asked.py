"""Rounds of the loop as trials of the chapter *shedding*, whose clauses judge decisions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from evenkeel.properties.shedding.avg.trial import AvgTrial
from evenkeel.properties.shedding.overload.trial import OverloadTrial
from evenkeel.properties.shedding.rounds import (
    AveragedBundle,
    ModularRound,
    ReportedBroker,
    Unloaded,
)
from evenkeel.properties.shedding.threshold.trial import Membership, ThresholdTrial
from evenkeel.properties.shedding.transfer.trial import TransferTrial
from evenkeel.properties.shedding.uniform.trial import UniformTrial
from evenkeel.reference.balancing.leader import View
from evenkeel.reference.balancing.settings import Settings, Strategy
from evenkeel.reference.settings import rules_from
from evenkeel.reference.shedding.avg import AvgRules
from evenkeel.reference.shedding.cluster import BundleName
from evenkeel.reference.shedding.overload import OverloadRules
from evenkeel.reference.shedding.threshold import ThresholdRules
from evenkeel.reference.shedding.transfer import TransferRules, TransferView
from evenkeel.reference.shedding.uniform import UniformRules

MODULAR: Final[dict[Strategy, tuple[type[Any], type[Any]]]] = {
    Strategy.OVERLOAD: (OverloadTrial, OverloadRules),
    Strategy.THRESHOLD: (ThresholdTrial, ThresholdRules),
    Strategy.UNIFORM: (UniformTrial, UniformRules),
    Strategy.AVG: (AvgTrial, AvgRules),
}


@dataclass(frozen=True, slots=True)
class Seen:
    """One round so far: what the leader knew, and what was to be moved."""

    view: View
    wanted: tuple[BundleName, ...]
    failing: tuple[BundleName, ...] = ()


def question_of(strategy: Strategy) -> str:
    """The question that a shedding strategy is asked by."""
    return f"shedding.{strategy}"


def modular_trial(strategy: Strategy, settings: Settings, past: Sequence[Seen]) -> Any:
    """The rounds of a leader so far as a trial of a modular shedder. What was unloaded before the
    first of them a new leader still knows, where it knows it at all (BAL-4).
    """
    kind, rules = MODULAR[strategy]
    more: dict[str, Any] = {}
    if strategy is Strategy.THRESHOLD:
        there = (Membership(place, seen.view.active) for place, seen in enumerate(past))
        more["memberships"] = tuple(there)
    before = past[0].view.cluster.recently_unloaded if past else {}
    return kind(
        config=rules_from(rules, settings),
        recently_unloaded=tuple(Unloaded(bundle, at) for bundle, at in before.items()),
        rounds=tuple(map(round_of, past)),
        **more,
    )


def round_of(seen: Seen) -> ModularRound:
    """One round. A late report may name a bundle that another broker's report has by now."""
    cluster = seen.view.cluster
    return ModularRound(
        seen.view.now,
        tuple(
            ReportedBroker(broker, report.resources, report.traffic, report.bundles)
            for broker, report in cluster.brokers.items()
        ),
        tuple(
            AveragedBundle(bundle, load.short_term, load.long_term)
            for bundle, load in cluster.bundles.items()
        ),
        tuple(seen.failing),
    )


def transfer_trial(settings: Settings, views: Sequence[TransferView]) -> TransferTrial:
    """The same of TransferShedder."""
    return TransferTrial(config=rules_from(TransferRules, settings), rounds=tuple(views))
