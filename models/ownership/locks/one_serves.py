"""Theorem: a broker that serves a bundle holds its node, so one serves (OWN-21, OWN-22, OWN-28).

One bundle, any number of brokers. The store holds a node or none: its holder, the session that
made it, and a version that no node had before. Each broker has a session that lives or not, serves
the bundle or not, knows its lock's version, and may have a deletion under way. Every function
below is one atomic step. Nothing bounds brokers, sessions or steps: the theorem is about one step
of one broker from any state that the invariant allows, and the invariant is proved for it
and any pair of other brokers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

import z3

from evenkeel.properties.ownership.locks.trials import (
    Answer,
    Closed,
    Closing,
    Expire,
    LocksTrial,
    Lookup,
    NamedBundle,
    Reconnect,
    Unload,
)
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.ownership.locks import lookup, owning
from evenkeel.reference.ownership.locks import protocol as locks
from evenkeel.reference.ownership.locks.state import (
    Bundle,
    BundleState,
    Request,
    Sort,
    new_world,
    session_lives,
)
from evenkeel_engine.proofs.assumptions import Step, case, hypothesis, inductive, instances
from evenkeel_engine.proofs.terms import Model, Scope, Term, evaluate, number
from evenkeel_engine.proofs.theorem import CrossCheck, ReferenceMutant, Theorem

INT, BOOL = z3.IntSort(), z3.BoolSort()
NO_BROKER: Final = z3.IntVal(-1)


@dataclass(frozen=True, slots=True)
class State:
    """The node (`holder` is -1 where there is none), what is counted, and arrays by broker."""

    holder: Term
    made_in: Term
    version: Term
    versions: Term
    sessions: Term
    session: Term
    lives: Term
    serves: Term
    knows: Term
    deleting: Term
    deletes: Term


Stepping = Callable[[State, Term], State]


def choose_state(condition: Term, then: State, other: State) -> State:
    """The one state where the condition holds, else the other."""
    return State(
        *(
            z3.If(condition, getattr(then, name), getattr(other, name))
            for name in State.__dataclass_fields__
        )
    )


def take(state: State, broker: Term) -> State:
    """A broker makes the node, if there is none, and serves."""
    version = state.versions + 1
    taken = replace(
        state,
        holder=broker,
        made_in=z3.Select(state.session, broker),
        version=version,
        versions=version,
        serves=z3.Store(state.serves, broker, True),
        knows=z3.Store(state.knows, broker, version),
    )
    free = z3.And(
        state.holder == NO_BROKER,
        z3.Select(state.lives, broker),
        z3.Not(z3.Select(state.deleting, broker)),
    )
    return choose_state(free, taken, state)


def end(state: State, broker: Term) -> State:
    """A session ends: its node is removed, and its broker stops serving."""
    own = z3.And(state.holder != NO_BROKER, state.made_in == z3.Select(state.session, broker))
    return replace(
        state,
        holder=z3.If(own, NO_BROKER, state.holder),
        lives=z3.Store(state.lives, broker, False),
        serves=z3.Store(state.serves, broker, False),
    )


def connect(state: State, broker: Term) -> State:
    """A broker without a session gets a new one."""
    connected = replace(
        state,
        session=z3.Store(state.session, broker, state.sessions),
        sessions=state.sessions + 1,
        lives=z3.Store(state.lives, broker, True),
    )
    return choose_state(z3.Not(z3.Select(state.lives, broker)), connected, state)


def unload(state: State, broker: Term) -> State:
    """A broker stops serving, and asks the store to delete the version that it knows."""
    asked = replace(
        state,
        serves=z3.Store(state.serves, broker, False),
        deleting=z3.Store(state.deleting, broker, True),
        deletes=z3.Store(state.deletes, broker, z3.Select(state.knows, broker)),
    )
    return choose_state(z3.Select(state.serves, broker), asked, state)


def delete(state: State, broker: Term) -> State:
    """The store carries the deletion out: of the node that has this version."""
    same = state.version == z3.Select(state.deletes, broker)
    done = replace(
        state,
        holder=z3.If(same, NO_BROKER, state.holder),
        deleting=z3.Store(state.deleting, broker, False),
    )
    able = z3.And(z3.Select(state.deleting, broker), z3.Select(state.lives, broker))
    return choose_state(able, done, state)


def delete_any(state: State, broker: Term) -> State:
    """The broken rule: the store deletes the node whatever version it has."""
    done = replace(state, holder=NO_BROKER, deleting=z3.Store(state.deleting, broker, False))
    able = z3.And(z3.Select(state.deleting, broker), z3.Select(state.lives, broker))
    return choose_state(able, done, state)


STEPS: Final[dict[str, Stepping]] = {
    "take": take,
    "end": end,
    "connect": connect,
    "unload": unload,
    "delete": delete,
}


# ------------------------------------------------------------------------------- the proof

ACTOR, ONE, OTHER = z3.Ints("actor one other")

STATE: Final = State(
    z3.Int("holder"),
    z3.Int("made_in"),
    z3.Int("version"),
    z3.Int("versions"),
    z3.Int("sessions"),
    z3.Const("session", z3.ArraySort(INT, INT)),
    z3.Const("lives", z3.ArraySort(INT, BOOL)),
    z3.Const("serves", z3.ArraySort(INT, BOOL)),
    z3.Const("knows", z3.ArraySort(INT, INT)),
    z3.Const("deleting", z3.ArraySort(INT, BOOL)),
    z3.Const("deletes", z3.ArraySort(INT, INT)),
)


def holds_what_it_serves(state: State, broker: Term) -> Term:
    """A serving broker has a session that lives, and holds the node of the version it knows."""
    return z3.And(
        0 <= broker,
        z3.Select(state.session, broker) < state.sessions,
        z3.Select(state.deletes, broker) <= state.versions,
        z3.Select(state.knows, broker) <= state.versions,
        state.version <= state.versions,
        z3.Implies(state.holder != NO_BROKER, state.made_in < state.sessions),
        z3.Implies(
            z3.Select(state.serves, broker),
            z3.And(
                z3.Select(state.lives, broker),
                state.holder == broker,
                state.made_in == z3.Select(state.session, broker),
                state.version == z3.Select(state.knows, broker),
            ),
        ),
    )


def apart(state: State, one: Term, other: Term) -> Term:
    """Brokers have different sessions, and no broker deletes a version that another serves by."""
    return z3.And(
        z3.Implies(one != other, z3.Select(state.session, one) != z3.Select(state.session, other)),
        z3.Implies(
            z3.And(z3.Select(state.serves, one), z3.Select(state.deleting, other)),
            z3.Select(state.deletes, other) != z3.Select(state.knows, one),
        ),
    )


def invariant(state: State, brokers: Sequence[Term]) -> Term:
    """What is true of each of these brokers and of each pair of them."""
    return z3.And(
        *(holds_what_it_serves(state, broker) for broker in brokers),
        *(apart(state, one, other) for one in brokers for other in brokers),
    )


def steps(scope: Scope) -> tuple[Step, ...]:
    """Nothing has happened; any broker takes any step; the promise."""
    brokers = (ACTOR, ONE, OTHER)
    pairs = (invariant(STATE, (one, other)) for one in brokers for other in brokers)
    before = instances(invariant(STATE, (ONE, OTHER)), *pairs)
    together = hypothesis("a broker ceases to serve in the step in which its session ends (OWN-26)")
    serves = case("a broker serves", z3.Select(STATE.serves, ONE))
    another = case("another does, too", z3.Select(STATE.serves, OTHER))
    two = case("any two brokers", 0 <= ONE, ONE < OTHER, OTHER < 2)
    actions = (
        Step("at first", (two,), invariant(fresh_state(), (ONE, OTHER))),
        *(
            Step(name, (before,), invariant(step(STATE, ACTOR), (ONE, OTHER)))
            for name, step in STEPS.items()
        ),
    )
    return inductive(
        actions,
        Step("only one serves", (before, serves, another, together), ONE == OTHER),
        Step(
            "a deletion spares the serving broker",
            (before, serves),
            delete(STATE, ACTOR).holder == ONE,
        ),
    )


def fresh_state() -> State:
    """Two brokers with a session each, and no node."""
    sessions = z3.Store(z3.K(INT, z3.IntVal(0)), z3.IntVal(1), z3.IntVal(1))
    none, no = z3.K(INT, z3.IntVal(-2)), z3.K(INT, z3.BoolVal(False))
    lives = z3.K(INT, z3.BoolVal(True))
    zero = z3.IntVal(0)
    return State(NO_BROKER, zero, zero, zero, z3.IntVal(2), sessions, lives, no, none, no, none)


# ------------------------------------------------------------------------------- the mutant


def overtake_deletion(delete_: Stepping, late: Term, new: Term) -> State:
    """A broker's deletion is under way when its session ends and another takes the bundle."""
    state = end(unload(take(fresh_state(), late), late), late)
    return delete_(connect(take(state, new), late), late)


