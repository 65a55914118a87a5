"""How many events per second `evenkeel operate trace` judges on one core, and on Spark, in one run.

    python benchmarks/trace.py [--events N] [--cores N] [--rounds N]

The log is made up, as 4.0 writes it: bundles are assigned, transferred, unloaded, removed again
and again, all of it seen by three brokers whose clocks differ. Both ways read the same file and
come to the same verdicts, which is checked; each goes several times, in turn, and its best time
counts.
Starting Spark (4 to 9 s) is not part of the time; reading the file is. On a machine with other
work two processes may be no faster than one, whatever they do; so in each round as many plain
processes as cores, without Spark, judge a log of its share each: no ratio can be expected to
exceed theirs.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from evenkeel.harness.campaign.archive import archive_bytes
from evenkeel.harness.campaign.session import Spark, open_spark
from evenkeel.operate.trace.judging import Judged, judge_rows, read_log
from evenkeel.operate.trace.lines import to_line
from evenkeel.operate.trace.source import open_source
from evenkeel.operate.trace.spark import WORKERS_NEED, Advance, judge_on_spark
from evenkeel.properties.ownership.trace import Rules, Status
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.ownership.records import Storage

BROKERS = 10
NAMES = [f"broker-{number}:8080" for number in range(BROKERS)]
BUNDLES = 500
OBSERVERS = (0, 3, 7)
"""The brokers whose logs are there."""

TARGET = 1.3
"""How many times one core's rate `local[2]` must reach."""

RULES = Rules(Storage.TOPIC, PULSAR_4_0, 1000)


def records(rng: random.Random) -> Iterator[tuple[str, str | None, str | None, int | None]]:
    """One life: assigned, transferred a few times, unloaded, removed."""
    owner, version = rng.choice(NAMES), 2
    yield "Assigning", owner, None, 1
    yield "Owned", owner, None, 2
    for _ in range(rng.randrange(4)):
        other = rng.choice([name for name in NAMES if name != owner])
        for state in ("Releasing", "Assigning", "Owned"):
            version += 1
            yield state, other, owner, version
        owner = other
    yield "Releasing", None, owner, version + 1
    yield "Free", None, owner, version + 2
    yield "Init", None, None, None


def write_log(path: Path, events: int) -> int:
    """Write a log of at least so many events; how many."""
    rng, written, now = random.Random(1), 0, 1_700_000_000_000
    clocks = [rng.randrange(-300, 300) for _ in range(BROKERS)]
    width = 2**32 // BUNDLES
    names = [f"public/default/0x{i * width:08x}_0x{(i + 1) * width:08x}" for i in range(BUNDLES)]
    with path.open("w", encoding="utf-8") as file:
        while written < events:
            bundle = names[rng.randrange(BUNDLES)]
            for state, owner, source, version in records(rng):
                now += rng.randrange(5, 60)
                for number in OBSERVERS:
                    fields: dict[str, Any] = {
                        "time": now + clocks[number],
                        "broker": NAMES[number],
                        "bundle": bundle,
                        "state": state,
                        "owner": owner,
                        "source": source,
                        "version": version,
                        "force": False,
                    }
                    file.write(to_line(fields))
                    written += 1
    return written


def here(path: Path) -> Judged:
    """In this process."""
    rows, cut = read_log(open_source(path), lambda amount: None)
    return Judged(judge_rows(rows, RULES, lambda amount: None), cut)


@contextmanager
def quiet(title: str, total: int, unit: str) -> Iterator[Advance]:
    """No progress is shown."""
    yield lambda what, amount: None


def timed(path: Path, spark: Spark | None) -> tuple[float, Judged]:
    """Seconds, and the result."""
    began = time.perf_counter()
    judged = here(path) if spark is None else judge_on_spark(path, RULES, spark, quiet)
    return time.perf_counter() - began, judged


def plain(path: Path, processes: int) -> float:
    """Seconds in which so many processes, each for itself, judge this log."""
    spawn = get_context("spawn")
    with ProcessPoolExecutor(processes, spawn) as pool:
        list(pool.map(abs, range(processes)))  # they have started
        began = time.perf_counter()
        list(pool.map(judge_share, [path] * processes))
        return time.perf_counter() - began


def judge_share(path: Path) -> int:
    """How many events there are; they are judged."""
    return here(path).events


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--events", type=int, default=2_000_000)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    master = f"local[{options.cores}]"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        small, path, share = folder / "small.jsonl", folder / "log.jsonl", folder / "share.jsonl"
        write_log(small, 20_000)
        events = write_log(path, options.events)
        write_log(share, options.events // options.cores)
        with open_spark(master, folder / "spark.log", archive_bytes(WORKERS_NEED)) as spark:
            timed(small, spark)
            rounds = [
                (timed(path, None), timed(path, spark), plain(share, options.cores))
                for _ in range(options.rounds)
            ]
    if any(one[1] != other[1] for one, other, _ in rounds):
        raise SystemExit("the verdicts differ")
    if rounds[0][0][1].status is not Status.EXPLAINED:
        raise SystemExit("the log is not explained")
    single = events / min(one[0] for one, _, _ in rounds)
    fanned = events / min(other[0] for _, other, _ in rounds)
    possible = events / min(seconds for _, _, seconds in rounds)
    print(f"{events:,} events of {BUNDLES} bundles, the best of {options.rounds} runs each")
    print(f"one core         {single:>10,.0f} events/s")
    print(f"{master:<16} {fanned:>10,.0f} events/s   ratio {fanned / single:.2f}")
    words = f"{options.cores} processes"
    print(f"{words:<16} {possible:>10,.0f} events/s   ratio {possible / single:.2f}, without Spark")
    print(f"target for Spark on two cores: ratio {TARGET}")
    sys.exit(0 if options.cores != 2 or fanned / single >= TARGET else 1)


if __name__ == "__main__":
    main()
