"""LeastResourceUsageWithWeight of both managers."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar, Final

from evenkeel.properties.placement import trial_parts as parts
from evenkeel.properties.placement.judge_parts import (
    Chances,
    ExactNumber,
    breaking,
    breaks_or_not,
    choices_in,
    choices_observed,
    decimal,
    has_no_candidates,
    is_candidate,
    is_done,
    results_of,
    usage,
)
from evenkeel.properties.tolerance import SINGLE
from evenkeel.reference.edition import Edition
from evenkeel.reference.load.usage import Resource, Resources
from evenkeel.reference.placement import resource_usage
from evenkeel.reference.placement.arithmetic import Number, number
from evenkeel.reference.placement.resource_usage import UsageConfig, UsageReport
from evenkeel_engine.frame.errors import Breakage
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.draw import Draw, seldom_large, seldom_repeated
from evenkeel_engine.kit.exempt import Exempt
from evenkeel_engine.kit.formatting import display
from evenkeel_engine.kit.judge import decision
from evenkeel_engine.kit.observations import CommandBroke
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import Run
from evenkeel_engine.kit.trial import require


@dataclass(frozen=True, slots=True)
class Report:
    """A broker reports."""

    DO: ClassVar[str] = "report"
    broker: str
    report: UsageReport

    def __post_init__(self) -> None:
        parts.require_names("broker", [self.broker])
        parts.require_resources("report.resources", self.report.resources)
        few = 0 <= self.report.bundles <= parts.MOST_BUNDLES
        require(few, "report.bundles", f"must be 0 to {parts.MOST_BUNDLES}")
        parts.require_amount("report.rate_in", self.report.rate_in)
        parts.require_amount("report.rate_out", self.report.rate_out)


@dataclass(frozen=True, slots=True)
class Active:
    """These brokers are active now. Others are not, but may report and be candidates."""

    DO: ClassVar[str] = "active"
    brokers: tuple[str, ...]

    def __post_init__(self) -> None:
        parts.require_names("brokers", self.brokers)


@dataclass(frozen=True, slots=True)
class Ask:
    """Choose one of the candidates, which are different, for `times` bundles (1 to 1000)."""

    DO: ClassVar[str] = "ask"
    candidates: tuple[str, ...]
    times: int = 1

    def __post_init__(self) -> None:
        parts.require_names("candidates", self.candidates)
        parts.require_times(self.times)


UsageCommand = Report | Active | Ask


@dataclass(frozen=True, slots=True)
class ModularUsageTrial:
    """`placement.least_resource_usage_modular`: which brokers are chosen, given reports?"""

    config: UsageConfig
    commands: tuple[UsageCommand, ...]

    def __post_init__(self) -> None:
        parts.require_integer("config.difference", self.config.difference)
        parts.require_weights(self.config.weights)
        require(0 <= self.config.history <= 1, "config.history", "must be 0 to 1")


@dataclass(frozen=True, slots=True)
class UsedBroker:
    """A candidate and its usage in the load data (1 = 100 %); null without load data."""

    name: str
    usage: float | None

    def __post_init__(self) -> None:
        if self.usage is not None:
            parts.require_amount("usage", self.usage)
            require(self.usage < 1e12, "usage", "must be below 10^12")


@dataclass(frozen=True, slots=True)
class ExtensibleUsageTrial:
    """`placement.least_resource_usage_extensible`: which broker gets a bundle, request after
    request?

    Each request is for another bundle, and finds the same usages. `difference`: points below the
    mean. `candidates` are different; `times` (1 to 1000): the number of requests.
    """

    difference: int
    candidates: tuple[UsedBroker, ...]
    times: int

    def __post_init__(self) -> None:
        parts.require_integer("difference", self.difference)
        parts.require_names("candidates", [broker.name for broker in self.candidates])
        parts.require_times(self.times)


def draw_usage_report(draw: Draw, around: int) -> UsageReport:
    """A report; rarely of a broker without bundles or traffic."""
    idle = draw.integer(0, 9)
    return UsageReport(
        resources=parts.draw_resources(draw, around),
        bundles=0 if idle == 8 else draw.pick((1, 10)),
        rate_in=0.0 if idle == 9 else draw.pick((1.0, 0.0, 1000.0)),
        rate_out=0.0 if idle == 9 else draw.pick((1.0, 0.0, 0.5)),
    )


def tie_trial(draw: Draw) -> ModularUsageTrial:
    """A broker exactly `difference` points below the mean; other usages are whole percents."""
    difference = draw.pick((10, 0, 5, 20))
    tied = draw.integer(1, 30)
    others = [draw.integer(difference, 60) for _ in draw.items(3, 0.6, least=1)]
    count = len(others) + 2
    rest = count * (tied + difference) - tied - sum(others)
    usages = (tied, *others, max(rest, 0))
    commands: list[UsageCommand] = [
        Report(broker, UsageReport(Resources(cpu=Resource(float(used), 100.0)), 1, 1.0, 1.0))
        for broker, used in zip(parts.BROKERS, usages, strict=False)
    ]
    commands.append(Ask(parts.BROKERS[:count], parts.draw_times(draw)))
    return ModularUsageTrial(UsageConfig(difference), tuple(commands))


@seldom_repeated("commands", 0.06)
def modular_usage_trial(draw: Draw) -> ModularUsageTrial:
    """Reports, requests, brokers that leave; sometimes a tie."""
    if draw.chance(0.1):
        return tie_trial(draw)
    brokers = parts.draw_brokers(draw, least=1)
    around = draw.pick((50, 30, 85, 10))
    commands: list[UsageCommand] = [
        Report(broker, draw_usage_report(draw, around)) for broker in brokers
    ]
    commands.append(Ask(parts.draw_candidates(draw, brokers), parts.draw_times(draw, 0.015)))
    for _ in draw.items(10, 0.75):
        sort = draw.integer(0, 9)
        if sort < 5:
            commands.append(Report(draw.pick(brokers), draw_usage_report(draw, around)))
        elif sort < 9:
            commands.append(
                Ask(parts.draw_candidates(draw, brokers), parts.draw_times(draw, 0.003))
            )
        else:
            commands.append(Active(tuple(broker for broker in brokers if not draw.chance(0.3))))
    commands.append(Ask(brokers, 1))
    config = UsageConfig(
        parts.draw_difference(draw), draw.pick((0.9, 0.5, 0.0, 1.0, 0.1)), parts.draw_weights(draw)
    )
    return ModularUsageTrial(config, tuple(commands))


def draw_usage(draw: Draw) -> float | None:
    """A usage of the load data; rarely none."""
    sort = draw.integer(0, 9)
    if sort < 4:
        return draw.integer(0, 10) / 10
    if sort < 7:
        return draw.integer(0, 100) / 100
    if sort == 7:
        return None
    return draw.real(0.0, 1.2)


@seldom_large()
def extensible_usage_trial(draw: Draw, large: bool) -> ExtensibleUsageTrial:
    """Candidates, seldom many, with usages around their mean."""
    names = parts.draw_many_brokers(draw) if large else parts.draw_brokers(draw)
    candidates = tuple(UsedBroker(name, draw_usage(draw)) for name in names)
    return ExtensibleUsageTrial(parts.draw_difference(draw), candidates, parts.draw_times(draw))


def answer_modular_usage(trial: ModularUsageTrial, edition: Edition) -> parts.PlacementAnswer:
    """One result for each command."""
    history: dict[str, Number] = {}
    reports: dict[str, UsageReport] = {}
    results: list[parts.AskResult] = []
    turn = 0
    for command in trial.commands:
        if isinstance(command, Report):
            reports[command.broker] = command.report
            results.append(parts.Done())
        elif isinstance(command, Active):
            history = resource_usage.keep_active(history, command.brokers)
            results.append(parts.Done())
        else:
            choices: list[str | None] = []
            try:
                for _ in range(command.times):
                    usages = resource_usage.look(
                        history, command.candidates, reports, trial.config, edition
                    )
                    [allowed, *_] = resource_usage.allowed_sets(
                        command.candidates, usages, trial.config.difference, edition
                    )
                    choices.append(parts.choose(allowed, turn))
                    turn += 1
                results.append(parts.Chosen(tuple(choices)))
            except Breakage as error:
                results.append(CommandBroke(type(error).__name__))
    return parts.PlacementAnswer(tuple(results))


def answer_extensible_usage(trial: ExtensibleUsageTrial, edition: Edition) -> parts.ChoicesAnswer:
    """A choice for each request."""
    allowed = extensible_sets(trial, edition)[0]
    return parts.ChoicesAnswer(tuple(parts.choose(allowed, turn) for turn in range(trial.times)))


def extensible_sets(trial: ExtensibleUsageTrial, edition: Edition) -> tuple[tuple[str, ...], ...]:
    """The sets of allowed brokers of the extensible manager's strategy."""
    names = [broker.name for broker in trial.candidates]
    usages = {
        broker.name: number(broker.usage, edition)
        for broker in trial.candidates
        if broker.usage is not None
    }
    return resource_usage.allowed_sets(names, usages, trial.difference, edition)


