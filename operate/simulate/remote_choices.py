"""A subject's placement strategies: one choice among the candidates that it is offered.

Each strategy is asked by the question of the chapter *placement* about it. Those with a memory are
given all that went before, in the order of time; where they chose at random, what they chose then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from evenkeel.operate.simulate.subject_calls import SubjectCalls
from evenkeel.properties.placement import planned, resource_usage
from evenkeel.properties.placement.message_rate import MessageRateTrial, RatedBroker
from evenkeel.properties.placement.round_robin import RoundRobinTrial, Turns
from evenkeel.properties.placement.trial_parts import ChoicesAnswer, Chosen, PlacementAnswer
from evenkeel.reference.balancing import placements
from evenkeel.reference.balancing.balancer import Placement
from evenkeel.reference.balancing.leader import View
from evenkeel.reference.balancing.settings import WEIGHTS
from evenkeel.reference.placement.planned import Statistics
from evenkeel.reference.placement.resource_usage import UsageReport
from evenkeel.reference.shedding.cluster import BrokerId, BundleName

RATE: Final = "placement.least_long_term_message_rate"
USAGE: Final = "placement.least_resource_usage_modular"
EXTENSIBLE: Final = "placement.least_resource_usage_extensible"
ROUND_ROBIN: Final = "placement.round_robin"
AVG: Final = "placement.avg_shedder"
Choice: TypeAlias = BrokerId | None
"""A broker, if one is chosen that is of use."""


Choose: TypeAlias = Callable[[BundleName, Sequence[BrokerId], View], Choice]
"""Chooses one of the brokers that it is offered for a bundle. Raises `SubjectFailed`."""


def only_choice(
    calls: SubjectCalls,
    name: str,
    trial: MessageRateTrial | resource_usage.ExtensibleUsageTrial,
    view: View,
) -> Choice:
    """The one choice that a trial asks for; None if there is none that is of use."""

    def wrong(answer: ChoicesAnswer) -> str | None:
        return no_choice(answer.choices, view)

    answer = calls.ask_judged(name, trial, wrong)
    return None if answer is None else name_choice(answer.choices)


def last_choice(
    calls: SubjectCalls,
    name: str,
    trial: resource_usage.ModularUsageTrial | RoundRobinTrial | planned.PlannedTrial,
    commands: int,
    view: View,
) -> Choice:
    """The choice of a trial's last command; None if there is none that is of use."""

    def wrong(answer: PlacementAnswer) -> str | None:
        if len(answer.results) != commands:
            return f"has {len(answer.results)} results, must have {commands}"
        last = answer.results[-1]
        return no_choice(last.choices, view) if isinstance(last, Chosen) else None

    answer = calls.ask_judged(name, trial, wrong)
    last = None if answer is None else answer.results[-1]
    return name_choice(last.choices) if isinstance(last, Chosen) else None


def no_choice(choices: Sequence[str | None], view: View) -> str | None:
    """Why these choices are not one that can be carried out."""
    if len(choices) != 1:
        return f"has {len(choices)} choices, must have 1"
    [chosen] = choices
    if chosen is None or chosen in view.active:
        return None
    return f"chooses {chosen}, which is no broker that is there"


def name_choice(choices: Sequence[str | None]) -> Choice:
    """The broker of the one choice."""
    [chosen] = choices
    return None if chosen is None else BrokerId(chosen)


def choose_by_rate(inner: placements.MessageRate, calls: SubjectCalls) -> Choose:
    """LeastLongTermMessageRate, which remembers nothing."""

    def choose(bundle: BundleName, offered: Sequence[BrokerId], view: View) -> Choice:
        brokers = tuple(RatedBroker(name, inner.report_of(name, view)) for name in offered)
        percent = inner.settings.overloaded_percent
        trial = MessageRateTrial(percent, WEIGHTS, brokers, tuple(offered), 1)
        return only_choice(calls, RATE, trial, view)

    return choose


def choose_by_usage(inner: placements.ExtensibleUsage, calls: SubjectCalls) -> Choose:
    """LeastResourceUsageWithWeight of the extensible manager, which remembers nothing."""

    def choose(bundle: BundleName, offered: Sequence[BrokerId], view: View) -> Choice:
        usages = inner.usages(view)
        candidates = tuple(resource_usage.UsedBroker(name, usages.get(name)) for name in offered)
        trial = resource_usage.ExtensibleUsageTrial(inner.settings.usage_difference, candidates, 1)
        return only_choice(calls, EXTENSIBLE, trial, view)

    return choose


