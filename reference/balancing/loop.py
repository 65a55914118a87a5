"""The closed loop: events, lookups, reports, shedding, moves; step after step (BAL-1 to BAL-11).

Time is virtual and goes by steps. At each step, in this order: events happen; clients of bundles
that no broker serves look them up; every broker reports, and the leader receives what has arrived;
and, when a round of shedding is due, bundles move. Where a strategy leaves a choice open, the
caller's `choose` makes it, so that the same choices make the same history.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import count, islice
from random import Random

from evenkeel.reference.balancing import leader as leaders
from evenkeel.reference.balancing import world as worlds
from evenkeel.reference.balancing.balancer import Balancer, Choice, Choose, Hire, Shed
from evenkeel.reference.balancing.history import History, Moment, Move, Placed
from evenkeel.reference.balancing.leader import Leader, View
from evenkeel.reference.balancing.scenario import (
    DelayReports,
    LeaderChange,
    LoseReports,
    Scenario,
    Split,
)
from evenkeel.reference.balancing.world import Away, World
from evenkeel.reference.edition import Edition
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.shedding.cluster import BrokerId, BrokerReport, BundleName, Millis, may_shed
from evenkeel.reference.splitting.settings import UnloadRules
from evenkeel.reference.splitting.unloading import unloads_children
from evenkeel_engine.frame.clauses import states


@dataclass(frozen=True, slots=True)
class State:
    """Everything between two steps."""

    world: World
    leader: Leader
    balancer: Balancer


def seed_choices(seed: int) -> Choose:
    """Choices of a seeded generator, every allowed broker as likely as another."""
    generator = Random(seed)

    def choose(choice: Choice) -> BrokerId:
        return choice.allowed[int(generator.random() * len(choice.allowed))]

    return choose


@states("BAL-11")
def run(scenario: Scenario, hire: Hire, choose: Choose, edition: Edition) -> History:
    """The whole scenario under one balancer."""
    steps = islice(walk(scenario, hire, choose, edition), scenario.timing.steps + 1)
    return History(tuple(moment for _, moment in steps))


def walk(
    scenario: Scenario, hire: Hire, choose: Choose, edition: Edition
) -> Iterator[tuple[State, Moment]]:
    """Step by step, without end: the state after each step, and what is recorded of it."""
    state = State(worlds.beginning(scenario), leaders.new(), hire())
    timing = scenario.timing
    for now in count(0, timing.step):
        state = events(state, scenario, now, hire, edition)
        state, placed = lookups(state, now, choose, edition)
        state, moment = look(state, scenario, now, edition)
        moves: tuple[Move, ...] = ()
        if now and now % timing.shedding == 0:
            state, moves = shed(state, scenario, now, choose, edition)
        yield state, replace(moment, placed=placed, moves=moves)


# ----------------------------------------------------------------------------------- steps


def events(state: State, scenario: Scenario, now: Millis, hire: Hire, edition: Edition) -> State:
    """What has happened since the step before; brokers that came up say so."""
    world, leader, balancer = state.world, state.leader, state.balancer
    for event in scenario.events:
        if not now - scenario.timing.step < event.at <= now:
            continue
        match event:
            case LeaderChange():
                leader, balancer = leaders.succeed(leader, edition), hire()
            case DelayReports() | LoseReports():
                leader = leaders.disturb(leader, event)
            case Split():
                world, leader = split(world, leader, balancer, event, scenario, edition)
            case _:
                world = worlds.happen(world, event, scenario.timing)
    world = worlds.pass_time(world, now)
    return State(world, introduce(world, leader, balancer, scenario, now, edition), balancer)


@states("BAL-26")
def split(
    world: World,
    leader: Leader,
    balancer: Balancer,
    event: Split,
    scenario: Scenario,
    edition: Edition,
) -> tuple[World, Leader]:
    """An automatic split: unless its children stay, load decides which brokers get them."""
    owner, brokers = world.owner.get(event.bundle, ""), worlds.list_registered(world)
    rules = UnloadRules(event.unload)
    others = (*brokers, "") if balancer.alone.children else brokers
    unloads = unloads_children(balancer.transfers, rules, owner, others, edition)
    back_at = event.at + scenario.timing.reconnect
    if unloads and owner:
        leader = leaders.relieve(leader, *(child.name for child in event.children))
    return worlds.divide(world, event, not unloads, back_at), leader


def introduce(
    world: World,
    leader: Leader,
    balancer: Balancer,
    scenario: Scenario,
    now: Millis,
    edition: Edition,
) -> Leader:
    """A broker registers with its first report."""
    waiting = {sent.broker for sent in leader.on_their_way} | set(leader.latest)
    new = tuple(b for b in scenario.brokers if b.id in world.up and b.id not in waiting)
    arriving = any(sent.arrives_at <= now for sent in leader.on_their_way)
    if not new and not arriving and worlds.list_registered(world) >= set(leader.latest):
        return leader
    if new:
        loads = worlds.loads_at(scenario.every_bundle, now)
        leader = send_reports(balancer, leader, now, worlds.measure_all(world, new, loads), loads)
    return leaders.receive(leader, now, worlds.list_registered(world), edition)


def send_reports(
    balancer: Balancer,
    leader: Leader,
    now: Millis,
    reports: Mapping[BrokerId, BrokerReport],
    loads: Mapping[BundleName, Traffic],
) -> Leader:
    """Reports set out; those that are not lost go into what brokers average."""
    leader = leaders.send(leader, now, reports, loads)
    for report in leader.on_their_way:
        if report.sent_at == now:
            balancer.sends(report)
    return leader


@states("BAL-2", "BAL-7")
def lookups(
    state: State, now: Millis, choose: Choose, edition: Edition
) -> tuple[State, tuple[Placed, ...]]:
    """Clients look up bundles that no broker serves; a broker that is down cannot serve."""
    world, leader = state.world, state.leader
    placed: list[Placed] = []
    due = sorted((away.back_at, name) for name, away in world.away.items() if away.back_at <= now)
    if not due:
        return state, ()
    view = leaders.view(leader, now, worlds.list_registered(world), world.owner)
    for _, bundle in due:
        view = leaders.seen_again(view, leader, world.owner)
        leader, broker = destination(world, leader, state.balancer, bundle, view, choose, edition)
        if broker is None or broker not in world.up:
            continue
        world, leader = worlds.assign(world, bundle, broker), leaders.note_placed(leader, bundle)
        placed.append(Placed(bundle, broker))
    return replace(state, world=world, leader=leader), tuple(placed)


@states("BAL-2")
def destination(
    world: World,
    leader: Leader,
    balancer: Balancer,
    bundle: BundleName,
    view: View,
    choose: Choose,
    edition: Edition,
) -> tuple[Leader, BrokerId | None]:
    """Where a lookup is sent: to the fixed destination, else to the choice of placement."""
    fixed = world.away[bundle].destination
    if fixed is not None and fixed in world.up:
        return leader, fixed
    leader, fixed = leaders.planned_for(leader, bundle, edition)
    if fixed is not None:
        return leader, fixed
    broker = placed_by(balancer, bundle, None, view, choose)
    if broker is None:
        return leader, None
    return leaders.preallocate(leader, bundle, broker), broker


@states("BAL-11", "BAL-27")
def placed_by(
    balancer: Balancer, bundle: BundleName, source: BrokerId | None, view: View, choose: Choose
) -> BrokerId | None:
    """The broker that placement finds, if it finds one; `choose` makes choices."""
    allowed = tuple(sorted(balancer.placement.list_allowed(bundle, view)))
    if not allowed:
        return None
    choice = Choice(view.now, bundle, source, allowed)
    broker = allowed[0] if len(allowed) == 1 else choose(choice)
    balancer.placement.note_choice(bundle, broker, view)
    return broker


@states("BAL-1")
def look(state: State, scenario: Scenario, now: Millis, edition: Edition) -> tuple[State, Moment]:
    """Every broker measures itself and reports; what it measures is recorded."""
    world = state.world
    loads = worlds.loads_at(scenario.every_bundle, now)
    reports = worlds.measure_all(world, scenario.brokers, loads)
    leader = send_reports(state.balancer, state.leader, now, reports, loads)
    leader = leaders.receive(leader, now, worlds.list_registered(world), edition)
    weights = state.balancer.weights
    gauges = tuple(worlds.gauge(broker, report, weights) for broker, report in reports.items())
    moment = Moment(now, (), gauges, tuple(sorted(world.away)), ())
    return replace(state, leader=leader), moment


# -------------------------------------------------------------------------------- shedding


@states("BAL-5", "BAL-6", "BAL-11", "BAL-28")
def shed(
    state: State, scenario: Scenario, now: Millis, choose: Choose, edition: Edition
) -> tuple[State, tuple[Move, ...]]:
    """One round: the shedder's decisions are carried out if possible."""
    active = worlds.list_registered(state.world)
    if not may_shed(len(active)) and not state.balancer.alone.sheds:
        return state, ()
    leader = leaders.forget_old(state.leader, now, state.balancer.grace_minutes)
    state = replace(state, leader=leader)
    view = leaders.view(leader, now, active, state.world.owner)
    moves: list[Move] = []
    for decision in state.balancer.shedder.decide(view):
        move = decide_move(state, decision, view, choose, edition)
        if move is not None:
            state = carry_out(state, move, scenario, now, edition)
            moves.append(move)
    return state, tuple(moves)


