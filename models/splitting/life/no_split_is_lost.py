"""Theorem: with compare-and-set no split is lost, whatever others write (SPL-21, SPL-25).

The store holds a set of boundaries and a version. Each of any number of brokers has a view, the
boundaries that it read last, and the version that it read them at. `done` is the set of all cuts
that were reported to their writer as stored. Nothing bounds the number of brokers, reads, writes,
conflicts and retries: the theorem is about one step from any state that the invariant allows, and
the invariant is proved for the broker that acts and for any other. A set is an array from integers
to truth values. That the stored boundaries stay legal follows with theorem `several-cuts`: a writer
chooses its cuts by its view, and when its write is accepted, its view is the store.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from random import Random
from typing import Final

import z3

from evenkeel.models.splitting.applying.terms import arguments as split_arguments
from evenkeel.properties.splitting.life import LifeTrial, Read, RivalSplit, Split
from evenkeel.reference.bundles.ranges import TOP_HASH, HashRange
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.splitting import life
from evenkeel.reference.splitting.applying import StoredRecord, split_stored
from evenkeel_engine.proofs.assumptions import Step, case, lemma
from evenkeel_engine.proofs.terms import Model, Scope, Term, evaluate, number
from evenkeel_engine.proofs.theorem import CrossCheck, ReferenceMutant, Theorem

SETS: Final = z3.SetSort(z3.IntSort())
OURS: Final = z3.IntVal(0)
RIVAL: Final = z3.IntVal(1)


@dataclass(frozen=True, slots=True)
class State:
    """The store, every broker's view and its version, and the cuts reported as done."""

    boundaries: Term
    version: Term
    views: Term
    seen: Term
    done: Term


def read(state: State, broker: Term) -> State:
    """A broker reads boundaries and version together."""
    return replace(
        state,
        views=z3.Store(state.views, broker, state.boundaries),
        seen=z3.Store(state.seen, broker, state.version),
    )


def touch(state: State) -> State:
    """Another writer writes another field of the same record."""
    return replace(state, version=state.version + 1)


def put(state: State, broker: Term, cuts: Term) -> State:
    """The store takes the broker's view with the cuts, and reports them as done."""
    return replace(
        state,
        boundaries=z3.SetUnion(z3.Select(state.views, broker), cuts),
        version=state.version + 1,
        done=z3.SetUnion(state.done, cuts),
    )


def no_write_since(state: State, broker: Term) -> Term:
    """The version is still the one that the broker read."""
    return z3.Select(state.seen, broker) == state.version


def write(state: State, broker: Term, cuts: Term) -> State:
    """A broker writes its view with its cuts, unless another writer wrote in between."""
    stored, fresh = put(state, broker, cuts), no_write_since(state, broker)
    return replace(
        state,
        boundaries=z3.If(fresh, stored.boundaries, state.boundaries),
        version=z3.If(fresh, stored.version, state.version),
        done=z3.If(fresh, stored.done, state.done),
    )


Write = Callable[[State, Term, Term], State]
"""How a broker's cuts get into the store: `write`, or `put`, which does not look at versions."""


# ------------------------------------------------------------------------------- the proof

CREATED: Final = z3.Const("created", SETS)
CUTS: Final = z3.Const("cuts", SETS)
ACTOR, OTHER = z3.Ints("actor other")

STATE: Final = State(
    z3.Const("boundaries", SETS),
    z3.Int("version"),
    z3.Const("views", z3.ArraySort(z3.IntSort(), SETS)),
    z3.Const("seen", z3.ArraySort(z3.IntSort(), z3.IntSort())),
    z3.Const("done", SETS),
)


def invariant(state: State, broker: Term) -> Term:
    """The store is what was created and every cut reported as done; an up-to-date view is it."""
    seen = z3.Select(state.seen, broker)
    return z3.And(
        state.boundaries == z3.SetUnion(CREATED, state.done),
        seen <= state.version,
        z3.Implies(seen == state.version, z3.Select(state.views, broker) == state.boundaries),
    )


def steps(scope: Scope) -> tuple[Step, ...]:
    """A namespace is created; a broker reads; it writes; another writer touches the record."""
    actions = ("created", "read", "write", "touch")
    before = (lemma(actions, invariant(STATE, ACTOR)), lemma(actions, invariant(STATE, OTHER)))
    none = case("no broker has read yet", z3.Select(STATE.seen, OTHER) < 0)
    at_first = State(CREATED, z3.IntVal(0), STATE.views, STATE.seen, z3.EmptySet(z3.IntSort()))
    fresh = no_write_since(STATE, ACTOR)
    written = write(STATE, ACTOR, CUTS)
    return (
        Step("created", (none,), invariant(at_first, OTHER)),
        Step("read", before, invariant(read(STATE, ACTOR), OTHER)),
        Step("write", before, invariant(written, OTHER)),
        Step("touch", before, invariant(touch(STATE), OTHER)),
        Step(
            "no split is lost",
            before,
            z3.And(
                z3.IsSubset(STATE.done, written.boundaries),
                z3.IsSubset(STATE.boundaries, written.boundaries),
            ),
        ),
        Step(
            "a winner cut what is stored",
            (*before, case("no write since", fresh)),
            written.boundaries == z3.SetUnion(STATE.boundaries, CUTS),
        ),
        Step(
            "a loser changes nothing",
            (*before, case("a write since", z3.Not(fresh))),
            z3.And(
                written.boundaries == STATE.boundaries,
                written.version == STATE.version,
                written.done == STATE.done,
            ),
        ),
    )


# ------------------------------------------------------------------------------- the mutant

MIDDLE, OUR_CUT, RIVAL_CUT = z3.Ints("middle our_cut rival_cut")


