"""Moves that help lessen the sum of squares, so that they end; and every small cluster comes to
rest, as even as it can be (CON-10, CON-19, CON-21).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Final

import z3

from evenkeel.properties.contract.rebalance.trials import Compare, Rebalance
from evenkeel.reference.contract.allowed import measure_nodes
from evenkeel.reference.contract.balancer import Balancer
from evenkeel.reference.contract.course import Node, Unit
from evenkeel.reference.contract.promises import Measure
from evenkeel.reference.contract.turn import LONG_AGO, Kind, NodeView, Turn, UnitView
from evenkeel_engine.proofs.assumptions import Step, hypothesis
from evenkeel_engine.proofs.graph import Broken, Graph, Move
from evenkeel_engine.proofs.terms import Model, Scope, Term, number, run
from evenkeel_engine.proofs.theorem import CrossCheck, ReferenceMutant, Theorem

FULL, OTHER, WEIGHT = z3.Ints("full other weight")
SEED: Final = 2
"""The style of the reference that evens loads out, with a trigger of 0."""


def square(first: Term, second: Term) -> Term:
    """The sum of the squares of two nodes."""
    return first * first + second * second


def steps(scope: Scope) -> tuple[Step, ...]:
    """A whole unit goes from a node to another, which is then less full than the first was."""
    helps = hypothesis("the move helps", WEIGHT >= 1, OTHER >= 0, OTHER + WEIGHT < FULL)
    less = square(FULL - WEIGHT, OTHER + WEIGHT) < square(FULL, OTHER)
    return (
        Step("the squares fall", (helps,), less),
        Step("the fuller one falls", (helps,), z3.And(FULL - WEIGHT < FULL, OTHER + WEIGHT < FULL)),
    )


def mutant_step(scope: Scope) -> Step:
    """The other node may get as full as the first was."""
    few = (WEIGHT >= 1, WEIGHT <= 3, OTHER >= 0, OTHER + WEIGHT <= FULL, FULL <= 6)
    return Step("as full", few, square(FULL - WEIGHT, OTHER + WEIGHT) < square(FULL, OTHER))


def trial_of(model: Model) -> Rebalance:
    """Two nodes, as full as in the model, and a unit on the first that is as heavy."""
    full, other, weight = (number(model, one) for one in (FULL, OTHER, WEIGHT))
    loads = (("n0", weight), ("n0", full - weight), ("n1", other))
    units = tuple(Unit(f"u{i}", load, node) for i, (node, load) in enumerate(loads) if load)
    return Rebalance((Node("n0"), Node("n1")), units, 0, SEED, 0, 0, (), Compare.NOTHING)


def numbers(random: Random) -> tuple[int, int]:
    """The loads of two nodes."""
    return random.randint(0, 20), random.randint(0, 20)


def square_measured(first: int, second: int) -> int:
    """The same, of the measure of two nodes."""
    nodes = tuple(NodeView(name, 1, None, "", True) for name in ("n0", "n1"))
    units = (show_unit("u0", "n0", first), show_unit("u1", "n1", second))
    where: dict[str, str | None] = {"u0": "n0", "u1": "n1"}
    return int(sum(one * one for one in measure_nodes(nodes, units, where, Measure.LOAD).values()))


ENDING: Final = Theorem(
    name="moves-that-help-end",
    chapter="contract",
    clauses=("CON-10", "CON-19"),
    statement="A move that helps lessens the fuller of two nodes and the sum of squares.",
    bound="any whole loads",
    steps=steps,
    mutant=ReferenceMutant(
        "ping-pong",
        "A move may leave two nodes as uneven as before, the other way round.",
        mutant_step,
        trial_of,
        "contract.rebalance",
    ),
    cross_checks=(CrossCheck("square", numbers, lambda *of: run(square, *of), square_measured),),
)

# ---------------------------------------------------------------------------- small clusters

State = tuple[int, ...]
"""The node of each unit."""

NODES: Final = 3
LOADS: Final = (1, 1, 2, 3, 4)


def show_unit(name: str, node: str, load: int) -> UnitView:
    """A unit that may move."""
    return UnitView(name, node, load, True, False, LONG_AGO, "", "")


def turn_of(state: State, do: Kind = Kind.REBALANCE) -> Turn:
    """What a balancer is shown in a state."""
    nodes = tuple(NodeView(f"n{index}", 1, None, "", True) for index in range(NODES))
    placed = zip(state, LOADS, strict=True)
    units = (show_unit(f"u{i}", f"n{node}", load) for i, (node, load) in enumerate(placed))
    return Turn(do, 0, 0, 0, SEED, nodes, tuple(units))


def next_state(state: State) -> Iterator[Move[State]]:
    """The state after a round, if anything moves."""
    asked = Balancer()
    asked.answer(turn_of((0,) * len(LOADS), Kind.OPEN))
    after = list(state)
    moves = asked.answer(turn_of(state)).moves
    for move in moves:
        after[int(move.unit[1:])] = int((move.to or "n0")[1:])
    if moves:
        yield ", ".join(f"{one.unit} from {one.source} to {one.to}" for one in moves), tuple(after)


def list_loads(state: State) -> list[int]:
    """The load of each node."""
    placed = list(zip(state, LOADS, strict=True))
    return [sum(load for node, load in placed if node == at) for at in range(NODES)]


def find_uneven(state: State) -> str | None:
    """What is wrong with a cluster at rest: one unit of the fullest node would help."""
    loads = list_loads(state)
    most, least = max(loads), min(loads)
    for node, load in zip(state, LOADS, strict=True):
        if loads[node] == most and least + load < most:
            return f"rests at {loads}, where a unit of {load} would help"
    return None


RESTING: Final[Graph[State]] = Graph(
    name="small-clusters-rest",
    chapter="contract",
    clauses=("CON-19", "CON-21"),
    statement="Every cluster of three nodes and five units comes to rest where no unit helps.",
    bound="3 nodes, 5 units of load 1, 1, 2, 3 and 4, in all 243 situations",
    initial=lambda: product(range(NODES), repeat=len(LOADS)),
    moves=next_state,
    wrong=lambda state: None,
    final=find_uneven,
    broken=Broken("stays", "Nothing moves.", lambda state: ()),
)

THEOREMS = (ENDING,)
GRAPHS = (RESTING,)
