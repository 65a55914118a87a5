"""States per second of our exhaustive graphs beside TLC's, on the same model, in one run.

    python benchmarks/tlc.py --jar tla2tools.jar [--brokers N] [--attempts N] [--touches N]

The model is `benchmarks/tla/Race.tla`, which says what `models/splitting/life/graphs.py`
does. Both go through it with brokers that are alike told apart, and not; both must find the same
number of states. TLC works with one thread; what it takes to start, measured on a single broker, is
no part of its time. Processor seconds of both.
"""

from __future__ import annotations

import argparse
import re
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from rich.console import Console

from evenkeel.models.splitting.life.graphs import race_of

MODEL: Final = Path(__file__).with_name("tla") / "Race.tla"
FOUND: Final = re.compile(r"(\d+) states generated, (\d+) distinct states found, 0 states left")


@dataclass(frozen=True, slots=True)
class Scope:
    """How many brokers, with how many attempts each, beside how many other writes."""

    brokers: int
    attempts: int
    touches: int


@dataclass(frozen=True, slots=True)
class Explored:
    """How many distinct states there are, and the processor seconds that it took."""

    states: int
    seconds: float


def ours(scope: Scope, folded: bool) -> Explored:
    """Our graph, its brokers alike or told apart."""
    graph = race_of(scope.brokers, scope.attempts, scope.touches)
    if not folded:
        graph = graph.told_apart()
    began = time.process_time()
    reached, violations = graph.reach(graph.moves, most_violations=1)
    if violations:
        raise SystemExit(violations[0].sentence)
    return Explored(len(reached.states), time.process_time() - began)


def by_tlc(jar: Path, scope: Scope, folded: bool) -> Explored:
    """TLC's, with its start."""
    names = ", ".join(f"b{number}" for number in range(scope.brokers))
    settings = [
        "SPECIFICATION Spec",
        "INVARIANT NothingIsLost",
        f"CONSTANTS Brokers = {{{names}}} Attempts = {scope.attempts} Touches = {scope.touches}",
        *(["SYMMETRY Alike"] if folded else []),
    ]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "Race.cfg").write_text("\n".join(settings) + "\n")
        (folder / "Race.tla").write_text(MODEL.read_text())
        java = ["java", "-XX:+UseSerialGC", "-cp", str(jar.resolve()), "tlc2.TLC"]
        before = children_seconds()
        done = subprocess.run(
            [*java, "-deadlock", "-workers", "1", "-config", "Race.cfg", "Race.tla"],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
    found = FOUND.search(done.stdout)
    if done.returncode or found is None:
        raise SystemExit(f"TLC ended with {done.returncode}: {done.stdout}{done.stderr}")
    return Explored(int(found[2]), children_seconds() - before)


def children_seconds() -> float:
    """Processor seconds of all children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jar", type=Path, required=True, help="tla2tools.jar")
    parser.add_argument("--brokers", type=int, default=4)
    parser.add_argument("--attempts", type=int, default=2)
    parser.add_argument("--touches", type=int, default=1)
    options = parser.parse_args()
    scope = Scope(options.brokers, options.attempts, options.touches)
    out = Console(highlight=False, soft_wrap=True, markup=False)
    starting = by_tlc(options.jar, replace(scope, brokers=1), folded=False).seconds
    out.print(f"{scope.brokers} brokers; TLC starts in {starting:.1f} s, which is taken off")
    same = True
    for folded in (False, True):
        here, there = ours(scope, folded), by_tlc(options.jar, scope, folded)
        same &= here.states == there.states
        rate = here.states / here.seconds
        other = there.states / max(there.seconds - starting, 0.01)
        out.print(
            f"{'alike' if folded else 'told apart':<11} {here.states:>9,} and {there.states:>9,} "
            f"states, {rate:>8,.0f} and {other:>8,.0f} a second, ratio {rate / other:.2f}"
        )
    sys.exit(0 if same else "The two do not find the same states.")


if __name__ == "__main__":
    main()
