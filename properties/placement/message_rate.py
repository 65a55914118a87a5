"""LeastLongTermMessageRate."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from evenkeel.properties.load.trial_parts import LITTLE, Weighing, draw_weighing
from evenkeel.properties.placement import trial_parts as parts
from evenkeel.properties.placement.judge_parts import (
    Chances,
    breaking,
    choices_observed,
    is_candidate,
    overloaded_by_each,
)
from evenkeel.properties.tolerance import LAST_BITS
from evenkeel.reference.edition import Edition
from evenkeel.reference.load.usage import Resource, Resources, Weights
from evenkeel.reference.placement import message_rate
from evenkeel.reference.placement.message_rate import RateReport
from evenkeel_engine.kit.approx import Approx
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.draw import Draw, seldom_large
from evenkeel_engine.kit.exempt import Exempt
from evenkeel_engine.kit.judge import decision, require_equal
from evenkeel_engine.kit.observations import Broke
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import Run
from evenkeel_engine.kit.trial import require


@dataclass(frozen=True, slots=True)
class RatedBroker:
    """A broker and its report."""

    name: str
    report: RateReport

    def __post_init__(self) -> None:
        parts.require_resources("report.resources", self.report.resources)
        parts.require_amount("report.rate_in", self.report.rate_in)
        parts.require_amount("report.rate_out", self.report.rate_out)
        allowed = all(0 <= rate < parts.EXACT for rate in self.report.preallocated)
        require(allowed, "report.preallocated", "must be 0 or more, below 2^31")


@dataclass(frozen=True, slots=True)
class MessageRateTrial:
    """`placement.least_long_term_message_rate`: which broker gets a bundle, request after request?

    Each request is for another bundle; reports stay as they are, and no choice is preallocated.
    `threshold`: the percentage above which a broker is overloaded. `candidates` are different; one
    that is not in `brokers` has not reported. `times` (1 to 1000): the number of requests.
    """

    threshold: int
    weights: Weights
    brokers: tuple[RatedBroker, ...]
    candidates: tuple[str, ...]
    times: int

    def __post_init__(self) -> None:
        parts.require_integer("threshold", self.threshold)
        parts.require_weights(self.weights)
        parts.require_names("brokers", [broker.name for broker in self.brokers])
        parts.require_names("candidates", self.candidates)
        parts.require_times(self.times)

    @property
    def reports(self) -> dict[str, RateReport]:
        """The reports by broker."""
        return {broker.name: broker.report for broker in self.brokers}


THRESHOLD: Final = 85


def draw_rate(draw: Draw) -> float:
    """Messages per second: few values, so that sums are often equal."""
    sort = draw.integer(0, 3)
    if sort < 2:
        return float(draw.integer(0, 3) * 100)
    if sort == 2:
        return draw.pick((0.0, 0.1, 0.2, 0.3, 50.0, 1000.0, 0.5))
    return draw.real(0.0, 5000.0)


def draw_rate_report(draw: Draw, threshold: int) -> RateReport:
    """A broker's report."""
    return RateReport(
        resources=parts.draw_resources(draw, threshold)
        if draw.chance(0.6)
        else Resources(cpu=Resource(float(draw.integer(0, 50)), 100.0)),
        rate_in=draw_rate(draw),
        rate_out=draw_rate(draw),
        preallocated=tuple(draw.pick((100, 20, 0, 200, 1000)) for _ in draw.items(3, 0.25)),
    )


def weigh_report(draw: Draw, weighing: Weighing, threshold: int, report: RateReport) -> RateReport:
    """The report, overloaded or not in the resource that decides, or with little usage of any."""
    percent = max(threshold + draw.pick((10.0, -10.0, 0.0)), 1.0)
    used = Resources(cpu=Resource(percent if weighing.weight else 5.0, 100.0))
    resources = weighing.of(used) if draw.chance(0.6) else Resources(cpu=LITTLE)
    return replace(report, resources=resources, rate_in=float(draw.integer(0, 9)))


def full(report: RateReport, threshold: int) -> RateReport:
    """The report of an overloaded broker: then its rates make no difference."""
    resources = Resources(cpu=Resource(threshold + 10.0, 100.0))
    return RateReport(resources, preallocated=report.preallocated)


@seldom_large()
def message_rate_trial(draw: Draw, large: bool) -> MessageRateTrial:
    """Brokers, seldom many, with rates that often tie, some of them overloaded."""
    threshold = draw.pick((85, 30, 60, 0, 100, 70)) if draw.chance(0.4) else THRESHOLD
    brokers = parts.draw_many_brokers(draw) if large else parts.draw_brokers(draw)
    alike = draw_rate_report(draw, threshold)
    reports = [alike if draw.chance(0.25) else draw_rate_report(draw, threshold) for _ in brokers]
    weights, candidates = parts.draw_weights(draw), parts.draw_candidates(draw, brokers)
    times = parts.draw_times(draw)
    if weighing := draw_weighing(draw, 0.15):
        weights = weighing.weights
        reports = [weigh_report(draw, weighing, threshold, report) for report in reports]
    if draw.chance(0.01):  # decided last
        reports = [full(report, threshold) for report in reports]
        weights, times = Weights(), parts.OFTEN
    return MessageRateTrial(
        threshold=threshold,
        weights=weights,
        brokers=tuple(RatedBroker(b, r) for b, r in zip(brokers, reports, strict=True)),
        candidates=candidates,
        times=times,
    )


