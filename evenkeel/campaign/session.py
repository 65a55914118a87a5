"""A Spark context for campaigns: small, quiet, and on the Java that `java.py` chose.

Whatever Spark's JVM and workers write goes to a log file, never to the user's terminal.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final, TypeVar

from evenkeel.campaign.archive import write_archive
from evenkeel.campaign.errors import CampaignUnusable
from evenkeel.campaign.java import Java, choose_java

T = TypeVar("T")
R = TypeVar("R")

ATTEMPTS: Final = 4
"""How often a task is tried: a worker that dies takes its task with it."""

LONGEST_SOCKET_FOLDER: Final = 60
"""A Unix socket's path has about 100 bytes, and Spark's socket names take 42 of them."""

_LOCAL: Final = re.compile(r"local(?:\[(\*|[1-9]\d{0,3})\])?")

_LOGGING: Final = """\
rootLogger.level = warn
rootLogger.appenderRef.stderr.ref = stderr
appender.stderr.type = Console
appender.stderr.name = stderr
appender.stderr.target = SYSTEM_ERR
appender.stderr.layout.type = PatternLayout
appender.stderr.layout.pattern = %d{HH:mm:ss} %p %c{1}: %m%n%ex
"""


@dataclass(frozen=True, slots=True)
class Spark:
    """An open Spark context. `cores` is how many tasks run at a time, `code` the digest of the
    zip that the workers have.
    """

    context: Any
    master: str
    cores: int
    java: Java
    code: str

    def each(
        self, work: Callable[[Iterable[T]], Iterable[R]], tasks: Sequence[Sequence[T]]
    ) -> list[R]:
        """Run `work` on the items of each task in a worker; all results, in no set order."""
        rdd = self.context.parallelize(tasks, len(tasks))
        results: list[R] = rdd.mapPartitions(_Opened(work)).collect()
        return results


@dataclass(frozen=True, slots=True)
class _Opened:
    """Calls `work` with the items of a partition's one task."""

    work: Callable[[Iterable[Any]], Iterable[Any]]

    def __call__(self, tasks: Iterable[Sequence[Any]]) -> Iterator[Any]:
        return iter(self.work(item for task in tasks for item in task))
