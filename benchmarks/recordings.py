"""Peak memory and time of `evenkeel operate trace DIR` against a recording's length.

    python benchmarks/recordings.py [--hours 6 24 168] [--of everything-4.0.8]

A recorded cluster is repeated until it is so long: the same polls, lookups, reports and lines of
the log again and again. Ownership records come once: repeated they would be others.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from evenkeel.operate.recording.entries import Entry
from evenkeel.operate.recording.store import ABOUT, WHOLE, entries, schema, table_of

RECORDED = Path(__file__).parent.parent / "counterexamples" / "recorded-clusters"
ONCE = ("channel", "node")
GROUP = 20_000
MEASURED = """
import resource, sys, time
from evenkeel.cli.main import main
began = time.process_time()
try:
    main()
finally:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{peak:.0f} {time.process_time() - began:.1f}", file=sys.stderr)
"""


def main() -> None:
    """A line for each length."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hours", type=float, nargs="+", default=[6, 24])
    parser.add_argument("--of", default="everything-4.0.8")
    options = parser.parse_args()
    print(f"{'hours':>6} {'entries':>10} {'MB on disk':>10} {'peak MB':>8} {'CPU s':>7}")
    for hours in options.hours:
        with tempfile.TemporaryDirectory() as folder:
            count = write(Path(folder), RECORDED / options.of, hours)
            size = (Path(folder) / WHOLE).stat().st_size / 1e6
            command = [sys.executable, "-c", MEASURED, "operate", "trace", folder]
            command += ["--edition", "PULSAR_4_0"]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            peak, seconds = done.stderr.split()[-2:]
            print(f"{hours:>6g} {count:>10,} {size:>10.1f} {peak:>8} {seconds:>7}", flush=True)
            print(f"       {done.stdout.splitlines()[-1]}")


def write(folder: Path, recorded: Path, hours: float) -> int:
    """Make the recording; how many entries it has."""
    import pyarrow.parquet as pq  # noqa: PLC0415

    shutil.copy(recorded / ABOUT, folder / ABOUT)
    count, made = 0, repeated(list(entries(recorded)), hours)
    with pq.ParquetWriter(folder / WHOLE, schema(), compression="zstd") as writer:
        while group := list(islice(made, GROUP)):
            writer.write_table(table_of(group))
            count += len(group)
    return count


def repeated(recorded: list[Entry], hours: float) -> Iterator[Entry]:
    """The entries again and again, later each time."""
    first, last = recorded[0].time, recorded[-1].time
    again = [entry for entry in recorded if entry.source not in ONCE]
    whole = round(hours * 3_600_000)
    for later in range(0, whole, last - first + 2000):
        for entry in again if later else recorded:
            clock = None if entry.clock is None else entry.clock + later
            yield entry._replace(time=entry.time + later, clock=clock)


if __name__ == "__main__":
    main()
