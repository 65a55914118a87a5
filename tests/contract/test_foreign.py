"""Balancers that are not Pulsar's break what is known of them, and what mends it holds.

Each needs its adapter, built by Maven as its README says; what is not built is left out.
"""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from evenkeel.properties.contract.rebalance import REBALANCE
from evenkeel.properties.contract.rebalance.trials import Compare, Rebalance
from evenkeel.reference.contract.course import Node, Unit
from evenkeel.reference.edition import DOCUMENTED
from evenkeel_engine.kit.catalogue import list_breaches
from evenkeel_engine.subjects.base import Observed, reply_to
from evenkeel_engine.subjects.process import ProcessSubject, SubjectUnusable

ADAPTERS = Path(__file__).parents[2] / "adapters"


def cluster(places: str, *joins: int, order: int | None = None) -> Rebalance:
    """Nodes that join in these rounds, and a unit on the node of each digit; asked again in
    another order, if one is given.
    """
    nodes = tuple(Node(f"n{index}", joins=joins[index]) for index in range(len(joins)))
    units = tuple(Unit(f"u{index}", 1, f"n{node}") for index, node in enumerate(places))
    compare = Compare.NOTHING if order is None else Compare.LISTED
    return Rebalance(nodes, units, 0, order or 0, 0, 0, (), compare)


AKKA_26012 = cluster("0", 0, 0)
AKKA_23830 = cluster("00", 0, 0)
AKKA_32928 = cluster("0000333", 0, 0, 0, 0)
KAFKA_12495 = cluster("000000", 0, 1, 2)
HELIX_940 = cluster("000011112222", 0, 0, 0, order=0)
HELIX_650 = cluster("00010", 0, 0, 0, 0, 5)
DOWN = (Node("n0"), Node("n1"), Node("n2", leaves=1, stays=True))
HELIX_DOWN = replace(cluster("00", 0, 0, 0), nodes=DOWN)
OF_ALL = (AKKA_26012, AKKA_23830, AKKA_32928, KAFKA_12495, HELIX_650, HELIX_DOWN)

KNOWN = [
    ("pekko/run --akka 2.5.18 --threshold 1 --max 2", AKKA_26012, "CON-19"),
    ("pekko/run --akka 2.5.6 --threshold 2 --max 5", AKKA_23830, "CON-10"),
    ("pekko/run --strategy new --absolute 1", AKKA_32928, "CON-13"),
    ("kafka-connect/run --kafka 3.3.2", KAFKA_12495, "CON-20"),
    ("helix/run --strategy CrushEd", HELIX_940, "CON-23"),
    ("helix/run --strategy CrushEd", HELIX_DOWN, "CON-20"),
    ("helix/run --strategy WAGED", HELIX_650, "CON-16"),
]
MENDED = (
    "pekko/run --strategy deprecated --threshold 1 --max 2",
    "kafka-connect/run",
    "helix/run --strategy AutoRebalance",
)


def start_balancer(command: str) -> ProcessSubject:
    """A balancer; skips if it is not built."""
    program, *words = command.split()
    try:
        return ProcessSubject([str(ADAPTERS / program), *words])
    except SubjectUnusable as unusable:
        if "is not built yet" not in str(unusable):
            raise
        pytest.skip(str(unusable))


def list_violated(command: str, *trials: Rebalance) -> list[set[str]]:
    """The clauses that a balancer violates in each trial."""
    with closing(start_balancer(command)) as subject:
        return [judge_trial(subject, trial) for trial in trials]


def judge_trial(subject: ProcessSubject, trial: Rebalance) -> set[str]:
    """The clauses that are violated in a trial."""
    reply = reply_to(subject, REBALANCE, trial)
    assert isinstance(reply, Observed), reply
    breaches = list_breaches(REBALANCE, DOCUMENTED, trial, reply.observation)
    return {verdict.clause for verdict in breaches}


@pytest.mark.parametrize(("command", "trial", "clause"), KNOWN)
def test_a_known_defect_is_found_by_its_clause(command: str, trial: Rebalance, clause: str) -> None:
    assert clause in list_violated(command, trial)[0]


@pytest.mark.slow
@pytest.mark.parametrize(("command", "clause"), [(known[0], known[2]) for known in KNOWN])
def test_a_known_defect_is_found_within_a_minute(command: str, clause: str) -> None:
    start_balancer(command).close()
    words = f"check --question {REBALANCE.name} --clause {clause} --for 60s --stop-at-first"
    ask = [*words.split(), "--no-last-failures", "--subject", str(ADAPTERS / command)]
    done = subprocess.run(
        [sys.executable, "-m", "evenkeel", *ask], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert clause in done.stdout


@pytest.mark.parametrize("command", MENDED)
def test_where_it_is_mended_nothing_is_found(command: str) -> None:
    assert list_violated(command, *OF_ALL) == [set()] * len(OF_ALL)
