"""An extensible broker's load data (LOA-40 to LOA-48)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Final

from evenkeel.properties.load import trial_parts as parts
from evenkeel.properties.load.judge_parts import EDGE, close, largest_change, usage_in_doubles
from evenkeel.properties.tolerance import SINGLE
from evenkeel.reference.edition import Edition
from evenkeel.reference.load import report as reports
from evenkeel.reference.load.report import (
    MINUTE,
    REMOVAL_DELAY,
    UNKNOWN_USAGE,
    ExtensibleReporter,
    ReportRules,
    Seconds,
)
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.load.usage import Resource, Resources, Weights
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.draw import Draw, seldom_repeated
from evenkeel_engine.kit.formatting import display
from evenkeel_engine.kit.judge import monitor, pair_results, require_results
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import MonitorRun


@dataclass(frozen=True, slots=True)
class CheckLoad:
    """An extensible broker measures, and checks whether a report is due; else as `Check`.

    `after`: the seconds that pass before.
    """

    DO: ClassVar[str] = "check"
    after: int
    resources: Resources
    traffic: Traffic
    bundles: int
    force: bool
    store_fails: bool

    def __post_init__(self) -> None:
        parts.require_after(self.after)
        parts.require_resources("resources", self.resources)
        parts.require_traffic("traffic", self.traffic)
        parts.require_count("bundles", self.bundles)


ExtensibleCommand = CheckLoad | parts.Heard


@dataclass(frozen=True, slots=True)
class ExtensibleReportTrial:
    """`load.report_extensible`: when does a broker publish its load data, and what is in it?

    It starts when the first pause (`after`) begins.
    """

    rules: ReportRules
    commands: tuple[ExtensibleCommand, ...]

    def __post_init__(self) -> None:
        parts.require_rules(self.rules)


@dataclass(frozen=True, slots=True)
class LoadChecked:
    """Whether load data were sent to the store, and their content, or what it would be.

    `max_usage` is without weights; `weighted_max` (a fraction) and `throughput` (bytes per second,
    in plus out) are averages. Where no resource is left that counts (LOA-4), `weighted_max` is 0.
    """

    DO: ClassVar[str] = "checked"
    sent: bool
    max_usage: float
    weighted_max: float
    throughput: float


@dataclass(frozen=True, slots=True)
class LoadCleared:
    """Whether the store was requested to remove the load data, stored or not; the current values.

    As in `LoadChecked`: usages are fractions, throughput is in bytes/s. Before the first check each
    is 0.
    """

    DO: ClassVar[str] = "cleared"
    removed: bool
    max_usage: float
    weighted_max: float
    throughput: float


ExtensibleResult = LoadChecked | LoadCleared


@dataclass(frozen=True, slots=True)
class ExtensibleReportAnswer:
    """One result for each command."""

    results: tuple[ExtensibleResult, ...]


@seldom_repeated("commands")
def report_extensible_trial(draw: Draw) -> ExtensibleReportTrial:
    """Checks, and bundles that are gained and lost."""
    rules = parts.draw_rules(draw)
    commands: list[ExtensibleCommand] = []
    resources = Resources(cpu=Resource(50.0, 100.0))
    traffic, bundles = parts.draw_level(draw, 1.0), draw.integer(0, 3)
    for _ in draw.items(10, 0.85, least=1):
        after = parts.draw_after(draw, rules) if commands or draw.chance(0.7) else 0
        if draw.chance(0.3):
            commands.append(parts.draw_heard(draw, after))
            continue
        resources = parts.draw_resources(draw, resources)
        traffic = parts.draw_level(draw, 1.0) if draw.chance(0.3) else traffic
        bundles = draw.integer(0, 12) if draw.chance(0.2) else bundles
        force, fails = draw.chance(0.1), draw.chance(0.1)
        commands.append(CheckLoad(after, resources, traffic, bundles, force, fails))
    if weighing := parts.draw_weighing(draw):
        rules = replace(rules, weights=weighing.weights)
        commands = [
            one
            if isinstance(one, parts.Heard)
            else replace(one, resources=weighing.of(one.resources))
            for one in commands
        ]
    return ExtensibleReportTrial(rules, tuple(commands))


def answer_report_extensible(
    trial: ExtensibleReportTrial, edition: Edition
) -> ExtensibleReportAnswer:
    """The results of checks and of changes of state."""
    reporter, at = ExtensibleReporter(), 0
    results: list[ExtensibleResult] = []
    for command in trial.commands:
        at += command.after
        if isinstance(command, CheckLoad):
            reporter, sent = check_load(reporter, command, at, trial.rules, edition)
            now = reporter.now
            results.append(LoadChecked(sent, now.max_usage, now.weighted_max, now.throughput))
        else:
            reporter, removed = hear(reporter, command, at)
            now = reporter.now
            results.append(LoadCleared(removed, now.max_usage, now.weighted_max, now.throughput))
    return ExtensibleReportAnswer(tuple(results))


def check_load(
    reporter: ExtensibleReporter,
    check: CheckLoad,
    at: Seconds,
    rules: ReportRules,
    edition: Edition,
) -> tuple[ExtensibleReporter, bool]:
    """One check: the reporter afterwards, and whether load data were sent."""
    reporter = reports.update(reporter, check.resources, check.traffic, check.bundles, rules)
    sent = reports.sends(reports.extensible_due(reporter, at, rules, edition), check.force)
    if sent and not check.store_fails:
        reporter = reports.extensible_stored(reporter, at)
    return reporter, sent


def hear(
    reporter: ExtensibleReporter, heard: parts.Heard, at: Seconds
) -> tuple[ExtensibleReporter, bool]:
    """One change of state: the reporter afterwards, and whether the report is to be removed."""
    if not heard.concerns:
        return reporter, False
    reporter = reports.discard(reporter)
    due = reports.removal_due(reporter, at)
    if due and not heard.store_fails:
        reporter = reports.remove(reporter, at)
    return reporter, due


@dataclass(slots=True)
class JudgeState:
    """The averages reported last (None: nothing measured), what was stored, and when; whether what
    was sent since could not be stored; the start, or the last change of bundles; their number.
    """

    at: int = 0
    changed_at: int = 0
    bundles: int | None = None
    last: LoadChecked | None = None
    stored: tuple[CheckLoad, LoadChecked] | None = None
    stored_at: int | None = None
    failed: bool = False
    removed_at: int | None = None


@monitor("load.report_extensible", *(f"LOA-{number}" for number in (*range(40, 49), 66)))
def judge_report_extensible(
    run: MonitorRun, case: Case[ExtensibleReportTrial, ExtensibleReportAnswer]
) -> None:
    trial, state = case.trial, JudgeState()
    for command, result in pair_results(run, "LOA-44", case, "the broker"):
        state.at += command.after
        bundles = command.bundles if isinstance(command, CheckLoad) else None
        if bundles is None or state.bundles not in (None, bundles):
            state.changed_at = state.at
        state.bundles = state.bundles if bundles is None else bundles
        if isinstance(command, CheckLoad) and isinstance(result, LoadChecked):
            judge_averages(run, state, command, result, trial.rules)
            when_sent(run, state, command, result, trial.rules)
            if result.sent and not command.store_fails:  # later ones are compared with these
                state.stored, state.stored_at = (command, result), state.at
            state.failed = command.store_fails if result.sent else state.failed
        elif isinstance(command, parts.Heard) and isinstance(result, LoadCleared):
            after_hearing(run, state, command, result)
        else:
            run.require(
                "LOA-44", False, f"{display(command)} was answered with {display(result)}", "shape"
            )
    require_results(run, case, "LOA-48")


def judge_averages(
    run: MonitorRun, state: JudgeState, check: CheckLoad, result: LoadChecked, rules: ReportRules
) -> None:
    """Judge the averages after one more measurement; the first is taken as it is."""
    usage = usage_in_doubles(check.resources, rules.weights, heap=True)
    throughput, clause = check.traffic.throughput_in + check.traffic.throughput_out, "LOA-40"
    if state.last is not None:
        clause, old = "LOA-41", rules.history
        usage = state.last.weighted_max * old + (1 - old) * usage
        throughput = state.last.throughput * old + (1 - old) * throughput
    run.require(
        clause,
        close(result.weighted_max, usage, SINGLE) and close(result.throughput, throughput),
        lambda: (
            f"{display(result)}: {usage} and {throughput} bytes/s are right after "
            f"{display(state.last)}"
        ),
    )
    right = usage_in_doubles(check.resources, Weights(1, 1, 1, 1, 1))
    sentence = f"usage is {result.max_usage}, but must be {right}"
    run.require("LOA-40", close(result.max_usage, right, SINGLE), sentence)
    state.last = result


def when_sent(
    run: MonitorRun, state: JudgeState, check: CheckLoad, result: LoadChecked, rules: ReportRules
) -> None:
    """Judge whether load data had to be sent, or must not be."""
    if check.force:
        run.require("LOA-44", result.sent, "forced load data were not sent", "forced")
        return
    if state.stored is None or state.stored_at is None:
        run.require("LOA-42", result.sent, "the broker is unknown, and nothing is sent")
        silence = state.at - state.changed_at
        if silence > rules.max_interval * MINUTE and not state.failed:
            sentence = f"{silence} s after the start or a change of bundles none are stored or sent"
            run.require("LOA-66", result.sent, sentence, "never")
        return
    known, before = state.stored
    silence, limit = state.at - state.stored_at, rules.threshold
    change = max(
        largest_change(known.traffic, check.traffic, known.bundles, check.bundles),
        100 * abs(before.max_usage - result.max_usage),
    )
    lag = 100 * abs(before.weighted_max - result.weighted_max)
    situation = f"{silence} s after load data, changed by {change} %, average off by {lag} points"
    overdue = silence > rules.max_interval * MINUTE
    if overdue and not state.failed:
        run.require("LOA-66", result.sent, f"{situation}: none sent")
    if change > limit + EDGE:
        run.require("LOA-43", result.sent, f"{situation}: none sent")
    if not overdue and max(change, lag) < limit - EDGE:
        run.require("LOA-44", not result.sent, f"{situation}: sent")
    if lag > limit + EDGE:
        run.require("LOA-45", result.sent, f"{situation}: none sent")


def after_hearing(
    run: MonitorRun, state: JudgeState, command: parts.Heard, result: LoadCleared
) -> None:
    """After a bundle was gained or lost no data are known, and the stored data are removed."""
    if not command.concerns:
        same = state.last is None or (
            (result.weighted_max, result.throughput)
            == (state.last.weighted_max, state.last.throughput)
        )
        run.require(
            "LOA-46",
            same and not result.removed,
            lambda: (
                f"{display(command)} does not concern the broker, but it answers {display(result)}"
            ),
            "needless",
        )
        return
    state.last, state.stored_at = None, None
    cleared = result.max_usage, result.weighted_max, result.throughput
    run.require(
        "LOA-46",
        cleared == (UNKNOWN_USAGE, UNKNOWN_USAGE, 0.0),
        lambda: f"after {display(command)} the broker still has {display(result)}",
        "kept",
    )
    before = state.removed_at
    due = before is None or state.at - before >= REMOVAL_DELAY
    run.require(
        "LOA-47",
        result.removed == due,
        lambda: (
            f"{display(command)}, removed before at {display(before)} s, now {state.at} s: "
            f"{display(result)}"
        ),
        "not removed" if due else "removed again",
    )
    if result.removed and not command.store_fails:
        state.removed_at = state.at


REPORT_EXTENSIBLE: Final = Question(
    "load.report_extensible",
    ExtensibleReportTrial,
    ExtensibleReportAnswer,
    report_extensible_trial,
    answer_report_extensible,
    parts.heard_labels,
    commands="commands",
)

QUESTIONS: Final = (REPORT_EXTENSIBLE,)
