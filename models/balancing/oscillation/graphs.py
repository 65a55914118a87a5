"""Graphs: which strategies cannot oscillate under constant load (BAL-17).

Three equal brokers and four bundles of constant load, from every distribution of them, in the
rounds of `matrix`. A cycle of the graph is a cluster that moves bundles for ever; such cycles are
looked for there. Here every round must make the brokers' loads more even.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

from evenkeel.models.balancing.oscillation import matrix
from evenkeel.models.balancing.oscillation.matrix import Setup, Spread
from evenkeel.reference.balancing.settings import USUAL_PLACER, Settings, Strategy
from evenkeel.reference.edition import DOCUMENTED
from evenkeel_engine.proofs.graph import Broken, Graph, Move, Size

NONE: Final = -1


class Dealt(NamedTuple):
    """A distribution, and the sum of squares before the last round (NONE: none)."""

    spread: Spread
    before: int


Moves = Callable[[Dealt], Iterator[Move[Dealt]]]


def squares(spread: Spread) -> int:
    """How uneven it is: the sum of the squares of what the brokers carry."""
    return sum(sum(loads) ** 2 for loads in spread)


def setup_of(strategy: Strategy) -> Setup:
    """A strategy with its usual placement, by the documents."""
    return Setup(strategy, USUAL_PLACER[strategy], DOCUMENTED.name)


def rounds(strategy: Strategy, settings: Settings, now: Dealt) -> Iterator[Move[Dealt]]:
    """One round, with every choice that placement leaves."""
    for round_ in matrix.rounds(setup_of(strategy), now.spread, settings):
        yield round_.label, Dealt(round_.after, squares(now.spread))


def everything(now: Dealt) -> Iterator[Move[Dealt]]:
    """What TransferShedder must not do: the fullest broker gives all it has to the emptiest."""
    if matrix.rounds(setup_of(Strategy.TRANSFER), now.spread):
        taker, other, giver = sorted(now.spread, key=sum)
        after = matrix.canonical((taker + giver, other, ()))
        yield "everything", Dealt(after, squares(now.spread))


def wrong(now: Dealt) -> str | None:
    """Every round makes it more even."""
    after = squares(now.spread)
    if now.before != NONE and after >= now.before:
        return f"a round made it {now.spread}: squares {after}, {now.before} before"
    return None


def calm(strategy: Strategy, size: Size, broken: Moves, sentence: str) -> Graph[Dealt]:
    """A strategy that cannot oscillate. Where nothing is shed nothing is wrong: triggers are the
    documents' (BAL-9).
    """
    return Graph(
        name=f"calm-{strategy}",
        chapter="balancing",
        clauses=("BAL-17",),
        statement="Every round makes the brokers' loads more even, so nothing oscillates.",
        bound=f"{len(matrix.BROKERS)} brokers, {matrix.BUNDLES} bundles of loads {matrix.LEVELS}, "
        "every distribution",
        initial=lambda: (Dealt(spread, NONE) for spread in matrix.spreads()),
        moves=partial(rounds, strategy, matrix.settings_of(strategy)),
        wrong=wrong,
        final=lambda _: None,
        broken=Broken("moves-too-much", sentence, broken),
        size=size,
    )


def whole(strategy: Strategy) -> Moves:
    """The whole of a difference is moved, not a share of it."""
    return partial(rounds, strategy, replace(matrix.settings_of(strategy), max_unload_share=1.0))


GRAPHS: Final = (
    calm(
        Strategy.UNIFORM,
        Size(351, 97),
        whole(Strategy.UNIFORM),
        "The whole lead is moved, not a share of it.",
    ),
    calm(
        Strategy.AVG,
        Size(463, 255),
        whole(Strategy.AVG),
        "The whole difference of a pair is moved, not half of it.",
    ),
    calm(
        Strategy.TRANSFER, Size(465, 268), everything, "The fullest broker gives all that it has."
    ),
)