@states("BAL-5", "BAL-6", "BAL-16")
def decide_move(
    state: State, decision: Shed, view: View, choose: Choose, edition: Edition
) -> Move | None:
    """The move that a shedder's decision leads to; None if there is none. `view` is what
    the shedder was shown.

    The owner may be another by now, or the broker of the report be dead.
    """
    world, balancer = state.world, state.balancer
    if not still_serves(world, decision):
        return None
    to = decision.destination
    if edition.destination_when_shed and not balancer.transfers:
        to = placed_by(balancer, decision.bundle, decision.source, view, choose)
        if to is None:
            return None
    if not makes_sense(decision.source, to):
        return None
    transfer = balancer.transfers and to is not None
    return Move(decision.bundle, decision.source, to, transfer, decision.reason)


@states("BAL-5")
def still_serves(world: World, decision: Shed) -> bool:
    """The leader's reports may be old: only the owner can give a bundle away."""
    return world.owner.get(decision.bundle) == decision.source


@states("BAL-6")
def makes_sense(source: BrokerId, to: BrokerId | None) -> bool:
    """A bundle is not moved to where it is."""
    return source != to


@states("BAL-7")
def carry_out(state: State, move: Move, scenario: Scenario, now: Millis, edition: Edition) -> State:
    """The bundle leaves its owner; the leader remembers that it did."""
    leader = leaders.remember(state.leader, now, move.bundle, move.source)
    timing = scenario.timing
    if not move.transfer:
        world = worlds.unload(state.world, move.bundle, Away(now + timing.reconnect))
        leader = leaders.relieve(leader, move.bundle)
        if move.destination is not None:
            leader = leaders.plan(leader, move.bundle, move.destination, edition)
        return replace(state, world=world, leader=leader)
    world = worlds.unload(state.world, move.bundle, Away(now + timing.transfer, move.destination))
    if timing.transfer == 0 and move.destination in world.up and move.destination is not None:
        world = worlds.assign(world, move.bundle, move.destination)
    return replace(state, world=world, leader=leader)
