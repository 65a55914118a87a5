"""Shares are even, whatever the numbers; and moving region by region makes servers even."""

from collections.abc import Iterator
from itertools import combinations
from random import Random

import z3

from evenkeel_engine.example.properties.regions.balancing import Round
from evenkeel_engine.example.reference.regions.balancing import Rules, Server, share
from evenkeel_engine.proofs.assumptions import Step, hypothesis
from evenkeel_engine.proofs.graph import Broken, Graph, Move, Size
from evenkeel_engine.proofs.terms import Model, Scope, Term, number, run
from evenkeel_engine.proofs.theorem import CrossCheck, ReferenceMutant, Theorem

REGIONS, SERVERS, PLACE, OTHER = z3.Ints("regions servers place other")


def share_term(regions: Term, servers: Term, place: Term) -> Term:
    """The share of the server at a place."""
    return regions / servers + z3.If(place < regions % servers, 1, 0)


def steps(scope: Scope) -> tuple[Step, ...]:
    """Two servers differ by one region at most."""
    some = hypothesis("there are servers", SERVERS >= 1, REGIONS >= 0)
    first, second = (share_term(REGIONS, SERVERS, place) for place in (PLACE, OTHER))
    return (Step("even", (some,), z3.And(first - second <= 1, second - first <= 1)),)


def mutant_step(scope: Scope) -> Step:
    """What cannot be divided is one region at most, so that one server may have it all."""
    few = (SERVERS >= 1, SERVERS <= 4, REGIONS >= 0, REGIONS <= 9)
    return Step("rest", few, REGIONS % SERVERS <= 1)


def trial_of(model: Model) -> Round:
    """The regions of a model, all on the first of its servers."""
    regions = tuple(f"r{index}" for index in range(number(model, REGIONS)))
    idle = (Server(f"s{index}", ()) for index in range(1, number(model, SERVERS)))
    return Round(Rules(), (Server("s0", regions), *idle))


def numbers(random: Random) -> tuple[int, ...]:
    """Regions, servers, a place."""
    return tuple(random.randint(1, 20) for _ in range(3))


SHARES = Theorem(
    name="shares-are-even",
    chapter="regions",
    clauses=("RGN-2",),
    statement="The shares of two servers differ by one region at most.",
    bound="any number of servers and regions",
    steps=steps,
    mutant=ReferenceMutant(
        "rest-on-one", "One server gets all the rest.", mutant_step, trial_of, "regions.plan"
    ),
    cross_checks=(CrossCheck("share", numbers, lambda *of: run(share_term, *of), share),),
)

State = tuple[int, ...]
"""How many regions each server holds, the fewest first."""


def moves(state: State, difference: int = 2) -> Iterator[Move[State]]:
    """One region moves to a server that holds fewer, by at least the difference."""
    for few, many in combinations(sorted(set(state)), 2):
        if many - few >= difference:
            after = [*state]
            after[after.index(few)], after[after.index(many)] = few + 1, many - 1
            yield f"a region from {many} to {few}", tuple(sorted(after))


MOVING: Graph[State] = Graph(
    name="single-moves-end-even",
    chapter="regions",
    clauses=("RGN-2",),
    statement="Single moves from fuller to emptier servers end, and end even.",
    bound="9 regions, 4 servers",
    initial=lambda: [(0, 0, 0, 9)],
    moves=moves,
    wrong=lambda state: None,
    final=lambda state: f"the servers hold {state}" if state[-1] - state[0] > 1 else None,
    broken=Broken("gives-up", "Differences of two stay.", lambda state: moves(state, 3)),
    size=Size(18, 40),
)

THEOREMS = (SHARES,)
GRAPHS = (MOVING,)
