"""Every situation of a small cluster, as trials of `contract.rebalance`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations_with_replacement, product
from typing import Final

from evenkeel.properties.contract.rebalance.trials import Compare, Rebalance
from evenkeel.reference.contract.course import Change, Node, Unit

NODES: Final = ("n0", "n1", "n2")
COMES: Final = 12
"""The round in which a node joins or leaves: mostly the cluster has rested before."""
WEIGHTS: Final = (1, 2, 3, 4)


@dataclass(frozen=True, slots=True)
class Scope:
    """What is enumerated: three nodes, units of one weight, and of four weights;
    with and without a node that joins or leaves. `histories` of a balancer that has a memory: units
    whose loads change, once or twice, and a node that joins and leaves again.
    """

    scale: int = 1
    equal: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7)
    weighted: tuple[int, ...] = (2, 3, 4, 5)
    events: tuple[int, ...] = (5, 6)
    histories: tuple[int, ...] = (2, 3)

    def describe(self, weighs: bool, knows: Sequence[str]) -> str:
        """In words what such a balancer is asked."""
        parts = [f"3 nodes, {self.equal[0]} to {self.equal[-1]} equal units"]
        if weighs:
            parts.append(f"{self.weighted[0]} to {self.weighted[-1]} units of weights 1 to 4")
        if events := [one for one in ("joins", "leaves") if one in knows]:
            counts = " or ".join(map(str, self.events))
            parts.append(f"a node that {' or '.join(events)} with {counts}")
        if self.scale > 1:
            parts.append(f"loads times {self.scale}")
        return ", ".join(parts)


QUICK: Final = Scope(1, (1, 2, 3, 4, 5), (2, 3), (3,), (2,))
WHOLE: Final = Scope()


def list_histories(scope: Scope, weighs: bool, knows: Sequence[str]) -> Iterator[Rebalance]:
    """Several situations in one session, one after another: each begins where the last one ended.
    Of two units the loads change twice, of more once.
    """
    for count in scope.histories if weighs and "changes" in knows else ():
        loads = list(product((WEIGHTS[0], WEIGHTS[-1]), repeat=count))
        for first, *later in product(loads, repeat=3 if count == 2 else 2):
            for plain in place_units(first, [Node(name) for name in NODES], 3, scope.scale):
                yield replace(plain, units=change_loads(plain.units, later, scope.scale))
    for count in scope.histories if {"joins", "leaves"} <= set(knows) else ():
        last = Node(NODES[-1], joins=COMES, leaves=2 * COMES)
        nodes = [*(Node(name) for name in NODES[:-1]), last]
        yield from place_units((1,) * (count + 1), nodes, 2, scope.scale)


def count_situations(trial: Rebalance) -> int:
    """How many situations a trial of this module goes through, each as of new loads or nodes."""
    visits = any(node.joins and node.leaves for node in trial.nodes)
    return 3 if visits else 1 + max(len(unit.changes) for unit in trial.units)


def change_loads(
    units: Sequence[Unit], later: Sequence[Sequence[int]], scale: int
) -> tuple[Unit, ...]:
    """The units, whose loads are these later, one after another."""
    rounds = range(COMES, COMES * (len(later) + 1), COMES)
    return tuple(
        replace(
            unit,
            changes=tuple(
                Change(at, loads[index] * scale) for at, loads in zip(rounds, later, strict=True)
            ),
        )
        for index, unit in enumerate(units)
    )


def list_situations(scope: Scope, weighs: bool, knows: Sequence[str]) -> Iterator[Rebalance]:
    """The smallest first. A balancer that counts units alone is not asked with weights."""
    equal = ((1,) * count for count in scope.equal)
    mixed = chain.from_iterable(
        combinations_with_replacement(WEIGHTS, count) for count in scope.weighted
    )
    for weights in chain(equal, mixed if weighs else ()):
        if len(set(weights)) > 1 or weights[0] == 1:
            yield from place_units(weights, [Node(name) for name in NODES], 3, scope.scale)
    for count in scope.events:
        for node in ("joins", "leaves"):
            if node in knows:
                last = Node(NODES[-1], joins=COMES) if node == "joins" else None
                nodes = [
                    *(Node(name) for name in NODES[:-1]),
                    last or Node(NODES[-1], leaves=COMES),
                ]
                yield from place_units((1,) * count, nodes, 2 if last else 3, scope.scale)


def place_units(
    weights: Sequence[int], nodes: Sequence[Node], there: int, scale: int
) -> Iterator[Rebalance]:
    """All ways to put units on the first nodes."""
    for where in product(range(there), repeat=len(weights)):
        units = tuple(
            Unit(f"u{index}", weight * scale, nodes[node].name)
            for index, (weight, node) in enumerate(zip(weights, where, strict=True))
        )
        yield Rebalance(tuple(nodes), units, 0, 0, 0, 0, (), Compare.NOTHING)
