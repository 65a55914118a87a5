"""A modular broker's reports (LOA-32 to LOA-39)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from evenkeel.properties.load import trial_parts as parts
from evenkeel.properties.load.judge_parts import (
    EDGE,
    close_traffic,
    largest_change,
    sums,
    usage_in_doubles,
)
from evenkeel.properties.usage import UNWEIGHTED
from evenkeel.reference.edition import Edition
from evenkeel.reference.load import report as reports
from evenkeel.reference.load.report import MINUTE, ModularReporter, ReportRules, Seconds
from evenkeel.reference.load.statistics import BundleStatistics
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.load.usage import Resource, Resources
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.draw import Draw, seldom_large, seldom_repeated
from evenkeel_engine.kit.exempt import Exempt
from evenkeel_engine.kit.formatting import display
from evenkeel_engine.kit.judge import monitor, pair_results, require_results
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import MonitorRun
from evenkeel_engine.kit.trial import require


@dataclass(frozen=True, slots=True)
class Check:
    """A modular broker measures, and checks whether a report is due.

    `after`: the seconds (at most 10^6) that pass before. `force`: a report is to be written anyway.
    `connected`: the metadata store can be reached. `store_fails`: it fails to write.
    """

    after: int
    resources: Resources
    bundles: tuple[BundleStatistics, ...]
    force: bool
    connected: bool
    store_fails: bool

    def __post_init__(self) -> None:
        parts.require_after(self.after)
        parts.require_resources("resources", self.resources)
        parts.require_bundles("bundles", self.bundles)
        for name in ("topics", "producers", "consumers"):
            number = sum(getattr(bundle, name) for bundle in self.bundles)
            require(number < 2**31, "bundles", f"must have less than 2^31 {name} together")


@dataclass(frozen=True, slots=True)
class ModularReportTrial:
    """`load.report_modular`: when does a broker write its report, and what is in it?

    The broker starts at 0 s; its first report, which is empty, counts as written then.
    `rules.history` has no effect here.
    """

    rules: ReportRules
    commands: tuple[Check, ...]

    def __post_init__(self) -> None:
        parts.require_rules(self.rules)


@dataclass(frozen=True, slots=True)
class Checked:
    """Whether a report was sent to the store, and its content, or what it would be.

    `gained` and `lost` are the bundles, by name, since the last report that was written;
    what came and went since then is in both.
    """

    sent: bool
    traffic: Traffic
    topics: int
    bundles: int
    producers: int
    consumers: int
    gained: tuple[str, ...]
    lost: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ModularReportAnswer:
    """One result for each command."""

    results: tuple[Checked, ...]


def draw_bundle(draw: Draw, bundle: str, unit: float) -> BundleStatistics:
    """A bundle's measurements."""
    clients = draw.integer(0, 3)
    return BundleStatistics(
        bundle, parts.draw_level(draw, unit), draw.integer(0, 3), clients, clients
    )


def change_bundles(
    draw: Draw, bundles: tuple[BundleStatistics, ...], names: Sequence[str]
) -> tuple[BundleStatistics, ...]:
    """As before, or other bundles, or the same ones with another load."""
    if draw.chance(0.5):
        return bundles
    if draw.chance(0.5):
        return tuple(draw_bundle(draw, bundle.bundle, 1.0) for bundle in bundles)
    known = {bundle.bundle: bundle for bundle in bundles}
    return tuple(known.get(name) or draw_bundle(draw, name, 1.0) for name in draw.sample(names, 6))


@seldom_repeated("commands")
@seldom_large()
def report_modular_trial(draw: Draw, large: bool) -> ModularReportTrial:
    """Checks before which nothing, little, or much has changed; seldom of many bundles."""
    names: Sequence[str] = parts.draw_many(draw, parts.MANY_BUNDLES) if large else parts.BUNDLES
    rules, commands = parts.draw_rules(draw), []
    resources = Resources(cpu=Resource(50.0, 100.0))
    bundles = tuple(
        draw_bundle(draw, name, 1.0) for name in (names if large else draw.sample(parts.BUNDLES, 4))
    )
    for _ in draw.items(4 if large else 10, 0.85, least=1):
        resources = parts.draw_resources(draw, resources)
        bundles = change_bundles(draw, bundles, names)
        commands.append(
            Check(
                parts.draw_after(draw, rules),
                resources,
                bundles,
                force=draw.chance(0.1),
                connected=not draw.chance(0.1),
                store_fails=draw.chance(0.1),
            )
        )
    if weighing := parts.draw_weighing(draw):
        rules = replace(rules, weights=weighing.weights)
        commands = [replace(one, resources=weighing.of(one.resources)) for one in commands]
    return ModularReportTrial(rules, tuple(commands))


def answer_report_modular(trial: ModularReportTrial, edition: Edition) -> ModularReportAnswer:
    """The results of all checks."""
    reporter, at, results = ModularReporter(), 0, []
    for command in trial.commands:
        at += command.after
        reporter, result = check_modular(reporter, command, at, trial.rules, edition)
        results.append(result)
    return ModularReportAnswer(tuple(results))


def check_modular(
    reporter: ModularReporter, check: Check, at: Seconds, rules: ReportRules, edition: Edition
) -> tuple[ModularReporter, Checked]:
    """One check: the reporter afterwards, and the result."""
    now = reports.local_report(check.resources, check.bundles, rules.weights, edition)
    reporter = reports.measure(reporter, check.bundles)
    due = reports.modular_due(reporter, now, at, rules)
    sent = reports.sends(due, check.force, check.connected)
    result = Checked(
        sent=sent,
        traffic=now.traffic,
        topics=now.topics,
        bundles=now.bundles,
        producers=now.producers,
        consumers=now.consumers,
        gained=tuple(sorted(reporter.gained)),
        lost=tuple(sorted(reporter.lost)),
    )
    if sent and check.store_fails:
        reporter = reports.modular_failed(reporter, at, edition)
    elif sent:
        reporter = reports.modular_written(reporter, now, at)
    return reporter, result


