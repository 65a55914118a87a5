"""How the reference answers the questions of the chapter *splitting*."""

from __future__ import annotations

from evenkeel.properties.observations import CommandBroke, CommandRefused
from evenkeel.properties.splitting.convert import (
    bundle_name,
    candidate_of,
    counts_of,
    limits_of,
    load_of,
    reported_flows,
    request_of,
    rival_of,
    rules_of,
    span,
    spans,
    thresholds_of,
)
from evenkeel.properties.splitting.trials_due import (
    CycleDecisions,
    DueBundle,
    ExtensibleCycle,
    ExtensibleDueAnswer,
    ExtensibleDueTrial,
    ModularDueAnswer,
    ModularDueTrial,
    ModularRound,
    SplitDecision,
)
from evenkeel.properties.splitting.trials_life import (
    Command,
    CommandResult,
    Done,
    Found,
    LifeAnswer,
    LifeTrial,
    LookUp,
    Read,
    Reload,
    SetGroup,
    Split,
    SplitDone,
    Stored,
)
from evenkeel.properties.splitting.trials_manual import ManualAnswer, ManualTrial
from evenkeel.properties.splitting.trials_positions import (
    ApplyAnswer,
    ApplyTrial,
    PositionsAnswer,
    PositionsTrial,
)
from evenkeel.reference.bundles import boundaries as boundary_lists
from evenkeel.reference.bundles import lookup
from evenkeel.reference.bundles.topics import topic_hash
from evenkeel.reference.edition import Edition
from evenkeel.reference.errors import Breakage, Refusal
from evenkeel.reference.splitting import algorithms, applying, due, life, manual
from evenkeel.reference.splitting.algorithms import SplitAlgorithm
from evenkeel.reference.splitting.applying import StoredRecord


def answer_positions(trial: PositionsTrial, edition: Edition) -> PositionsAnswer:
    """Where the algorithm cuts."""
    algorithm = trial.algorithm
    if algorithm is SplitAlgorithm.RANGE:
        positions = algorithms.range_positions(trial.bundle, edition)
    elif algorithm is SplitAlgorithm.TOPIC_COUNT:
        hashes = [topic_hash(load.topic) for load in trial.topics]
        positions = algorithms.topic_count_positions(hashes, edition)
    elif algorithm is SplitAlgorithm.SPECIFIED:
        positions = algorithms.specified_positions(
            trial.bundle, len(trial.topics), trial.positions, trial.forced, edition
        )
    else:
        flows = reported_flows(trial.topics)
        limits = limits_of(trial.limits)
        positions = algorithms.flow_positions(flows, len(trial.topics), limits, edition)
    return PositionsAnswer(positions)


def answer_apply(trial: ApplyTrial, edition: Edition) -> ApplyAnswer:
    """The boundaries and children after the split."""
    after = applying.apply_positions(trial.boundaries, trial.target, trial.positions, edition)
    return ApplyAnswer(after, spans(applying.children(trial.target, trial.positions)))


# ------------------------------------------------------------------------------------ due


def answer_modular(trial: ModularDueTrial, edition: Edition) -> ModularDueAnswer:
    """The bundles due in each round."""
    thresholds = thresholds_of(trial.config)
    decides = due.leader_decides(trial.config.split_enabled, trial.leader, trial.known_brokers)
    averages: due.Averages = {}
    rounds = []
    for round_ in trial.rounds if decides else ():
        averages, due_now = due.modular_round(
            averages, loads_of(round_), counts_of(round_.counts), thresholds, edition
        )
        averages = due.without_due(averages, due_now)
        rounds.append(due_bundles(round_, due_now))
    return ModularDueAnswer(tuple(rounds) if decides else ((),) * len(trial.rounds))


def loads_of(round_: ModularRound) -> list[due.Load]:
    """The reports of one round."""
    return [load_of(load) for load in round_.loads]


def due_bundles(round_: ModularRound, chosen: list[due.BundleName]) -> tuple[DueBundle, ...]:
    """The bundles chosen in one round, each with its broker."""
    wanted = set(chosen)
    return tuple(
        DueBundle(load.bundle, load.broker)
        for load in round_.loads
        if bundle_name(load.bundle) in wanted
    )


def answer_extensible(trial: ExtensibleDueTrial, edition: Edition) -> ExtensibleDueAnswer:
    """The decisions of each cycle."""
    if not due.broker_decides(trial.config.split_enabled):
        return ExtensibleDueAnswer((CycleDecisions((), None),) * len(trial.cycles))
    rules = rules_of(trial.config)
    hits: due.Hits = {}
    cycles = []
    for cycle in trial.cycles:
        hits, decisions, abortion = cycle_of(hits, cycle, rules, edition)
        cycles.append(CycleDecisions(decisions, None if abortion is None else str(abortion)))
    return ExtensibleDueAnswer(tuple(cycles))


def cycle_of(
    hits: due.Hits, cycle: ExtensibleCycle, rules: due.CycleRules, edition: Edition
) -> tuple[due.Hits, tuple[SplitDecision, ...], due.CycleAborted | None]:
    """One cycle: hit counts afterwards, decisions, and why it was aborted."""
    after, decisions, abortion = due.extensible_cycle(
        hits,
        [candidate_of(own) for own in cycle.loads],
        counts_of(cycle.counts),
        [bundle_name(text) for text in cycle.splitting],
        rules,
        edition,
    )
    stated = tuple(
        SplitDecision(str(decision.bundle), decision.reason, spans(decision.children))
        for decision in decisions
    )
    return after, stated, abortion


# --------------------------------------------------------------------------- manual, life


def answer_manual(trial: ManualTrial, edition: Edition) -> ManualAnswer:
    """What became of the request."""
    outcome = manual.manual_split(request_of(trial), edition)
    return ManualAnswer(
        outcome.boundaries,
        None if outcome.split is None else span(outcome.split),
        spans(outcome.unloaded),
    )


def answer_life(trial: LifeTrial, edition: Edition) -> LifeAnswer:
    """One result for each command."""
    record = life.create(trial.boundaries)
    results = []
    for command in trial.commands:
        record, result = carry_out(record, command, edition)
        results.append(result)
    return LifeAnswer(tuple(results))


def carry_out(
    record: StoredRecord, command: Command, edition: Edition
) -> tuple[StoredRecord, CommandResult]:
    """One command: the record afterwards and the result."""
    match command:
        case LookUp(topic):
            return record, look_up(record, topic, edition)
        case Split(bundle, positions, rivals):
            writers = [rival_of(rival) for rival in rivals]
            after, made = life.split(record, bundle, positions, writers, edition)
            return after, SplitDone(spans(made)) if isinstance(made, tuple) else failed(made)
        case SetGroup(group):
            return life.set_group(record, group), Done()
        case Reload():
            life.reload(record)
            return record, Done()
        case Read():
            return record, stored(record)


def look_up(record: StoredRecord, topic: str, edition: Edition) -> CommandResult:
    """The bundle that serves a topic."""
    points = life.reload(record)
    try:
        index = lookup.bundle_index(points, topic_hash(topic), edition)
    except Breakage as breakage:
        return failed(breakage)
    return Found(span(boundary_lists.bundle_at(points, index)))


def stored(record: StoredRecord) -> Stored:
    """The record as an observation states it."""
    return Stored(record.boundaries, record.copy, record.group, record.version)


def failed(error: Refusal | Breakage) -> CommandResult:
    """How a command's failure is stated."""
    reason = type(error).__name__
    return CommandRefused(reason) if isinstance(error, Refusal) else CommandBroke(reason)
