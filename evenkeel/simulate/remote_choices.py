"""A subject's placement strategies: one choice among the candidates that it is offered.

Each strategy is asked by the question of the chapter *placement* about it. Those with a memory are
told all that went before, in the order of time; where they chose at random, what they chose then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from evenkeel.properties.placement.trials_strategies import (
    Active,
    Ask,
    AsksAnswer,
    Chosen,
    ExtensibleUsageTrial,
    KnownBundle,
    MessageRateTrial,
    ModularUsageTrial,
    Place,
    PlanMove,
    PlannedCommand,
    PlannedTrial,
    RatedBroker,
    Report,
    RoundRobinTrial,
    Turns,
    Update,
    UsageCommand,
    UsedBroker,
)
from evenkeel.reference.balancing.balancer import Placement
from evenkeel.reference.balancing.leader import View
from evenkeel.reference.balancing.placements import (
    AvgPlacement,
    ExtensibleUsage,
    MessageRate,
    ResourceUsage,
    RoundRobin,
)
from evenkeel.reference.balancing.settings import WEIGHTS
from evenkeel.reference.placement.planned import Statistics
from evenkeel.reference.placement.resource_usage import UsageReport
from evenkeel.reference.shedding.cluster import BrokerId, BundleName
from evenkeel.simulate.asking import Asking

RATE: Final = "placement.least_long_term_message_rate"
USAGE: Final = "placement.least_resource_usage_modular"
EXTENSIBLE: Final = "placement.least_resource_usage_extensible"
ROUND_ROBIN: Final = "placement.round_robin"
AVG: Final = "placement.avg_shedder"


class RemoteStrategy(Protocol):
    """Chooses one of the brokers that it is offered."""

    def choose(
        self, bundle: BundleName, offered: Sequence[BrokerId], view: View
    ) -> BrokerId | None:
        """The subject's choice. Raises `SubjectFailed`."""


def last_of(answer: AsksAnswer) -> BrokerId | None:
    """The choice that the last command of a trial was answered with."""
    result = answer.results[-1] if answer.results else None
    if not isinstance(result, Chosen) or not result.choices or result.choices[-1] is None:
        return None
    return BrokerId(result.choices[-1])


class RemoteRate:
    """LeastLongTermMessageRate, which remembers nothing."""

    def __init__(self, inner: MessageRate, asking: Asking) -> None:
        self._inner = inner
        self._asking = asking

    def choose(
        self, bundle: BundleName, offered: Sequence[BrokerId], view: View
    ) -> BrokerId | None:
        """The subject's choice."""
        brokers = tuple(RatedBroker(name, self._inner.report_of(name, view)) for name in offered)
        percent = self._inner.settings.overloaded_percent
        trial = MessageRateTrial(percent, WEIGHTS, brokers, tuple(offered), 1)
        [chosen] = self._asking.judged(RATE, trial).choices or [None]
        return None if chosen is None else BrokerId(chosen)


class RemoteExtensibleUsage:
    """LeastResourceUsageWithWeight of the extensible manager, which remembers nothing."""

    def __init__(self, inner: ExtensibleUsage, asking: Asking) -> None:
        self._inner = inner
        self._asking = asking

    def choose(
        self, bundle: BundleName, offered: Sequence[BrokerId], view: View
    ) -> BrokerId | None:
        """The subject's choice."""
        usages = self._inner.usages(view)
        candidates = tuple(UsedBroker(name, usages.get(name)) for name in offered)
        trial = ExtensibleUsageTrial(self._inner.settings.usage_difference, candidates, 1)
        [chosen] = self._asking.judged(EXTENSIBLE, trial).choices or [None]
        return None if chosen is None else BrokerId(chosen)


class RemoteUsage:
    """LeastResourceUsageWithWeight of the modular manager, with all looks and reports so far."""

    def __init__(self, inner: ResourceUsage, asking: Asking) -> None:
        self._inner = inner
        self._asking = asking
        self._active: tuple[BrokerId, ...] = ()
        self._told: dict[BrokerId, UsageReport] = {}
        self._commands: list[UsageCommand] = []

    def choose(
        self, bundle: BundleName, offered: Sequence[BrokerId], view: View
    ) -> BrokerId | None:
        """The subject's choice."""
        if view.active != self._active:
            self._active = view.active
            self._commands.append(Active(view.active))
        for name in offered:
            report = self._inner.report_of(name, view)
            if self._told.get(name) != report:
                self._told[name] = report
                self._commands.append(Report(name, report))
        self._commands.append(Ask(tuple(offered)))
        trial = ModularUsageTrial(self._inner.usage, tuple(self._commands))
        return last_of(self._asking.judged(USAGE, trial))


class RemoteTurns:
    """RoundRobinBrokerSelector, with all turns so far."""

    def __init__(self, asking: Asking) -> None:
        self._asking = asking
        self._turns: list[Turns] = []

    def choose(
        self, bundle: BundleName, offered: Sequence[BrokerId], view: View
    ) -> BrokerId | None:
        """The subject's choice."""
        self._turns.append(Turns(tuple(offered), 1))
        trial = RoundRobinTrial(0, tuple(self._turns))
        return last_of(self._asking.judged(ROUND_ROBIN, trial))


class RemotePlan:
    """AvgShedder as placement, with all that was planned and placed so far.

    Its statistics are numbers that are equal where averages are: nothing else of them counts.
    """

    def __init__(self, inner: AvgPlacement, asking: Asking) -> None:
        self._plans = inner.plans
        self._asking = asking
        self._puts = 0
        self._first: dict[str, Statistics] = {}
        self._told: dict[str, Statistics] = {}
        self._commands: list[PlannedCommand] = []

    def choose(
        self, bundle: BundleName, offered: Sequence[BrokerId], view: View
    ) -> BrokerId | None:
        """The subject's choice. In 4.0 it becomes the plan, so it is told as one later."""
        for put in self._plans.puts[self._puts :]:
            self._tell(put.now)
            self._commands.append(PlanMove(put.bundle, put.broker))
        self._puts = len(self._plans.puts)
        self._tell(self._plans.now(view, bundle))
        place = Place(bundle, tuple(offered))
        bundles = tuple(KnownBundle(name, known) for name, known in self._first.items())
        trial = PlannedTrial(bundles, (*self._commands, place))
        chosen = last_of(self._asking.judged(AVG, trial))
        if not self._asking.edition.plans_keyed_by_value:
            self._commands.append(place)
        elif chosen is not None:
            self._commands.append(PlanMove(bundle, chosen))
        return chosen

    def _tell(self, now: Mapping[str, Statistics]) -> None:
        """Bundles whose statistics are others than they were."""
        for name, statistics in sorted(now.items()):
            if name not in self._told:
                self._first[name] = statistics
            elif self._told[name] != statistics:
                self._commands.append(Update(name, statistics))
            self._told[name] = statistics


def strategy_of(inner: Placement, asking: Asking) -> RemoteStrategy:
    """The subject's strategy of the same name."""
    match inner:
        case MessageRate():
            return RemoteRate(inner, asking)
        case ResourceUsage():
            return RemoteUsage(inner, asking)
        case RoundRobin():
            return RemoteTurns(asking)
        case AvgPlacement():
            return RemotePlan(inner, asking)
        case ExtensibleUsage():
            return RemoteExtensibleUsage(inner, asking)
        case _:
            raise TypeError(f"{type(inner).__name__} is no placement a subject can be asked for")