def report_modular_labels(trial: ModularReportTrial) -> Iterator[str]:
    """What fails."""
    if any(command.store_fails for command in trial.commands):
        yield "a write fails"
    if any(not command.connected for command in trial.commands):
        yield "not connected"


class Report(NamedTuple):
    """A report's content: the score, traffic, and the numbers of topics, bundles and clients."""

    score: float = 0.0
    traffic: Traffic = Traffic()
    bundles: int = 0
    topics: int = 0
    producers: int = 0
    consumers: int = 0


@dataclass(slots=True)
class JudgeState:
    """The last report that was written, its time, and what happened since."""

    at: int = 0
    written: Report = Report()
    written_at: int = 0
    failed: bool = False
    bundles: frozenset[str] = frozenset()
    gained: set[str] = field(default_factory=set)
    lost: set[str] = field(default_factory=set)


@monitor("load.report_modular", *(f"LOA-{number}" for number in range(32, 40)))
def judge_report_modular(
    run: MonitorRun, case: Case[ModularReportTrial, ModularReportAnswer]
) -> None:
    trial, state = case.trial, JudgeState()
    for check, result in pair_results(run, "LOA-34", case, "the broker"):
        state.at += check.after
        now = report_of(check, trial.rules, case.edition)
        names = frozenset(bundle.bundle for bundle in check.bundles)
        state.gained |= names - state.bundles
        state.lost |= state.bundles - names
        state.bundles = names
        when_sent(run, state, check, result, now, trial.rules)
        judge_content(run, state, result, now)
        if result.sent and check.store_fails:
            state.failed = True
        elif result.sent:  # later ones are compared with what was written
            state.written, state.written_at, state.failed = now, state.at, False
            state.gained, state.lost = set(), set()
    require_results(run, case, "LOA-39", find_differing)


def report_of(check: Check, rules: ReportRules, edition: Edition) -> Report:
    """LOA-35: the sums over the bundles that the broker serves now."""
    bundles = check.bundles
    weights = UNWEIGHTED if edition.modular_usage_unweighted else rules.weights
    return Report(
        usage_in_doubles(check.resources, weights),
        sums(bundle.traffic for bundle in bundles),
        len(bundles),
        sum(bundle.topics for bundle in bundles),
        sum(bundle.producers for bundle in bundles),
        sum(bundle.consumers for bundle in bundles),
    )


def when_sent(
    run: MonitorRun,
    state: JudgeState,
    check: Check,
    result: Checked,
    now: Report,
    rules: ReportRules,
) -> None:
    """Judge whether a report had to be sent, or must not be."""
    sent, before = result.sent, state.written
    if not check.connected:
        run.require("LOA-36", not sent, "a report was sent without a connection")
        return
    if check.force:
        run.require("LOA-36", sent, "a forced report was not sent", "forced")
        return
    silence = state.at - state.written_at
    change = max(
        largest_change(before.traffic, now.traffic, before.bundles, now.bundles),
        100 * abs(before.score - now.score),
    )
    overdue = silence > rules.max_interval * MINUTE
    situation = f"{silence} s after a report, changed by {change} %"
    if overdue:
        run.require("LOA-38" if state.failed else "LOA-32", sent, f"{situation}: no report")
    if change > rules.threshold + EDGE:
        run.require("LOA-33", sent, f"{situation}: no report")
    if not overdue and change < rules.threshold - EDGE:
        run.require("LOA-34", not sent, f"{situation}: a report")


def judge_content(run: MonitorRun, state: JudgeState, result: Checked, now: Report) -> None:
    """Judge the sums over the bundles, and the gained and lost bundles."""
    counts = result.bundles, result.topics, result.producers, result.consumers
    run.require(
        "LOA-35",
        close_traffic(result.traffic, now.traffic) and counts == now[2:],
        lambda: f"{display(result)}: the bundles have {display(now._asdict())}",
    )
    run.require(
        "LOA-37",
        sorted(result.gained) == sorted(state.gained) and sorted(result.lost) == sorted(state.lost),
        lambda: (
            f"{display(result)}: gained {display(sorted(state.gained))}, lost "
            f"{display(sorted(state.lost))} since the last"
        ),
    )


def find_differing(observed: Checked, right: Checked) -> str | None:
    """Traffic may be added up in any order; the rest must be equal."""
    if observed == right:
        return None
    close = close_traffic(observed.traffic, right.traffic)
    return None if close and rest(observed) == rest(right) else ""


def rest(checked: Checked) -> tuple[object, ...]:
    """Everything except the traffic."""
    counts = (checked.topics, checked.bundles, checked.producers, checked.consumers)
    return (checked.sent, *counts, checked.gained, checked.lost)


REPORT_MODULAR: Final = Question(
    "load.report_modular",
    ModularReportTrial,
    ModularReportAnswer,
    report_modular_trial,
    answer_report_modular,
    report_modular_labels,
    commands="commands",
    exempt=Exempt(
        unread={
            "memory": "the modular manager leaves heap memory out (LOA-3)",
            "history": "a report of the modular manager tells usage as it is",
        }
    ),
)

QUESTIONS: Final = (REPORT_MODULAR,)