def mutant_step(scope: Scope) -> Step:
    """The new broker still holds the node, although a deletion names no version."""
    after = overtake_deletion(delete_any, ONE, OTHER)
    two = z3.And(0 <= ONE, ONE < 2, 0 <= OTHER, OTHER < 2, ONE != OTHER)
    return Step("the new owner keeps its node", (two,), after.holder == OTHER)


def trial_of(model: Model) -> LocksTrial:
    """The schedule of the mutant, for the brokers of the model."""
    late, new = number(model, ONE), number(model, OTHER)

    def taking(broker: int) -> tuple[Lookup | Answer, ...]:
        return (Lookup(broker, 0, True, False, broker), Answer(broker, 0), Answer(broker, 0))

    commands = (
        *taking(late),
        Unload(late, 0),
        Closed(late, 0, Closing.CLOSED),
        Expire(late),
        *taking(new),
        Reconnect(late),
        Answer(late, 0),
    )
    return LocksTrial(2, (NamedBundle(Sort.PLAIN, 0),), 0, commands)


# --------------------------------------------------------------------------------- the twin

Schedule = tuple[tuple[str, int], ...]
Seen = tuple[int, tuple[bool, ...]]


def schedule(random: Random) -> tuple[Schedule]:
    """Some steps of two brokers."""
    names = tuple(STEPS)
    length = random.randint(1, 12)
    return (tuple((random.choice(names), random.randrange(2)) for _ in range(length)),)


