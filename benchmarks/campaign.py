"""How much faster a campaign is on Spark than the same blocks in this process, in one run.

    python benchmarks/campaign.py [--seconds S] [--cores N] [--rounds N]

All do the same blocks with the reference as the subject; each goes several times, in turn, and
its best time counts. Starting Spark (4 to 9 s) is not part of the time; everything that a
campaign does per block is: making, answering and judging trials, moving summaries, writing
tables. Plain processes that share nothing show what the machine has to give at the moment.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

from rich.console import Console

from evenkeel.harness.campaign.archive import archive_bytes
from evenkeel.harness.campaign.plan import CampaignPlan, blocks_of, check_plan
from evenkeel.harness.campaign.run import run_campaign
from evenkeel.harness.campaign.session import Spark, open_spark
from evenkeel.harness.seeded import Block, run_block
from evenkeel.harness.subjects.local import ReferenceSubject
from evenkeel.harness.unfrozen import unfreeze
from evenkeel.reference.edition import DOCUMENTED

TARGET = 1.8
"""How many times the single process's rate `local[2]` must reach."""


def single_rate(plan: CampaignPlan) -> float:
    """Trials per second of one process."""
    began = time.perf_counter()
    run_all(blocks_of(plan, check_plan(plan)))
    return plan.trials / (time.perf_counter() - began)


def run_all(blocks: list[Block]) -> None:
    """These blocks in this process, whose records cost as little as those of Spark's workers."""
    unfreeze()
    for block in blocks:
        run_block(block, ReferenceSubject(DOCUMENTED), DOCUMENTED)


def plain_rate(plan: CampaignPlan, cores: int) -> float:
    """Trials per second of so many processes that share the blocks evenly."""
    blocks = blocks_of(plan, check_plan(plan))
    with ProcessPoolExecutor(cores, get_context("spawn")) as pool:
        list(pool.map(run_all, [[] for _ in range(cores)]))
        began = time.perf_counter()
        list(pool.map(run_all, [blocks[start::cores] for start in range(cores)]))
        return plan.trials / (time.perf_counter() - began)


def spark_rate(plan: CampaignPlan, spark: Spark, folder: Path) -> float:
    """Trials per second of a campaign on Spark."""
    result = run_campaign(
        replace(plan, out=folder, master=spark.master),
        Console(stderr=True, quiet=True),
        spark,
    )
    if result.status != 0:
        raise SystemExit(result.summary)
    return float(result.data["rate"])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=20.0, help="about how long one run takes")
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    master = f"local[{options.cores}]"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # Few trials leave clauses unexercised; whether all are is not what is measured.
        small = CampaignPlan(5_000, 1, DOCUMENTED.name, folder, allow_unexercised=True)
        single_rate(small)
        trials = max(int(single_rate(small) * options.seconds), 20_000)
        plan = replace(small, trials=trials)
        with open_spark(master, folder / "spark.log", archive_bytes()) as spark:
            spark_rate(small, spark, folder / "warm")
            rounds = [
                (
                    single_rate(plan),
                    spark_rate(plan, spark, folder / str(number)),
                    plain_rate(plan, options.cores),
                )
                for number in range(options.rounds)
            ]
    single, fanned, plain = (max(rates) for rates in zip(*rounds, strict=True))
    ratio = fanned / single
    out = Console(highlight=False, soft_wrap=True, markup=False)
    out.print(f"{trials:,} trials, the best of {options.rounds} runs each")
    out.print(f"one process      {single:>10,.0f} trials/s")
    plainly = f"{options.cores} processes"
    out.print(f"{plainly:<16} {plain:>10,.0f} trials/s   ratio {plain / single:.2f}")
    out.print(f"{master:<16} {fanned:>10,.0f} trials/s   ratio {ratio:.2f}")
    out.print(f"target for Spark on two cores: ratio {TARGET}")
    sys.exit(0 if options.cores != 2 or ratio >= TARGET else 1)


if __name__ == "__main__":
    main()