def modular_usage_labels(trial: ModularUsageTrial) -> Iterator[str]:
    """Requests, and what happens between them."""
    if any(isinstance(command, Active) for command in trial.commands):
        yield "brokers leave"
    for command in trial.commands:
        if isinstance(command, Report) and command.report.idle:
            yield "an idle broker"
            break


def extensible_usage_labels(trial: ExtensibleUsageTrial) -> Iterator[str]:
    """Candidates and their load data."""
    yield from parts.times_labels(trial.times)
    known = [broker for broker in trial.candidates if broker.usage is not None]
    if len(known) < len(trial.candidates):
        yield "no load data" if not known else "some load data"


MANY: Final = 10
"""With more doubles than this, sums are not tried in every order, but bounded."""

Sets = list[frozenset[str]]


@lru_cache(512)
def sums(values: tuple[float, ...]) -> frozenset[float]:
    """Every sum of these sorted doubles, by some order of addition."""
    if not values:
        return frozenset((0.0,))
    return frozenset(
        before + value
        for place, value in enumerate(values)
        if not place or value != values[place - 1]
        for before in sums(values[:place] + values[place + 1 :])
    )


def means(values: Sequence[float], points: float) -> list[float]:
    """The mean by every order of addition that can make a difference."""
    count, total = len(values), sum(sorted(values))
    error = count * sys.float_info.epsilon * sum(map(abs, values))
    mean = total / count
    if not any(abs(value + points - mean) <= 2 * error for value in values):
        return [mean]
    if count > MANY:
        return [mean - error / count, mean, mean + error / count]
    return [one / count for one in sums(tuple(sorted(values)))]


