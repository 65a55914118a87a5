"""How often each release of Apache Pulsar answers as the edition that models it.

    python benchmarks/agreement.py [--trials 200000] [--generator independent] [--minutes N]
                                   [--release V ...] [--question Q ...] [--to FILE]

All releases that are built get the same trials, and compile with C2, too, unless JIT_LEVEL is set.
What was counted is stored, and the next run continues there. Exit status 1 if a clause objects to
an answer, a judge gives up, or an adapter fails; 2 if an adapter does not start (5.0.1 needs
JAVA_HOME to be of Java 21 or later, which suits all).
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from evenkeel.cli.options import Generator, seed_of
from evenkeel.harness.agreement import EDITION_OF, Job, started, work
from evenkeel.harness.check import BLOCK
from evenkeel.harness.pool import cores, in_workers
from evenkeel.harness.seeded import Block
from evenkeel.harness.subjects import pulsar
from evenkeel.harness.subjects.process import SubjectUnusable
from evenkeel.harness.subjects.pulsar import version_key
from evenkeel.properties.catalogue import QUESTIONS
from evenkeel.report.agreement import AIM, DATA, Counts, read, write

SEED: Final = 1


def jobs(options: argparse.Namespace, counts: Counts) -> Iterator[list[Job]]:
    """For each question the blocks that are missing; releases that have as many trials go together.

    A release is asked what its adapter says that it can be. Raises `SubjectUnusable`.
    """
    offered = {}
    for release in options.release:
        with closing(started(release)) as subject:
            offered[release] = subject.questions
    for question in options.question or QUESTIONS:
        starts: dict[int, list[str]] = {}
        for release in (one for one in options.release if question in offered[one]):
            known = counts.get((options.generator, question, release), Counter())
            starts.setdefault(known.total(), []).append(release)
        yield [
            Job(block_of(options, question, start), tuple(releases))
            for first, releases in starts.items()
            for start in range(first, options.trials, BLOCK)
        ]


def block_of(options: argparse.Namespace, question: str, start: int) -> Block:
    """The trials that are put next."""
    seed = seed_of(Generator(options.generator), SEED)
    return Block(question, seed, start, min(BLOCK, options.trials - start))


def options_of(words: Sequence[str] | None) -> argparse.Namespace:
    """The options; by default all releases that are built, the oldest first."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--trials", type=int, default=AIM)
    parser.add_argument("--generator", choices=[*Generator], default=Generator.OWN)
    parser.add_argument("--minutes", type=float, default=float("inf"))
    built = [one for one in EDITION_OF if pulsar.is_built(version=one)]
    known = sorted(built, key=version_key)
    parser.add_argument("--release", action="append", choices=known)
    parser.add_argument("--question", action="append", choices=[*QUESTIONS])
    parser.add_argument("--to", type=Path, default=DATA)
    options = parser.parse_args(words)
    options.release = options.release or known
    return options


def main(words: Sequence[str] | None = None) -> int:
    """Put what is missing, until the time is over; store it after each block."""
    os.environ.setdefault("JIT_LEVEL", "4")
    options = options_of(words)
    counts, ends = read(options.to), time.monotonic() + options.minutes * 60
    try:
        groups = [*jobs(options, counts)]
    except SubjectUnusable as unusable:
        print(unusable, file=sys.stderr)
        return 2
    status = 0
    with closing(in_workers(work, groups, cores())) as done:
        for job, found in done:
            for release, came_to in found.counts.items():
                counts[options.generator, job.block.question, release] += came_to
            write(counts, options.to)
            for one in found.open:
                print(one, flush=True)
                status = 1
            if job.block.start + job.block.count == options.trials:
                print(f"{job.block.question}: {', '.join(job.releases)}", flush=True)
            if time.monotonic() > ends:
                break
    return status


if __name__ == "__main__":
    sys.exit(main())
