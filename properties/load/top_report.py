"""When the heaviest bundles are published (LOA-58 to LOA-63)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Final

from evenkeel.properties.load.judge_parts import are_ascending, are_heaviest, eligible, rank
from evenkeel.properties.load.trial_parts import (
    BUNDLES,
    Heard,
    draw_heard,
    heard_labels,
    require_after,
    require_bundles,
)
from evenkeel.reference.edition import Edition
from evenkeel.reference.load import report as reports
from evenkeel.reference.load import top_bundles, top_report
from evenkeel.reference.load.report import REMOVAL_DELAY, Seconds
from evenkeel.reference.load.statistics import BundleStatistics
from evenkeel.reference.load.top_bundles import TopRules
from evenkeel.reference.load.top_report import TopReporter
from evenkeel.reference.load.traffic import Traffic
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.draw import Draw, seldom_repeated
from evenkeel_engine.kit.judge import monitor, pair_results
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import MonitorRun
from evenkeel_engine.kit.trial import require

RULES: Final = TopRules()
"""How `load.top_report` chooses its bundles: by the defaults, without policies."""


@dataclass(frozen=True, slots=True)
class CheckTop:
    """A broker checks whether to publish its top bundles.

    `after`: the seconds that pass before. `statistics`: how often the bundles' statistics have been
    taken so far; a number above that of the last check means new ones, 0 that there are none yet.
    `bundles`: what the last ones say. `force`, `store_fails`: as in `CheckLoad`.
    """

    DO: ClassVar[str] = "check"
    after: int
    statistics: int
    bundles: tuple[BundleStatistics, ...]
    force: bool
    store_fails: bool

    def __post_init__(self) -> None:
        require_after(self.after)
        require(0 <= self.statistics < 2**31, "statistics", "must be 0 or more, below 2^31")
        require_bundles("bundles", self.bundles)


TopCommand = CheckTop | Heard


@dataclass(frozen=True, slots=True)
class TopReportTrial:
    """`load.top_report`: when does a broker publish its top bundles, and which?

    Those are the bundles of `load.top_bundles` with the default rules, ten at most.
    """

    commands: tuple[TopCommand, ...]


@dataclass(frozen=True, slots=True)
class TopChecked:
    """Whether a list was sent to the store, and the list; empty if none was sent."""

    DO: ClassVar[str] = "checked"
    sent: bool
    bundles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TopCleared:
    """Whether the store was requested to remove the list, stored or not."""

    DO: ClassVar[str] = "cleared"
    removed: bool


TopResult = TopChecked | TopCleared


@dataclass(frozen=True, slots=True)
class TopReportAnswer:
    """One result for each command."""

    results: tuple[TopResult, ...]


def draw_statistics(draw: Draw) -> tuple[BundleStatistics, ...]:
    """Some bundles, mostly with different weights, but not in order."""
    chosen = draw.sample(BUNDLES, 5)
    weights = (3e6, 1e6, 5e6, 0.0, 4e6, 2e6)
    if draw.chance(0.15):
        weights = (1e6, 1e6, 0.0, 1e6, 0.0, 2e6)
    step = draw.integer(0, 5)
    return tuple(
        BundleStatistics(name, Traffic(throughput_in=weights[(place + step) % 6]))
        for place, name in enumerate(chosen)
    )


@seldom_repeated("commands")
def top_report_trial(draw: Draw) -> TopReportTrial:
    """Checks of old and of new statistics, and bundles that are gained and lost."""
    commands: list[TopCommand] = []
    statistics, bundles = 0, draw_statistics(draw)
    for _ in draw.items(10, 0.85, least=1):
        after = draw.pick((5, 0, REMOVAL_DELAY, REMOVAL_DELAY - 1, 60))
        after = after if commands or draw.chance(0.7) else 0
        if draw.chance(0.3):
            commands.append(draw_heard(draw, after))
            continue
        if draw.chance(0.4):
            statistics, bundles = statistics + 1, draw_statistics(draw)
        force, fails = draw.chance(0.1), draw.chance(0.15)
        commands.append(CheckTop(after, statistics, bundles, force, fails))
    return TopReportTrial(tuple(commands))


def answer_top_report(trial: TopReportTrial, edition: Edition) -> TopReportAnswer:
    """The results of checks and of changes of state."""
    reporter, at = TopReporter(), 0
    results: list[TopResult] = []
    for command in trial.commands:
        at += command.after
        if isinstance(command, CheckTop):
            reporter, sent = check_top(reporter, command, edition)
            results.append(TopChecked(sent, reporter.bundles if sent else ()))
        else:
            reporter, removed = hear_top(reporter, command, at)
            results.append(TopCleared(removed))
    return TopReportAnswer(tuple(results))


def check_top(before: TopReporter, check: CheckTop, edition: Edition) -> tuple[TopReporter, bool]:
    """One check: the reporter afterwards, and whether a list was sent."""
    chosen = top_bundles.top_bundles(check.bundles, RULES, edition)
    names = tuple(bundle.bundle for bundle in chosen)
    reporter = top_report.look_at(before, check.statistics, names)
    sent = reports.sends(top_report.due(before, reporter, edition), check.force)
    return (top_report.store(reporter, not check.store_fails) if sent else reporter), sent


def hear_top(reporter: TopReporter, heard: Heard, at: Seconds) -> tuple[TopReporter, bool]:
    """One change of state: the reporter afterwards, and whether the list is to be removed."""
    if not heard.concerns or not top_report.removal_due(reporter, at):
        return reporter, False
    return (reporter if heard.store_fails else top_report.remove(reporter, at)), True


@dataclass(slots=True)
class JudgeState:
    """The statistics seen, their bundles, whether a list is stored, and when one was removed."""

    edition: Edition
    at: int = 0
    seen: int = 0
    bundles: tuple[BundleStatistics, ...] = ()
    stored: bool = False
    removed_at: int | None = None


@monitor("load.top_report", *(f"LOA-{number}" for number in range(58, 64)))
def judge_top_report(run: MonitorRun, case: Case[TopReportTrial, TopReportAnswer]) -> None:
    state, results = JudgeState(case.edition), pair_results(run, "LOA-59", case, "the broker")
    for number, (command, result) in enumerate(results, start=1):
        state.at += command.after
        if isinstance(command, CheckTop) and isinstance(result, TopChecked):
            after_check(run, state, number, command, result)
        elif isinstance(command, Heard) and isinstance(result, TopCleared):
            after_hearing(run, state, number, command, result)
        else:
            run.require("LOA-59", False, f"command {number} has the answer of another", "shape")


def is_right(
    names: tuple[str, ...], bundles: tuple[BundleStatistics, ...], edition: Edition
) -> bool:
    """LOA-54, LOA-55: whether these are the heaviest, lightest first; of equals in any order."""
    ranks = {bundle.bundle: rank(bundle) for bundle in eligible(bundles, RULES, edition)}
    if len(set(names)) < len(names) or not ranks.keys() >= set(names):
        return False
    if edition.top_bundles_by_difference:
        return len(names) == min(RULES.most, len(ranks)) and is_parted(names, bundles, edition)
    return [ranks[name] for name in names] == sorted(ranks.values())[-RULES.most :]


def is_parted(
    names: tuple[str, ...], bundles: tuple[BundleStatistics, ...], edition: Edition
) -> bool:
    """The same in PULSAR_4_0_6."""
    candidates = eligible(bundles, RULES, edition)
    known = {bundle.bundle: bundle for bundle in candidates}
    listed = [known[name] for name in names]
    return are_heaviest(listed, candidates) and are_ascending(listed, candidates)


def after_check(
    run: MonitorRun, state: JudgeState, number: int, command: CheckTop, result: TopChecked
) -> None:
    """Judge whether a list had to be sent, or must not be; and which."""
    fresh = command.statistics > state.seen
    if fresh:
        state.seen, state.bundles = command.statistics, command.bundles

    def message(why: str) -> Callable[[], str]:
        listed = ", ".join(result.bundles) or "an empty list"
        sent = f"{listed} is sent" if result.sent else "nothing is sent"
        return lambda: f"command {number}: {sent} at {state.at} s, and {why}"

    right = result.sent and is_right(result.bundles, state.bundles, state.edition)
    silent = not result.sent and not result.bundles
    if fresh:
        run.require("LOA-58", right, message("the statistics are new"))
    elif command.force:
        run.require("LOA-61", right, message("a list is forced"))
    elif state.stored or state.seen == 0:
        run.require("LOA-59", silent, message("the list is stored"))
    else:
        run.require("LOA-60", right, message("the list is not stored"))
    due = fresh or command.force
    why = message(f"the statistics are {'new, or it is forced' if due else 'old'}")
    run.require("LOA-63", right if due else silent, why, "CheckTop")
    if result.sent:
        state.stored = not command.store_fails


def after_hearing(
    run: MonitorRun, state: JudgeState, number: int, command: Heard, result: TopCleared
) -> None:
    """Whether the list had to be removed."""
    waits = state.removed_at is not None and state.at - state.removed_at < REMOVAL_DELAY
    due = command.concerns and not waits
    before = "never" if state.removed_at is None else f"at {state.removed_at} s"
    sentence = (
        f"command {number}: the list is {'' if result.removed else 'not '}removed at "
        f"{state.at} s, and was {before} before; a bundle of the broker's "
        f"{'changes' if command.concerns else 'does not change'}"
    )
    right = result.removed == due
    run.require("LOA-62", right, sentence, "not removed" if due else "removed")
    run.require("LOA-63", right, sentence, "Heard")
    if result.removed and not command.store_fails:
        state.stored, state.removed_at = False, state.at


TOP_REPORT: Final = Question(
    "load.top_report",
    TopReportTrial,
    TopReportAnswer,
    top_report_trial,
    answer_top_report,
    heard_labels,
    commands="commands",
)

QUESTIONS: Final = (TOP_REPORT,)