def seen_by_rule(steps_: Schedule) -> Seen:
    """The steps of the theorem, executed: the holder, and the serving brokers."""
    state = fresh_state()
    for name, broker in steps_:
        stepped = STEPS[name](state, z3.IntVal(broker))
        state = State(*(z3.simplify(getattr(stepped, f)) for f in State.__dataclass_fields__))
    serves = tuple(evaluate(z3.Select(state.serves, broker)) for broker in range(2))
    return evaluate(state.holder), serves


def seen_by_reference(steps_: Schedule) -> Seen:
    """The same steps by the reference."""
    world = new_world(2, [Bundle(Sort.PLAIN, 0)], 0)
    for name, place in steps_:
        broker = world.brokers[place]
        waits = bool(broker.operations.get(0))
        match name:
            case "take" if not waits:
                lookup.look_up(world, broker, 0, Request(0, True, False, place), DOCUMENTED)
                while broker.operations.get(0):
                    locks.answer(world, broker, 0, DOCUMENTED)
            case "end":
                locks.expire(world, broker, DOCUMENTED)
            case "connect" if not session_lives(world, broker):
                locks.reconnect(world, broker)
            case "unload" if broker.standing(0) is BundleState.SERVING:
                owning.unload(world, broker, 0, None)
                owning.topics_closed(world, broker, 0, DOCUMENTED)
            case "delete":
                locks.answer(world, broker, 0, DOCUMENTED)
            case _:
                pass
    node = world.nodes.get(0)
    serves = tuple(b.standing(0) is BundleState.SERVING for b in world.brokers)
    return -1 if node is None else node.holder, serves


ONLY_ONE_SERVES: Final = Theorem(
    name="only-one-serves",
    chapter="ownership",
    clauses=("OWN-21", "OWN-22", "OWN-28"),
    statement="If a broker serves only while its session lives, and a deletion names a version "
    "that no other node ever has, then a broker that serves a bundle holds its node, at most one "
    "broker serves it, and no deletion takes the node of a broker that serves.",
    bound="any number of brokers, sessions, unloads and deletions under way (inductive invariant)",
    steps=steps,
    mutant=ReferenceMutant(
        broken="locks-deleted-without-version",
        sentence="A deletion removes the node whatever version it has.",
        step=mutant_step,
        trial=trial_of,
        question="ownership.locks",
    ),
    cross_checks=(CrossCheck("steps", schedule, seen_by_rule, seen_by_reference),),
)

THEOREMS: Final = (ONLY_ONE_SERVES,)
