"""Every situation of a small cluster, as trials of `contract.rebalance`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations_with_replacement, product
from typing import Final

from evenkeel.properties.contract.rebalance.trials import Compare, Rebalance
from evenkeel.reference.contract.course import Node, Unit

NODES: Final = ("n0", "n1", "n2")
COMES: Final = 12
"""The round in which a node joins or leaves: mostly the cluster has rested before."""
WEIGHTS: Final = (1, 2, 3, 4)


@dataclass(frozen=True, slots=True)
class Scope:
    """What is enumerated: three nodes, units of one weight, and of four weights;
    with and without a node that joins or leaves.
    """

    scale: int = 1
    equal: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7)
    weighted: tuple[int, ...] = (2, 3, 4, 5)
    events: tuple[int, ...] = (5, 6)

    def describe(self) -> str:
        """The scope in words."""
        return (
            f"3 nodes, {self.equal[0]} to {self.equal[-1]} equal units, "
            f"{self.weighted[0]} to {self.weighted[-1]} units of weights 1 to 4, "
            f"a node that joins or leaves with {' or '.join(map(str, self.events))}"
            f"{f', loads times {self.scale}' * (self.scale > 1)}"
        )


QUICK: Final = Scope(1, (1, 2, 3, 4, 5), (2, 3), (3,))
WHOLE: Final = Scope()


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