def set_of(elements: Sequence[Term]) -> Term:
    """A finite set."""
    term = z3.EmptySet(z3.IntSort())
    for element in elements:
        term = z3.SetAdd(term, element)
    return term


def create(boundaries: Sequence[Term]) -> State:
    """A new namespace that no broker has read."""
    nothing = z3.EmptySet(z3.IntSort())
    return State(
        set_of(boundaries),
        z3.IntVal(0),
        z3.K(z3.IntSort(), nothing),
        z3.K(z3.IntSort(), z3.IntVal(-1)),
        nothing,
    )


def let_overtake(state: State, rival_cut: Term, our_cuts: Term, write_: Write) -> State:
    """We read, a rival splits, we write."""
    state = read(read(state, OURS), RIVAL)
    return write_(write_(state, RIVAL, set_of([rival_cut])), OURS, our_cuts)


def mutant_step(scope: Scope) -> Step:
    """Both cuts, in two different bundles, are stored although versions are not compared."""
    state = create([z3.IntVal(0), MIDDLE, z3.IntVal(TOP_HASH)])
    after = let_overtake(state, RIVAL_CUT, set_of([OUR_CUT]), put)
    apart = z3.And(0 < OUR_CUT, OUR_CUT < MIDDLE, MIDDLE < RIVAL_CUT, RIVAL_CUT < TOP_HASH)
    both_stored = z3.And(
        z3.IsMember(OUR_CUT, after.boundaries), z3.IsMember(RIVAL_CUT, after.boundaries)
    )
    return Step("both are stored", (apart,), both_stored)


def trial_of(model: Model) -> LifeTrial:
    """A split that is overtaken by a rival's, and a look at what is stored."""
    middle = number(model, MIDDLE)
    rival = RivalSplit(HashRange(middle, TOP_HASH), number(model, RIVAL_CUT))
    ours = Split(HashRange(0, middle), (number(model, OUR_CUT),), (rival,))
    return LifeTrial("t/ns", (0, middle, TOP_HASH), (ours, Read()))


# --------------------------------------------------------------------------------- the twin


def stored_by(
    write_: Write, boundaries: Sequence[int], cuts: Sequence[int], rivals: Sequence[int | None]
) -> tuple[tuple[int, ...], int]:
    """The transitions executed: boundaries and version in the end.

    We try until we are not overtaken; during each attempt one rival splits, or touches (None).
    """
    state = create([z3.IntVal(b) for b in boundaries])
    ours = set_of([z3.IntVal(c) for c in cuts])
    for attempt in range(len(rivals) + 1):
        state = read(state, OURS)
        if attempt < len(rivals):
            state = overtake(state, rivals[attempt], write_)
        before, state = state, write_(state, OURS, ours)
        if evaluate(state.version != before.version):
            break
    known = {*boundaries, *cuts, *(rival for rival in rivals if rival is not None)}
    points = [p for p in sorted(known) if evaluate(z3.IsMember(z3.IntVal(p), state.boundaries))]
    return tuple(points), evaluate(state.version)


def overtake(state: State, rival: int | None, write_: Write) -> State:
    """A rival reads and splits, or touches the record."""
    if rival is None:
        return touch(state)
    return write_(read(state, RIVAL), RIVAL, set_of([z3.IntVal(rival)]))


def arguments(
    random: Random,
) -> tuple[tuple[int, ...], HashRange, tuple[int, ...], tuple[int | None, ...]]:
    """A split, and rivals that touch the record or split other bundles meanwhile."""
    boundaries, target, positions = split_arguments(random)
    free = [
        (low, high) for low, high in pairwise(boundaries) if high - low > 1 and low != target.lower
    ]
    rivals: list[int | None] = [None] * random.randrange(3)
    rivals += [random.randint(low + 1, high - 1) for low, high in free[:3]]
    random.shuffle(rivals)
    return boundaries, target, positions, tuple(rivals)


def stored_by_rule(
    boundaries: tuple[int, ...],
    target: HashRange,
    positions: tuple[int, ...],
    rivals: tuple[int | None, ...],
) -> tuple[tuple[int, ...], int]:
    """The transitions with the version check, executed."""
    return stored_by(write, boundaries, positions, rivals)


def stored_by_reference(
    boundaries: tuple[int, ...],
    target: HashRange,
    positions: tuple[int, ...],
    rivals: tuple[int | None, ...],
) -> tuple[tuple[int, ...], int]:
    """The reference on the same arguments."""
    writers = [life.touch if rival is None else partial(split_at, rival) for rival in rivals]
    record, _ = split_stored(
        StoredRecord(boundaries, boundaries), target, positions, writers, DOCUMENTED
    )
    return record.boundaries, record.version


def split_at(position: int, record: StoredRecord) -> StoredRecord:
    """A rival splits whatever bundle the position lies in."""
    points = record.boundaries
    place = next(i for i, point in enumerate(points) if point > position)
    return life.rival_split(record, HashRange(points[place - 1], points[place]), position)


NO_SPLIT_IS_LOST: Final = Theorem(
    name="no-split-is-lost",
    chapter="splitting",
    clauses=("SPL-21", "SPL-25", "SPL-83"),
    statement="If every write requires the version that its broker read, the stored boundaries are "
    "at all times those of the creation and every cut that was reported as done; a writer that "
    "comes too late changes nothing.",
    bound="any number of brokers, reads, writes, conflicts and retries (inductive invariant)",
    steps=steps,
    mutant=ReferenceMutant(
        broken="blind-write",
        sentence="A write is taken whatever has been written since its broker read.",
        step=mutant_step,
        trial=trial_of,
        question="splitting.life",
    ),
    cross_checks=(CrossCheck("compare-and-set", arguments, stored_by_rule, stored_by_reference),),
)

THEOREMS: Final = (NO_SPLIT_IS_LOST,)
