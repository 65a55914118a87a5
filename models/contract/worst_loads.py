"""Loads that keep the reference moving, chosen by a solver: an adversary that knows its rules.

A round of the reference is at most three moves, each from the fullest node that has a unit which
helps to the emptiest one. The solver is given one move after another, and chooses loads and places.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import z3

from evenkeel.properties.contract.rebalance.trials import Compare, Rebalance
from evenkeel.reference.contract.course import Node, Unit
from evenkeel_engine.proofs.terms import Model, Term, number

NODES: Final = range(3)
STYLE: Final = 2
"""The seed of the reference that evens loads out, with a trigger of 0."""

EFFORT: Final = 120_000_000
"""Steps of the solver, some ten seconds: unlike a time, they are the same on every machine."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """Unknown loads, where their units are, and what each node carries."""

    loads: tuple[Term, ...]
    places: tuple[Term, ...]

    def carry(self, node: Term) -> Term:
        """The load of a node."""
        placed = zip(self.places, self.loads, strict=True)
        return z3.Sum([z3.If(place == node, load, 0) for place, load in placed])


def find_worst(units: int, moves: int) -> Rebalance | None:
    """A cluster of three nodes in which the reference makes at least `moves` moves; None if no
    loads do so, or the solver gave up before it found them.
    """
    solver = z3.SolverFor("QF_LIA")
    solver.set("rlimit", EFFORT)
    loads = tuple(z3.Int(f"load{unit}") for unit in range(units))
    solver.add([load >= 1 for load in loads])
    first = after = place_units(solver, loads, 0)
    for move in range(1, moves + 1):
        before, after = after, place_units(solver, loads, move)
        add_move(solver, before, after, move)
    return build_trial(solver.model(), first) if solver.check() == z3.sat else None


def place_units(solver: Term, loads: tuple[Term, ...], move: int) -> Cluster:
    """Each unit on some node, after a number of moves."""
    places = tuple(z3.Int(f"place{move}_{unit}") for unit in range(len(loads)))
    solver.add([z3.And(place >= 0, place < len(NODES)) for place in places])
    return Cluster(loads, places)


def add_move(solver: Term, before: Cluster, after: Cluster, move: int) -> None:
    """The move that the reference makes: the unit that helps most, from the fullest node that has
    one, to the emptiest node (`reference.contract.balancer.Balancer.find_move`).
    """
    source, target, full, empty = z3.Ints(f"source{move} target{move} full{move} empty{move}")
    solver.add(source != target, full == before.carry(source), empty == before.carry(target))
    solver.add([is_before(empty, target, before.carry(node), node) for node in NODES])
    chosen, best = z3.Ints(f"chosen{move} best{move}")
    solver.add(z3.Or([chosen == unit for unit in range(len(before.loads))]))
    for unit, load in enumerate(before.loads):
        place, use = before.places[unit], before.carry(before.places[unit])
        helps = z3.And(place != target, empty + load < use)
        larger = z3.If(use - load > empty + load, use - load, empty + load)
        first = z3.Or(best < larger, z3.And(best == larger, chosen <= unit))
        solver.add(z3.Implies(helps, is_before(-full, source, -use, place)))
        solver.add(z3.Implies(z3.And(helps, place == source), first))
        solver.add(z3.Implies(chosen == unit, z3.And(helps, place == source, best == larger)))
        solver.add(after.places[unit] == z3.If(chosen == unit, target, place))


def is_before(value: Term, name: Term, other: Term, other_name: Term) -> Term:
    """Whether a node comes no later than another by a value, then by its name."""
    return z3.Or(value < other, z3.And(value == other, name <= other_name))


def build_trial(model: Model, cluster: Cluster) -> Rebalance:
    """The cluster of a model as a trial."""
    units = tuple(
        Unit(f"u{unit}", number(model, load), f"n{number(model, place)}")
        for unit, (load, place) in enumerate(zip(cluster.loads, cluster.places, strict=True))
    )
    nodes = tuple(Node(f"n{node}") for node in NODES)
    return Rebalance(nodes, units, 0, STYLE, 0, 0, (), Compare.NOTHING)
