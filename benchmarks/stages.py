"""Where a checked trial spends its time, by question; and the same for another revision.

    python benchmarks/stages.py [--rounds N] [--seconds S] [--against PYTHON] [QUESTION ...]

For each question: the microseconds that the bare reference takes for a trial, then drawing,
labels, judging, and the whole (`run_block`, which also counts) as multiples of it. With --against
the interpreter of another revision's environment is measured in turn with this one, and the last
columns say how many trials a second ours does for one of the other's. README.md explains the
figures.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from importlib import import_module
from statistics import median
from typing import Final

from evenkeel.reference.edition import DOCUMENTED
from evenkeel_engine.check.seeded import Block, make_trial, run_block
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for
from evenkeel_engine.kit.question import judge
from evenkeel_engine.subjects.local import ReferenceSubject

STAGES: Final = ("reference", "draw", "labels", "judge", "whole")
Times = dict[str, float]


def measure_cpu(work: Callable[[], object]) -> float:
    """Processor seconds of this process."""
    began = time.process_time()
    work()
    return time.process_time() - began


def stage_times(name: str, start: int, count: int) -> Times:
    """Seconds a trial, by stage. Only what every revision has is used."""
    question, clauses = QUESTIONS[name], clauses_for(name, DOCUMENTED)
    block, subject = Block(name, 1, start, count), ReferenceSubject(DOCUMENTED)
    trials: list[object] = []
    seen: list[object] = []
    works = {
        "draw": lambda: trials.extend(
            make_trial(question, block.seed, start + number) for number in range(count)
        ),
        "reference": lambda: seen.extend(question.observe(one, DOCUMENTED) for one in trials),
        "labels": lambda: [list(question.labels(one)) for one in trials],
        "judge": lambda: [
            judge(question, clauses, *both, DOCUMENTED) for both in zip(trials, seen, strict=True)
        ],
        "whole": lambda: run_block(block, subject, DOCUMENTED),
    }
    return {stage: measure_cpu(work) / count for stage, work in works.items()}


def unfreeze() -> None:
    """Make records as fast as they are in a check; older revisions had this elsewhere or not."""
    for name in ("fast_dataclasses", "unfrozen"):
        with suppress(ImportError):
            import_module(f"evenkeel_engine.check.{name}").unfreeze()
            return


def work() -> None:
    """Measure what the lines of standard input ask for."""
    unfreeze()
    print(json.dumps(sorted(QUESTIONS)), flush=True)
    for line in sys.stdin:
        print(json.dumps(stage_times(*json.loads(line))), flush=True)


class Worker:
    """A process of one revision's interpreter that measures."""

    def __init__(self, python: str) -> None:
        self.process = subprocess.Popen(
            [python, __file__, "--worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.questions: list[str] = self._read()

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.communicate()

    def _read(self) -> list[str]:
        assert self.process.stdout is not None
        read: list[str] = json.loads(self.process.stdout.readline())
        return read

    def times(self, name: str, start: int, count: int) -> Times:
        """Seconds a trial, by stage."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps([name, start, count]), file=self.process.stdin, flush=True)
        times: Times = json.loads(self.process.stdout.readline())
        return times


def measure(workers: Sequence[Worker], name: str, rounds: int, seconds: float) -> list[Times]:
    """For each worker the least time of each stage; alternately, on the same trials.

    Other work on the machine can only add to a time.
    """
    count = 20
    while (took := workers[0].times(name, 0, count)["whole"] * count) < seconds / 3 and count < 1e5:
        count = int(count * min(8.0, max(1.5, seconds / 2 / max(took, 1e-4))))
    taken: list[list[Times]] = [[] for _ in workers]
    for _ in range(rounds):
        for worker, times in zip(workers, taken, strict=True):
            if name in worker.questions:
                times.append(worker.times(name, 0, count))
    return [
        {stage: min(one[stage] for one in times) for stage in STAGES} if times else {}
        for times in taken
    ]


def row(name: str, found: Sequence[Times]) -> str:
    """A line of the table."""
    ours = found[0]
    bare = ours["reference"]
    shares = "".join(f"{ours[stage] / bare:8.2f}" for stage in STAGES[1:])
    line = f"{name:29}{bare * 1e6:10.1f}{shares}"
    for other in found[1:]:
        compared = (*STAGES[:2], "judge", "whole") if other else ()
        line += "".join(f"{other[stage] / ours[stage]:8.2f}" for stage in compared) or "     new"
    return line


def total(rows: Sequence[Times]) -> Times:
    """One trial of each question."""
    return {stage: sum(times[stage] for times in rows) for stage in STAGES}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.3, help="of one round of one question")
    parser.add_argument("--against", metavar="PYTHON", help="another revision's interpreter")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("questions", nargs="*", help="all, if none is named")
    options = parser.parse_args()
    if options.worker:
        work()
        return
    with ExitStack() as stack:
        pythons = [sys.executable, *([options.against] if options.against else [])]
        workers = [stack.enter_context(Worker(python)) for python in pythons]
        names = options.questions or workers[0].questions
        if unknown := [name for name in names if name not in workers[0].questions]:
            raise SystemExit(f"There is no question {unknown[0]}.")
        heads = "".join(f"{head:>8}" for head in STAGES[1:])
        compared = "".join(f"{head:>8}" for head in ("ref", "draw", "judge", "whole"))
        print(f"{'question':29}{'bare, us':>10}{heads}{compared if options.against else ''}")
        table: list[list[Times]] = []
        for name in names:
            table.append(measure(workers, name, options.rounds, options.seconds))
            print(row(name, table[-1]), flush=True)
    print(row("sum of one trial of each", [total([found[0] for found in table])]))
    wholes = [found[0]["whole"] / found[0]["reference"] for found in table]
    print(f"whole / bare reference, median of the questions: {median(wholes):.2f}")
    if both := [found for found in table if len(found) > 1 and found[1]]:
        print(row("sum of those in both", [total(list(side)) for side in zip(*both, strict=True)]))
        slower = [
            f"{name} {found[1]['whole'] / found[0]['whole']:.2f}"
            for name, found in zip(names, table, strict=True)
            if len(found) > 1 and found[1] and found[1]["whole"] < found[0]["whole"]
        ]
        print(f"slower than the other: {', '.join(slower) or 'none'}")


if __name__ == "__main__":
    main()
