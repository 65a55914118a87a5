"""How fast trials go over the wire: `python benchmarks/wire.py [TRIALS]`.

All rates are taken in one run on one machine; read the ratios, not the numbers.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import Final

from evenkeel.harness.seeded import Block, asks
from evenkeel.harness.subjects.base import Ask, Subject
from evenkeel.harness.subjects.local import ReferenceSubject
from evenkeel.harness.subjects.process import ProcessSubject
from evenkeel.harness.subjects.session import Limits
from evenkeel.properties.catalogue import QUESTIONS
from evenkeel.reference.edition import DOCUMENTED

ECHO: Final = """
import json, sys
sys.stdin.readline()
hello = dict(type="hello", protocol=1, name="echo", version="", language="python", options=[])
print(json.dumps(hello | {"questions": ["bundles.range"]}), flush=True)
answer = '{"type":"observation","id":%d,"refused":{"reason":"","detail":""}}\\n'
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "bye":
        break
    sys.stdout.write(answer % message["id"])
    sys.stdout.flush()
"""


def rate(subject: Subject, trials: Sequence[Ask]) -> float:
    """Trials per second, the best of three runs."""
    best = float("inf")
    for _ in range(3):
        began = time.perf_counter()
        answered = sum(1 for _ in subject.replies(trials))
        assert answered == len(trials)
        best = min(best, time.perf_counter() - began)
    return len(trials) / best


def main() -> None:
    """Print the rates."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    blocks = {name: list(asks(Block(name, 1, 0, count // 10))) for name in QUESTIONS}
    served = [sys.executable, "-m", "evenkeel.harness.subjects.serve"]
    print(f"{'':27}{'in process':>12}{'wire':>12}{'ratio':>8}")
    local, wire = ReferenceSubject(DOCUMENTED), ProcessSubject(served)
    for name, trials in blocks.items():
        here, there = rate(local, trials), rate(wire, trials)
        print(f"{name:27}{here:>10,.0f}/s{there:>10,.0f}/s{there / here:>8.2f}")
    wire.close()
    trials = list(asks(Block("bundles.range", 1, 0, count)))
    rates = {}
    for ahead in (1, 128):
        echo = ProcessSubject([sys.executable, "-c", ECHO], limits=Limits(trials_ahead=ahead))
        rates[ahead] = rate(echo, trials)
        print(f"echo, {ahead:3} ahead {rates[ahead]:>36,.0f}/s")
        echo.close()
    print(f"sending ahead gains {rates[128] / rates[1]:.1f}")


if __name__ == "__main__":
    main()