def allowed_sets(
    candidates: Collection[str], usages: dict[str, ExactNumber], difference: int, edition: Edition
) -> Sets:
    """The brokers `points` or more below the mean, else all; several where the order decides."""
    if not usages:
        return [frozenset(candidates)]
    if edition.placement_in_floating_point:
        points = difference / 100.0
        values = [float(used) for used in usages.values()]
        found = [
            frozenset(b for b, used in usages.items() if used + points <= mean)
            for mean in means(values, points)
        ]
    else:
        total = sum(usages.values(), Fraction(0))
        least = total / len(usages) - Fraction(difference, 100)
        found = [frozenset(b for b, used in usages.items() if used <= least)]
    return list(dict.fromkeys(one or frozenset(candidates) for one in found))


def at_the_edge(usages: dict[str, ExactNumber], difference: int) -> bool:
    """Whether single precision can decide on which side of the mean a broker is."""
    values = [float(used) for used in usages.values()]
    least = sum(values) / len(values) - difference / 100.0 if values else 0.0
    return any(abs(used - least) < SINGLE for used in values)


@dataclass(slots=True)
class Known:
    """The state between two commands."""

    config: UsageConfig
    edition: Edition
    history: dict[str, ExactNumber] = field(default_factory=dict)
    present: dict[str, tuple[ExactNumber, bool]] = field(default_factory=dict)
    """Each broker's last report: its usage, and whether it is idle."""
    forgotten: set[str] = field(default_factory=set)
    vague: set[str] = field(default_factory=set)
    """Brokers that were looked at without a report: the documents do not say how they count, then
    and in their history."""
    without: dict[str, dict[str, ExactNumber]] = field(
        default_factory=lambda: {"PLC-13": {}, "PLC-14": {}}
    )
    """The histories of a balancer that breaks one of these clauses, and keeps what it forbids."""
    otherwise: dict[str, dict[str, ExactNumber]] = field(default_factory=dict)
    """What counts then at the last look."""

    def report(self, broker: str, report: UsageReport) -> None:
        idle = not report.bundles or report.rate_in == report.rate_out == 0
        self.present[broker] = (usage(report.resources, self.config.weights, self.edition), idle)

    def leave(self, active: Collection[str]) -> None:
        """Only these brokers remain."""
        inactive = self.history.keys() - set(active)
        self.forgotten |= inactive
        for broker in inactive:
            del self.history[broker]
            self.without["PLC-13"].pop(broker, None)
        self.vague.intersection_update(active)

    def clause(self, ask: Ask) -> str:
        """The clause that the next choice is judged by."""
        if not self.forgotten.isdisjoint(ask.candidates):
            return "PLC-14"
        known = [broker for broker in ask.candidates if broker in self.history]
        if any(broker in self.present and self.present[broker][1] for broker in known):
            return "PLC-13"
        return "PLC-12" if known else "PLC-10"

    def root(self, clause: str, ask: Ask, chosen: str | None, smoothed: bool) -> str:
        """The clause that a wrong choice breaks: one about what is forgotten only if its history
        would explain the choice.
        """
        for other, usages in self.otherwise.items():
            sets = allowed_sets(ask.candidates, usages, self.config.difference, self.edition)
            if any(chosen in allowed for allowed in sets):
                return other
        if clause not in self.without:
            return clause
        return "PLC-12" if smoothed else "PLC-10"

    def smooths(self, ask: Ask) -> bool:
        """Whether at the next look a history counts."""
        return any(
            broker in self.history and broker in self.present and not self.present[broker][1]
            for broker in ask.candidates
        )

    def look_without(self, clause: str, ask: Ask) -> dict[str, ExactNumber]:
        """The same look of a balancer that breaks a clause."""
        usages, history = dict[str, ExactNumber](), self.without[clause]
        for broker in ask.candidates:
            if broker in self.present:
                used, idle = self.present[broker]
                if broker in history and (not idle or clause == "PLC-13"):
                    used = self.smooth_usage(history[broker], used)
                history[broker] = usages[broker] = used
        return usages

    def look(self, ask: Ask) -> dict[str, ExactNumber]:
        """One more look at each candidate; 4.0 stops at one without a report."""
        self.otherwise = {clause: self.look_without(clause, ask) for clause in self.without}
        usages: dict[str, ExactNumber] = {}
        for broker in ask.candidates:
            if broker not in self.present:
                if self.edition.unreported_candidates_break:
                    return usages
                self.vague.add(broker)
                continue
            used, idle = self.present[broker]
            if idle:
                self.vague.discard(broker)
            elif broker in self.history:
                used = self.smooth_usage(self.history[broker], used)
            self.history[broker] = usages[broker] = used
        self.forgotten.difference_update(ask.candidates)
        return usages

    def smooth_usage(self, before: Any, used: Any) -> ExactNumber:
        weight = self.config.history
        if self.edition.placement_in_floating_point:
            smooth: ExactNumber = before * weight + (1 - weight) * used
        else:
            smooth = used + (before - used) * decimal(weight)
        return smooth


