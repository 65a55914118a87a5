"""`python -m docs.others` prints the table "What others keep" of how-to/check-your-own-strategy.md:
a row for each balancer whose adapter is built, and for Pulsar's five by the reference.
"""

import json
import subprocess
import sys
from pathlib import Path
from textwrap import shorten
from typing import Any, Final

from evenkeel.operate.operating.advice import CLASSES

ROOT: Final = Path(__file__).parents[1]
BALANCERS: Final = {
    "Kafka Connect 4.4.0": "adapters/kafka-connect/run",
    "Kafka Connect 3.3.2": "adapters/kafka-connect/run --kafka 3.3.2",
    "Pekko 1.7.0, new": "adapters/pekko/run",
    "Pekko 1.7.0, deprecated": "adapters/pekko/run --strategy deprecated",
    "Helix 2.0.1, CrushEd": "adapters/helix/run",
    "Helix 2.0.1, AutoRebalance": "adapters/helix/run --strategy AutoRebalance",
    "Helix 2.0.1, WAGED": "adapters/helix/run --strategy WAGED",
    **{f"Pulsar 4.0.8, {it}": f"reference:PULSAR_4_0:{name}" for it, name in CLASSES.items()},
}
CHECK: Final = "check --question contract.rebalance --profile ci --jobs 2 --format json --subject"
HEAD: Final = """\
| system | trials | hold | declined | violated, in trials | smallest trial found |
|---|---|---|---|---|---|
"""


def row(name: str, report: dict[str, Any]) -> str:
    """The row of a balancer, of what `evenkeel check` reports."""
    clauses = report["clauses"].values()
    failures = sorted(report["failures"], key=lambda one: int(one["clause"].removeprefix("CON-")))
    hold = sum("holds" in counts and "violated" not in counts for counts in clauses)
    declined = sum("declined" in counts for counts in clauses)
    violated = "; ".join(f"{one['clause']} in {one['trials']:,}" for one in failures) or "–"
    trials = sum(report["trials"].values())
    words = shorten(failures[0]["sentence"] if failures else "–", 150, placeholder=" …")
    return f"| {name} | {trials:,} | {hold} | {declined} | {violated} | {words} |\n"


if __name__ == "__main__":
    sys.stdout.write(HEAD)
    for system, words in BALANCERS.items():
        command = [sys.executable, "-m", "evenkeel", *CHECK.split(), words]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if not done.stdout and "is not built yet" not in done.stderr:
            sys.exit(f"{system}: {done.stderr}")
        out = sys.stdout if done.stdout else sys.stderr
        out.write(row(system, json.loads(done.stdout)) if done.stdout else done.stderr)
        out.flush()
