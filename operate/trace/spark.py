"""Judging a large log on Spark: pieces of the file are read apart, bundles judged apart.

The file must be readable by every worker under the same path.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

from evenkeel.operate.trace import worker
from evenkeel.operate.trace.judging import Judged, finish_verdicts, names_in, overlap_findings
from evenkeel.operate.trace.rows import BadLog
from evenkeel.operate.trace.source import Source, first_damage, open_source
from evenkeel.properties.ownership.trace import Rules, TraceVerdict, overlapping
from evenkeel_engine.campaign.archive import PARTS
from evenkeel_engine.campaign.progress import wait_for
from evenkeel_engine.campaign.session import Spark
from evenkeel_engine.stopping import Stopped

T = TypeVar("T")

MODULES: Final = ("__init__", "judging", "lines", "parquet", "rows", "source", "worker")
WORKERS_NEED: Final[Mapping[str, Sequence[str]]] = {
    **PARTS,
    "evenkeel.operate": ("__init__.py",),
    "evenkeel.operate.trace": tuple(f"{name}.py" for name in MODULES),
}
"""What of packages that are not needed whole goes into the workers' zip."""

PIECES_PER_CORE: Final = 4
PARTITIONS_PER_CORE: Final = 4
SMALLEST_PIECE: Final = 1 << 20
LARGEST_PIECE: Final = 1 << 26
"""Bytes of a log that one task reads."""

WORTHWHILE: Final = {"bytes": 1 << 27, "rows": 700_000}
"""A smaller log is judged in one process before Spark has started, which takes 4 to 9 s."""

Advance = Callable[[str, int], None]
Progress = Callable[[str, int, str], AbstractContextManager[Advance]]
"""Shows how far a work is: what it is called, how much there is to do, in which unit."""


def judge_on_spark(path: Path, rules: Rules, spark: Spark, progress: Progress) -> Judged:
    """Judge a log with the same result as in one process. Raises `BadLog`, `CampaignUnusable`."""
    return _Judging(path, rules, spark, progress).run()


def piece_size(path: Path, cores: int) -> int:
    """How many bytes one task reads."""
    try:
        size = path.stat().st_size
    except OSError:
        return LARGEST_PIECE  # opening it says what is wrong
    return min(max(size // (cores * PIECES_PER_CORE) + 1, SMALLEST_PIECE), LARGEST_PIECE)


class _Judging:
    """One log on Spark."""

    def __init__(self, path: Path, rules: Rules, spark: Spark, progress: Progress) -> None:
        self._source = open_source(path, piece_size(path, spark.cores))
        self._rules, self._spark, self._progress = rules, spark, progress
        self._order = worker.TraceOrder(rules.storage.value, rules.edition.name, rules.skew)
        self._partitions = spark.cores * PARTITIONS_PER_CORE
        self._read = spark.context.accumulator(0)
        self._judged = spark.context.accumulator(0)
        tasks = [(task,) for task in self._source.tasks]
        work = partial(worker.read_tasks, self._partitions, worker.Count(self._read))
        self._blocks = (
            spark.context.parallelize(tasks, max(len(tasks), 1))
            .mapPartitions(work)
            .partitionBy(self._partitions + 1, int)
        )

    def run(self) -> Judged:
        """All of it."""
        source = self._source
        with self._progress("read", source.total, source.unit) as advance:
            headers = self._job(worker.headers_of, [self._partitions], self._read, advance)
        names, cut = check_log(source, headers)
        pairs = list(overlapping(names))
        work = partial(
            worker.judge_partition, self._order, names_in(pairs), worker.Count(self._judged)
        )
        with self._progress("judge", sum(header.events for header in headers), "events") as advance:
            judged = self._job(work, range(self._partitions), self._judged, advance)
        verdicts = {verdict.bundle: verdict for verdict in judged}
        return Judged(finish_verdicts(verdicts, self._overlaps(verdicts, pairs)), cut)

    def _overlaps(
        self, verdicts: dict[str, TraceVerdict], pairs: Sequence[tuple[str, str]]
    ) -> list[TraceVerdict]:
        found = overlap_findings(verdicts, pairs, self._rules)
        where = sorted({worker.partition_of(name, self._partitions) for name in found})
        if not where:
            return []
        work = partial(worker.add_to_partition, {name: verdicts[name] for name in found}, found)
        with self._progress("overlaps", len(where), "partitions") as advance:
            return self._job(work, where, self._judged, advance)

    def _job(
        self, work: Callable[[Any], list[T]], where: Sequence[int], done: Any, advance: Advance
    ) -> list[T]:
        """One Spark job, in another thread, so that this one can show how far it is."""
        shown = done.value

        def show() -> None:
            nonlocal shown
            more, shown = done.value - shown, done.value
            advance(self._source.path.name, more)

        with ThreadPoolExecutor(1) as pool:
            job = pool.submit(self._run, work, where)
            try:
                return wait_for(job, show)
            except (KeyboardInterrupt, Stopped):
                self._spark.context.cancelAllJobs()
                raise

    def _run(self, work: Callable[[Any], list[T]], where: Sequence[int]) -> list[T]:
        with self._spark.report_errors():
            found: list[T] = self._spark.context.runJob(self._blocks, work, list(where))
            return found


def check_log(source: Source, headers: Sequence[worker.Header]) -> tuple[list[str], Any]:
    """The bundles of a log, and where it is cut off. Raises `BadLog`."""
    if errors := sorted(header.error for header in headers if header.error is not None):
        raise BadLog(errors[0])
    names = sorted({name for header in headers for name in header.bundles})
    return names, first_damage(source, [header.damage for header in headers], len(names))