@decision(
    "placement.least_resource_usage_modular",
    "PLC-1", "PLC-3", "PLC-4", "PLC-5", "PLC-10", "PLC-11", "PLC-12", "PLC-13", "PLC-14",
    "PLC-53",
)  # fmt: skip
def judge_modular(run: Run, case: Case[ModularUsageTrial, parts.PlacementAnswer]) -> None:
    trial = case.trial
    known, chances = Known(trial.config, case.edition), Chances()
    results = results_of(run, case, len(trial.commands), breaking(case.edition))
    for command, result in zip(trial.commands, results, strict=False):
        if isinstance(command, Ask):
            judge_ask(run, known, command, result, chances)
            continue
        is_done(run, result, command)
        if isinstance(command, Report):
            known.report(command.broker, command.report)
        elif isinstance(command, Active):
            known.leave(command.brokers)
    chances.judge(run)


def judge_ask(run: Run, known: Known, ask: Ask, result: parts.AskResult, chances: Chances) -> None:
    edition = known.edition
    unknown = any(broker not in known.present for broker in ask.candidates)
    if breaks_or_not(run, edition, result, unknown and edition.unreported_candidates_break, ask):
        known.look(ask)
        return
    may_refuse = has_no_candidates(edition, ask.candidates)
    for chosen in choices_in(run, result, ask.times, ask, may_refuse):
        clause, smoothed = known.clause(ask), known.smooths(ask)
        usages = known.look(ask)
        if chooses_none(run, chosen, ask.candidates, usages):
            continue
        is_one = is_candidate(run, chosen, ask.candidates)
        difference, vague = known.config.difference, known.vague.intersection(ask.candidates)
        if is_one and vague and usages and vague.isdisjoint(usages):
            bounds = Fraction(0), max(Fraction(1), *usages.values())
            counts = [usages | dict.fromkeys(vague, bound) for bound in bounds]
            each = [allowed_sets(ask.candidates, one, difference, edition)[0] for one in counts]
            if not usages.keys().isdisjoint(each[0]) and each[0] != {*ask.candidates}:
                judge_choice(run, [each[1] | vague], ask.candidates, chosen, "PLC-12", "vague")
        if vague or not ask.candidates:
            continue
        sets = allowed_sets(ask.candidates, usages, difference, edition)
        run.note("usages {}; difference {}", usages, difference)
        kind = "choice"
        if at_the_edge(usages, difference):
            clause, kind = "PLC-10", "edge of the mean"
        elif not any(chosen in allowed for allowed in sets):
            clause = known.root(clause, ask, chosen, smoothed)
        judge_choice(run, sets, ask.candidates, chosen, clause, kind)
        if len(sets) == 1 and is_one:
            chances.see(tuple(sets[0]), chosen)


