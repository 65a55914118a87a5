"""How long a check takes until it finds each defect of docs/track-record.md.

    python benchmarks/time_to_find.py [--seconds 600] [--again] [--to FILE] [TEXT ...]

What `evenkeel check --clause … --stop-at-first` does is done for each check of the page, with one
process for each subject, until the clause first fails or the time is over. Trials and seconds are
stored by command. What was measured is left out, unless `--again`; with TEXT only commands in which
all of these are get measured.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

from evenkeel.reference.edition import EDITIONS
from evenkeel.report.track_record import BUDGET, SEED, TIMES, FirstCheck, Time, measured, tables
from evenkeel_engine.check.blocks import Part, rounds_of, run_blocks
from evenkeel_engine.check.tally import Tally
from evenkeel_engine.files import write_file
from evenkeel_engine.kit.catalogue import questions_of
from evenkeel_engine.subjects.base import Subject, offers
from evenkeel_engine.subjects.choose import open_subject


def checks() -> dict[str, FirstCheck]:
    """The checks of the page by command, in its order."""
    before, since, ours = tables()
    return {row.check.command: row.check for row in (*since, *ours, *before) if row.check}


def time_of(check: FirstCheck, subject: Subject, budget: float) -> Time:
    """Run a check within the budget."""
    edition, clauses = EDITIONS[check.edition], check.clauses.split()
    asked = questions_of([], clauses, edition, [check.question] if check.question else [])
    parts = [Part(one, 0) for one in asked if offers(subject, one.name)]
    began, tally = time.monotonic(), Tally()

    def enough(so_far: Tally) -> bool:
        return bool(so_far.failures) or time.monotonic() - began >= budget

    run_blocks(rounds_of(parts, SEED), subject, edition, clauses, lambda *_: None, tally, enough)
    took = round(time.monotonic() - began, 1)
    return Time(sum(tally.trials.values()), took, bool(tally.failures))


def time_checks(asked: Iterable[FirstCheck], budget: float) -> Iterator[tuple[FirstCheck, Time]]:
    """Each check with its time, those of one subject after each other."""
    by_subject: dict[tuple[str, str], list[FirstCheck]] = {}
    for one in asked:
        by_subject.setdefault((one.subject, one.edition), []).append(one)
    for (subject, edition), those in by_subject.items():
        with closing(open_subject(subject, EDITIONS[edition])) as opened:
            yield from ((one, time_of(one, opened, budget)) for one in those)


def write(path: Path, times: dict[str, Time], order: Sequence[str]) -> None:
    """Store the times of the commands that the page has, one on each line."""
    rows = [f"{json.dumps(one)}: {json.dumps(asdict(times[one]))}" for one in order if one in times]
    write_file(path, "{\n" + ",\n".join(rows) + "\n}\n")


def main() -> None:
    """Measure what is missing, and store it after each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=BUDGET)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--to", type=Path, default=TIMES)
    parser.add_argument("text", nargs="*")
    options = parser.parse_args()
    known_, times = checks(), measured()
    named = {c: one for c, one in known_.items() if all(t in c for t in options.text)}
    asked = [one for c, one in named.items() if options.again or c not in times]
    for check, found in time_checks(asked, options.seconds):
        times[check.command] = found
        write(options.to, times, [*known_])
        print(f"{found.text}: {check.command}", flush=True)
    write(options.to, times, [*known_])


if __name__ == "__main__":
    main()