def choose_in_turn(calls: SubjectCalls) -> Choose:
    """RoundRobinBrokerSelector, with all turns so far."""
    turns: list[Turns] = []

    def choose(bundle: BundleName, offered: Sequence[BrokerId], view: View) -> Choice:
        turns.append(Turns(tuple(offered), 1))
        return last_choice(calls, ROUND_ROBIN, RoundRobinTrial(0, tuple(turns)), len(turns), view)

    return choose


class RemoteUsage:
    """LeastResourceUsageWithWeight of the modular manager, with all looks and reports so far."""

    def __init__(self, inner: placements.ResourceUsage, calls: SubjectCalls) -> None:
        self._inner, self._calls = inner, calls
        self._active: tuple[BrokerId, ...] = ()
        self._reported: dict[BrokerId, UsageReport] = {}
        self._commands: list[resource_usage.UsageCommand] = []

    def choose(self, bundle: BundleName, offered: Sequence[BrokerId], view: View) -> Choice:
        """The subject's choice."""
        if view.active != self._active:
            self._active = view.active
            self._commands.append(resource_usage.Active(view.active))
        for name in offered:
            report = self._inner.report_of(name, view)
            if self._reported.get(name) != report:
                self._reported[name] = report
                self._commands.append(resource_usage.Report(name, report))
        self._commands.append(resource_usage.Ask(tuple(offered)))
        trial = resource_usage.ModularUsageTrial(self._inner.usage, tuple(self._commands))
        return last_choice(self._calls, USAGE, trial, len(self._commands), view)


class RemotePlan:
    """AvgShedder as placement, with all that was planned and placed so far.

    Its statistics are numbers that are equal where averages are: nothing else of them counts.
    """

    def __init__(self, inner: placements.AvgPlacement, calls: SubjectCalls) -> None:
        self._inner = inner
        self._plans = inner.plans
        self._calls = calls
        self._puts = 0
        self._first: dict[str, Statistics] = {}
        self._reported: dict[str, Statistics] = {}
        self._commands: list[planned.PlannedCommand] = []

    def choose(self, bundle: BundleName, offered: Sequence[BrokerId], view: View) -> Choice:
        """The subject's choice. In 4.0 it becomes the plan, so it is reported as one later."""
        for put in self._plans.puts[self._puts :]:
            self._tell(put.now)
            self._commands.append(planned.PlanMove(put.bundle, put.broker, put.source))
        self._puts = len(self._plans.puts)
        self._tell(self._plans.now(view, bundle))
        full = tuple(name for name in offered if name in self._inner.full(offered, view))
        place = planned.Place(bundle, tuple(offered), full, self._plans.is_over(view))
        bundles = tuple(planned.KnownBundle(name, known) for name, known in self._first.items())
        commands = (*self._commands, place)
        trial = planned.PlannedTrial(bundles, commands)
        chosen = last_choice(self._calls, AVG, trial, len(commands), view)
        if not self._calls.edition.random_choices_planned:
            self._commands.append(place)
        elif chosen is not None:
            self._commands.append(planned.PlanMove(bundle, chosen))
        return chosen

    def _tell(self, now: Mapping[str, Statistics]) -> None:
        """Bundles whose statistics are others than they were."""
        for name, statistics in sorted(now.items()):
            if name not in self._reported:
                self._first[name] = statistics
            elif self._reported[name] != statistics:
                self._commands.append(planned.Update(name, statistics))
            self._reported[name] = statistics


def strategy_of(inner: Placement, calls: SubjectCalls) -> Choose:
    """The subject's strategy of the same name."""
    match inner:
        case placements.MessageRate():
            return choose_by_rate(inner, calls)
        case placements.ResourceUsage():
            return RemoteUsage(inner, calls).choose
        case placements.RoundRobin():
            return choose_in_turn(calls)
        case placements.AvgPlacement():
            return RemotePlan(inner, calls).choose
        case placements.ExtensibleUsage():
            return choose_by_usage(inner, calls)
        case _:
            raise TypeError(f"{type(inner).__name__} is no placement a subject can be asked for")