def chooses_none(
    run: Run, chosen: str | None, candidates: Collection[str], usages: dict[str, ExactNumber]
) -> bool:
    """PLC-11: whether no candidate is known, and none was chosen."""
    if chosen is not None or not candidates or usages:
        return False
    run.require("PLC-11", False, lambda: f"none chosen of {display(candidates)}", "nobody")
    return True


def judge_choice(
    run: Run,
    sets: Sets,
    candidates: Collection[str],
    chosen: str | None,
    clause: str,
    kind: str = "choice",
) -> None:
    """Judge one choice by the sets of allowed brokers."""
    everybody = sets == [frozenset(candidates)]
    run.require(
        "PLC-11" if everybody else clause,
        any(chosen in allowed for allowed in sets),
        lambda: (
            f"{chosen or 'none'} chosen of {display(candidates)}; "
            f"must be of {' or '.join(map(join, sets))}"
        ),
        "choice" if everybody else kind,
    )


def join(brokers: Collection[str]) -> str:
    return ", ".join(sorted(brokers))


@decision(
    "placement.least_resource_usage_extensible",
    "PLC-1", "PLC-3", "PLC-4", "PLC-10", "PLC-11", "PLC-15", "PLC-53",
)  # fmt: skip
def judge_extensible(run: Run, case: Case[ExtensibleUsageTrial, parts.ChoicesAnswer]) -> None:
    trial, edition, chances = case.trial, case.edition, Chances()
    names = [broker.name for broker in trial.candidates]
    usages: dict[str, ExactNumber] = {
        broker.name: broker.usage if edition.placement_in_floating_point else decimal(broker.usage)
        for broker in trial.candidates
        if broker.usage is not None
    }
    sets = allowed_sets(names, usages, trial.difference, edition)
    run.note("usages {}; difference {}", usages, trial.difference)
    answering = "PLC-1" if edition.unreported_candidates_break else "PLC-4"
    without_data_last = len(usages) < len(names) and frozenset(names) not in sets
    for chosen, times in Counter(choices_observed(run, case, trial.times, answering)).items():
        if chooses_none(run, chosen, names, usages):
            continue
        is_candidate(run, chosen, names)
        if not names:
            continue
        judge_choice(run, sets, names, chosen, "PLC-10")
        if without_data_last:
            known = chosen not in names or chosen in usages
            run.require("PLC-15", known, f"{chosen} chosen, without load data", "no load data")
        if len(sets) == 1 and chosen in sets[0]:
            chances.see(tuple(sets[0]), chosen, times)
    chances.judge(run)


MODULAR_USAGE: Final = Question(
    "placement.least_resource_usage_modular",
    ModularUsageTrial,
    parts.PlacementAnswer,
    modular_usage_trial,
    answer_modular_usage,
    modular_usage_labels,
    commands="commands",
    exempt=Exempt(
        subjects={
            "ignores Active after 25 commands": (
                "Seldom in long trials: the number of the profile ci detects it."
            )
        },
        unread={"memory": "LOA-3"},
    ),
)

EXTENSIBLE_USAGE: Final = Question(
    "placement.least_resource_usage_extensible",
    ExtensibleUsageTrial,
    parts.ChoicesAnswer,
    extensible_usage_trial,
    answer_extensible_usage,
    extensible_usage_labels,
)

QUESTIONS: Final[tuple[Question[Any, Any], ...]] = (MODULAR_USAGE, EXTENSIBLE_USAGE)
