"""Conversations of `contract.rebalance` by size of the cluster: asked, judged, and on the wire.

    python benchmarks/conversations.py [--rounds N] [--size NODES UNITS LAST] [--wire COMMAND]

The balancer moves one unit a round from the fullest node to the emptiest; the last load changes in
round LAST. Of N times the least counts.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

from evenkeel.properties.contract.rebalance import REBALANCE
from evenkeel.properties.contract.rebalance.trials import Compare, Rebalance
from evenkeel.reference.contract.course import Change, Node, Unit
from evenkeel_engine.check.fast_dataclasses import unfreeze
from evenkeel_engine.content import PROMISED
from evenkeel_engine.kit.catalogue import clauses_for
from evenkeel_engine.kit.question import judge
from evenkeel_engine.subjects.base import Observed, Subject, reply_to
from evenkeel_engine.subjects.choose import open_subject
from evenkeel_engine.subjects.functions import FunctionSubject

SIZES = ((6, 20, 24), (10, 100, 54))
PROMISES = {
    "measure": "load",
    "trigger": 8,
    "lessens": "move",
    "fullest_first": True,
    "most_moves": 1,
    "rests_within": 60,
}


class OneAtATime:
    """Moves the first unit of the fullest node to the emptiest."""

    def __call__(self, turn: dict[str, Any]) -> dict[str, Any]:
        """The answer to a turn."""
        if turn["do"] == "open":
            return {"promises": PROMISES}
        held: dict[str, list[dict[str, Any]]] = {node["name"]: [] for node in turn["nodes"]}
        for unit in turn["units"]:
            held[unit["node"]].append(unit)
        load = {name: sum(unit["load"] for unit in units) for name, units in held.items()}
        most, least = (choose(load, key=lambda name: load[name]) for choose in (max, min))
        if load[most] - load[least] <= PROMISES["trigger"]:
            return {}
        return {"moves": [{"unit": held[most][0]["name"], "from": most, "to": least}]}


def make_trial(nodes: int, units: int, last: int) -> Rebalance:
    """A cluster with most units on the first node, whose last event is in this round."""
    placed = (f"n{index * index % 7 % nodes if index % 2 else 0}" for index in range(units))
    changes = (Change(last, 2),)
    return Rebalance(
        tuple(Node(f"n{index}") for index in range(nodes)),
        tuple(
            Unit(f"u{index:03}", 1 + index % 4, node, changes=() if index else changes)
            for index, node in enumerate(placed)
        ),
        *(0, 5, 0, 0, (), Compare.NOTHING),
    )


def measure(subject: Subject, trial: Rebalance) -> tuple[float, float]:
    """Seconds that asking takes, and judging."""
    clauses = clauses_for(REBALANCE.name, PROMISED)
    began = time.perf_counter()
    reply = reply_to(subject, REBALANCE, trial)
    asked = time.perf_counter()
    assert isinstance(reply, Observed), reply
    judge(REBALANCE, clauses, trial, reply.observation, PROMISED)
    return asked - began, time.perf_counter() - asked


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--size", type=int, nargs=3, action="append")
    parser.add_argument("--wire", help="a command that answers contract.rebalance")
    options = parser.parse_args()
    unfreeze(REBALANCE.name)
    balancer: type[Any] = OneAtATime
    subjects: list[Subject] = [FunctionSubject({REBALANCE.name: balancer}, "in Python")]
    subjects += [open_subject(options.wire, PROMISED)] if options.wire else []
    for size in options.size or SIZES:
        trial = make_trial(*size)
        for subject in subjects:
            times = [measure(subject, trial) for _ in range(options.rounds)]
            asked, judged = (min(column) for column in zip(*times, strict=True))
            words = "{} nodes, {} units, {} rounds and some more".format(*size)
            ms = f"asked in {1e3 * asked:.1f} ms, judged in {1e3 * judged:.1f} ms"
            print(f"{words}, {subject.name}: {ms}, {1 / (asked + judged):.0f} a second")
    for subject in subjects:
        subject.close()


if __name__ == "__main__":
    main()