def answer_message_rate(trial: MessageRateTrial, edition: Edition) -> parts.ChoicesAnswer:
    """A choice for each request."""
    allowed = message_rate.least_loaded(
        trial.candidates, trial.reports, trial.threshold, trial.weights, edition
    )
    return parts.ChoicesAnswer(tuple(parts.choose(allowed, turn) for turn in range(trial.times)))


def message_rate_labels(trial: MessageRateTrial) -> Iterator[str]:
    """Candidates, preallocated bundles."""
    yield from parts.times_labels(trial.times)
    if not trial.candidates:
        yield "no candidates"
    if not trial.reports.keys() >= set(trial.candidates):
        yield "a candidate without a report"
    if any(broker.report.preallocated for broker in trial.brokers):
        yield "preallocated bundles"


RateCase = Case[MessageRateTrial, parts.ChoicesAnswer]


def score(report: RateReport, edition: Edition, preallocated: bool) -> Approx:
    """Messages per second; the last bits are open where the order of addition is."""
    given = sum(report.preallocated) if preallocated else 0
    value = float(given) + (report.rate_in + report.rate_out)
    return Approx(value, 0.0 if edition.placement_in_floating_point else LAST_BITS * value)


def is_whole(report: RateReport, edition: Edition) -> bool:
    """Whether the score is the same by any order of addition."""
    return edition.placement_in_floating_point or (
        report.rate_in.is_integer() and report.rate_out.is_integer()
    )


@decision(
    "placement.least_long_term_message_rate",
    "PLC-1", "PLC-2", "PLC-3", "PLC-4", "PLC-5", "PLC-7", "PLC-8", "PLC-9", "PLC-42", "PLC-52",
)  # fmt: skip
def judge_message_rate(run: Run, case: RateCase) -> None:
    trial, edition = case.trial, case.edition
    everyone = trial.reports
    known = [broker for broker in trial.candidates if broker in everyone]
    unknown = len(known) < len(trial.candidates)
    if unknown and edition.unreported_candidates_break:
        require_equal(run, case, "PLC-5", Broke("no report"), "a candidate without a report")
        return
    choices = choices_observed(run, case, trial.times, breaking(edition))
    for chosen in choices:
        is_candidate(run, chosen, trial.candidates)
    reports = {broker: everyone[broker] for broker in known}
    if not (fit := fit_brokers(run, case, reports)):
        if known and not unknown:
            none_chosen = None in choices
            run.require("PLC-9", not none_chosen, "none chosen: all are overloaded", "nobody")
        allowed = known
    else:
        allowed = lowest(run, case, fit, choices)
    if not unknown and all(is_whole(reports[broker], edition) for broker in allowed):
        chances = Chances()
        for chosen in choices:
            chances.see(allowed, chosen)
        chances.judge(run, "PLC-2")


def fit_brokers(run: Run, case: RateCase, reports: dict[str, RateReport]) -> list[str]:
    """The brokers that are not overloaded, by one interpretation."""
    if not reports:
        return []
    trial, edition = case.trial, case.edition
    by_broker = [
        overloaded_by_each(report.resources, trial.threshold, trial.weights, edition)
        for report in reports.values()
    ]
    found, *literal = zip(*by_broker, strict=True)
    others = [other for other in literal if other != found]
    if others and not run.rule(True, so="PLC-52"):
        found = others[run.pick(len(others))]
    return [broker for broker, one in zip(reports, found, strict=True) if not run.rule(one)]


def with_least(case: RateCase, fit: list[str], preallocated: bool) -> list[str]:
    """The brokers with the lowest score."""
    reports = case.trial.reports
    scores = {b: score(reports[b], case.edition, preallocated) for b in fit}
    least = min(scores.values(), key=lambda one: one.value)
    return [broker for broker in sorted(scores) if scores[broker].may_equal(least)]


def lowest(run: Run, case: RateCase, fit: list[str], choices: tuple[str | None, ...]) -> list[str]:
    """Of the brokers that are not overloaded, those with the lowest score."""
    reports = case.trial.reports
    allowed = with_least(case, fit, preallocated=True)
    if any(reports[broker].preallocated for broker in fit):
        reported = with_least(case, fit, preallocated=False)
        if reported != allowed and not run.rule(True, so="PLC-42"):
            allowed = reported
    overloaded_too = [b for b in case.trial.candidates if b in reports and b not in fit]
    wrong = [b for b in choices if b in overloaded_too]
    if overloaded_too:
        run.require("PLC-7", not wrong, lambda: f"{wrong} overloaded, {fit} not", "overloaded")
    if len(allowed) < len(fit) + len(overloaded_too):
        higher = [b for b in choices if b in reports and b not in allowed]
        run.require(
            "PLC-8", not higher, lambda: f"{higher} chosen; the lowest score has {allowed}", "score"
        )
    return allowed


MESSAGE_RATE: Final = Question(
    "placement.least_long_term_message_rate",
    MessageRateTrial,
    parts.ChoicesAnswer,
    message_rate_trial,
    answer_message_rate,
    message_rate_labels,
    exempt=Exempt(
        unmet={r"RateReport\.preallocated: 1": "20 and more, so that they decide"},
        unread={"memory": "LOA-3"},
    ),
)

QUESTIONS: Final = (MESSAGE_RATE,)
