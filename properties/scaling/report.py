"""Which samples of a segment's rates are written (SCA-35, SCA-36)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from evenkeel.properties.tolerance import DOUBLE
from evenkeel.reference.edition import Edition
from evenkeel.reference.scaling.reporting import is_written
from evenkeel.reference.scaling.settings import LIMIT, Rates, ReportRules
from evenkeel_engine.kit.clause import Case, in_full
from evenkeel_engine.kit.draw import Draw, seldom_repeated
from evenkeel_engine.kit.judge import is_must, monitor
from evenkeel_engine.kit.observations import Broke, Refused
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import MonitorRun, fill
from evenkeel_engine.kit.trial import require, require_bounds


@dataclass(frozen=True, slots=True)
class ReportTrial:
    """`scaling.report`: the owner of a segment samples its rates, again and again.

    `stored` is what another owner wrote before, for comparison; null: nothing was written yet.
    """

    config: ReportRules
    samples: tuple[Rates, ...]
    stored: Rates | None = None

    def __post_init__(self) -> None:
        require_bounds(self.config)
        for rates in (*self.samples, *([self.stored] if self.stored else [])):
            for rate in rates.each:
                require(LIMIT[0] <= rate <= LIMIT[1], "samples", f"must be 0 to {LIMIT[1]:.0f}")


@dataclass(frozen=True, slots=True)
class ReportAnswer:
    """Of each sample, whether it was written."""

    written: tuple[bool, ...]


_FACTORS: Final = (1.0, 1.25, 0.75, 1.2500001, 0.7499999, 0.8, 1.3, 0.0)


def draw_sample(draw: Draw, last: Rates) -> Rates:
    """About as far from the last one as counts, in one rate or in all."""
    every, which, factor = draw.chance(0.3), draw.integer(0, 3), draw.pick(_FACTORS)
    rates = [
        rate * factor if every or place == which else rate for place, rate in enumerate(last.each)
    ]
    if draw.chance(0.15):
        rates[which] = draw.pick((0.0, 0.5, 1000.0, 0.1, 1e-9))
    return Rates(*rates)


@seldom_repeated("samples")
def report_trial(draw: Draw) -> ReportTrial:
    """Samples that change a little, and more and more."""
    config = ReportRules(draw.pick((0.25, 0.0, 0.5, 1.0)) if draw.chance(0.3) else 0.25)
    last = Rates(1000.0, 64_000.0, 4000.0, 256_000.0)
    stored = None if draw.chance(0.5) else draw_sample(draw, last)
    samples = list[Rates]()
    for _ in draw.items(8, 0.8):
        samples.append(draw_sample(draw, last))
        last = samples[-1] if draw.chance(0.5) else last
    return ReportTrial(config, tuple(samples), stored)


def answer_report(trial: ReportTrial, edition: Edition) -> ReportAnswer:
    """The reference's answer."""
    last, written = trial.stored, list[bool]()
    for sample in trial.samples:
        written.append(is_written(last, sample, trial.config))
        last = sample if written[-1] else last
    return ReportAnswer(tuple(written))


def report_labels(trial: ReportTrial) -> Iterator[str]:
    """What was there before."""
    yield "stored" if trial.stored else "nothing stored"


@monitor("scaling.report", "SCA-35", "SCA-36")
def judge_report(run: MonitorRun, case: Case[ReportTrial, ReportAnswer]) -> None:
    trial, observed = case.trial, case.observation
    if isinstance(observed, Refused | Broke) or len(observed.written) != len(trial.samples):
        run.require("SCA-35", False, fill("the reporter {}", in_full(observed)), "shape")
        return
    last, share = trial.stored, trial.config.rate_change
    either = not is_must("SCA-31", case.edition.name)
    for sample, written in zip(trial.samples, observed.written, strict=True):
        clause, right = decide_write(last, sample, share + DOUBLE if either else share)
        if either and last and not right and is_at_threshold(last.each, sample.each, share):
            right = written
        sentence = "{} after {}: written {}"
        run.require(clause, written == right, fill(sentence, sample, last, written))
        if written != right:
            return
        last = sample if written else last


def decide_write(last: Rates | None, now: Rates, share: float) -> tuple[str, bool]:
    """The clause that decides, and whether the sample is to be written."""
    if last is None:
        return "SCA-35", True
    pairs = list(zip(last.each, now.each, strict=True))
    if any(old > 0 and abs(new - old) / old > share for old, new in pairs):
        return "SCA-35", True
    begun = any(old == 0 < new for old, new in pairs)
    return ("SCA-36", True) if begun else ("SCA-35", False)


def is_at_threshold(last: Sequence[float], now: Sequence[float], share: float) -> bool:
    """Whether a rate has changed by the threshold, up to rounding: it may be written or not."""
    pairs = zip(last, now, strict=True)
    return share == 0 or any(
        old > 0 and abs(abs(new - old) / old - share) <= DOUBLE for old, new in pairs
    )


REPORT: Final = Question(
    "scaling.report",
    ReportTrial,
    ReportAnswer,
    report_trial,
    answer_report,
    report_labels,
    commands="samples",
)

QUESTIONS: Final = (REPORT,)
