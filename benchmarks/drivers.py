"""How much faster the seeded driver is than Hypothesis, on the same generators and clauses.

    python benchmarks/drivers.py [--seconds S] [QUESTION ...]

Both make trials with the question's own generator, put them to the reference and judge them by
the same clauses; Hypothesis without a database, a deadline or health checks. Each runs for about
the given processor time per question, in turn, in this one process, in which records cost as little
as they do under `check` (`unfreeze`), for both.

Hypothesis makes smaller trials with the same generator (it prefers low choices, and so short
lists), therefore two ratios: trials per second, and choices per second, which is work of the same
amount. A choice is one number that a generator asks for.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from statistics import fmean, median
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from rich.console import Console
from rich.table import Table

from evenkeel.reference.edition import DOCUMENTED
from evenkeel_engine.check.fast_dataclasses import unfreeze
from evenkeel_engine.check.seeded import Block, run_block, trial_seed
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for
from evenkeel_engine.kit.draw import Draw, RecordingDraw, SeededDraw
from evenkeel_engine.kit.question import Question, judge
from evenkeel_engine.kit.strategies import strategy
from evenkeel_engine.subjects.local import ReferenceSubject

TARGETS = {False: 40, True: 30}
"""How many times faster: single decisions, command lists."""

LOOSE = settings(
    database=None,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def seeded(question: Question[Any, Any], trials: int) -> int:
    """Run a number of trials by the seeded driver; returns how many."""
    tally = run_block(Block(question.name, 1, 0, trials), ReferenceSubject(DOCUMENTED), DOCUMENTED)
    if tally.failures:
        raise SystemExit(f"{question.name}: the reference fails: {dict(tally.failures)}")
    return trials


def by_hypothesis(question: Question[Any, Any], trials: int) -> int:
    """Run a number of trials by Hypothesis, or all there are; returns how many."""
    clauses = clauses_for(question.name, DOCUMENTED)
    made = 0

    @seed(1)
    @settings(LOOSE, max_examples=trials)
    @given(strategy(question.generate))
    def check(trial: Any) -> None:
        nonlocal made
        made += 1
        observation = question.observe(trial, DOCUMENTED)
        for verdict in judge(question, clauses, trial, observation, DOCUMENTED):
            assert verdict.status not in {"violated", "errored"}, verdict

    check()
    return made


def rate(run: Callable[[int], int], trials: int, seconds: float) -> float:
    """Trials per second of a run of about `seconds`; `trials` to begin with.

    `run` returns how many it made: a question may have fewer different trials than requested.
    """
    before = 0.0
    while True:
        began = time.process_time()
        made = run(trials)
        took = time.process_time() - began
        if made < trials:  # all that there are: Hypothesis has looked long for more
            return max(before, made / took)
        if took >= seconds / 2:
            return made / took
        before = made / took
        trials = int(trials * max(2.0, min(seconds / max(took, 1e-3), 20.0)))


def sizes(question: Question[Any, Any], trials: int) -> tuple[float, float]:
    """How many choices a trial has on average: seeded, and by Hypothesis."""
    seeded_sizes, hypothesis_sizes = [], []
    for index in range(trials):
        recorder = RecordingDraw(SeededDraw(trial_seed(question.name, 1, index)))
        question.generate(recorder)
        seeded_sizes.append(len(recorder.record))

    def generate(draw: Draw) -> None:
        recorder = RecordingDraw(draw)
        question.generate(recorder)
        hypothesis_sizes.append(len(recorder.record))

    @seed(1)
    @settings(LOOSE, max_examples=trials)
    @given(strategy(generate))
    def made(_: None) -> None:
        pass

    made()
    return fmean(seeded_sizes), fmean(hypothesis_sizes)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=2.0, help="about how long one run takes")
    parser.add_argument("questions", nargs="*", help="all, if none is named")
    options = parser.parse_args()
    missing = [name for name in options.questions if name not in QUESTIONS]
    if missing:
        raise SystemExit(f"There is no question {missing[0]}; there are {', '.join(QUESTIONS)}.")
    unfreeze()
    columns = ("seeded/s", "Hypothesis/s", "choices", "choices", "per trial", "per choice")
    table = Table("question", *columns)
    times: dict[bool, list[tuple[float, float, float]]] = {False: [], True: []}
    for name in options.questions or QUESTIONS:
        question = QUESTIONS[name]
        fast = rate(partial(seeded, question), 500, options.seconds)
        slow = rate(partial(by_hypothesis, question), 50, options.seconds)
        large, small = sizes(question, 500)
        times[bool(question.commands)].append((1 / fast, 1 / slow, large / small / slow))
        numbers = (f"{fast:,.0f}", f"{slow:,.0f}", f"{large:.1f}", f"{small:.1f}")
        ratio = fast / slow
        table.add_row(name, *numbers, f"{ratio:.1f}", f"{ratio * large / small:.1f}")
    out = Console(width=110, highlight=False)
    out.print(table)
    for commands, sort in ((False, "single decisions"), (True, "command lists")):
        if rows := times[commands]:
            middle = median(even / fast for fast, _, even in rows)
            fast, slow, even = (sum(column) for column in zip(*rows, strict=True))
            out.print(
                f"{sort}, one trial of each question: {slow / fast:.1f} times per trial, "
                f"{even / fast:.1f} times per choice (target {TARGETS[commands]}); the median of "
                f"the questions is {middle:.1f}"
            )


if __name__ == "__main__":
    main()
