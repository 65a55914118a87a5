"""A balancer of right.py as an adapter on the wire.

python -m examples.contract.serve NAME
"""

from __future__ import annotations

import sys

from examples.contract.cluster import Balancer, Json
from examples.contract.right import RIGHT
from examples.miniatures import serve


def main(words: list[str]) -> None:
    """Serve the named balancer: each turn `open` makes a new one."""
    if len(words) != 1 or words[0] not in RIGHT:
        sys.exit(f"name one of {', '.join(RIGHT)}")
    asked: Balancer = RIGHT[words[0]]()

    def answer(turn: Json) -> Json:
        nonlocal asked
        if turn["do"] == "open":
            asked = RIGHT[words[0]]()
        return asked(turn)

    serve({"contract.rebalance": answer}, words[0])


if __name__ == "__main__":
    main(sys.argv[1:])
