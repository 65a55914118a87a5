"""Following what the strategy's documented trigger said, round by round (BAL-9, BAL-10)."""

from __future__ import annotations

from evenkeel.properties.balancing.trials import BalancingTrial
from evenkeel.properties.balancing.triggers import Seen, is_quiet, must_shed
from evenkeel.properties.clause import Case
from evenkeel.properties.findings import Findings
from evenkeel.properties.observations import Broke, Refused
from evenkeel.reference.balancing import world as worlds
from evenkeel.reference.balancing.history import History, Moment
from evenkeel.reference.balancing.scenario import (
    DelayReports,
    LeaderChange,
    LoseReports,
    Scenario,
)
from evenkeel.reference.balancing.world import World
from evenkeel.reference.shedding.cluster import MINUTE, BrokerId, BundleName, Millis


def judged(scenario: Scenario) -> bool:
    """Whether the leader knows what the gauges say: every report arrives, and at once.

    Changes of leader are left out: what is smoothed begins anew.
    """
    others = DelayReports | LoseReports | LeaderChange
    return not any(isinstance(event, others) for event in scenario.events)


def walk_triggers(case: Case[BalancingTrial, History]) -> Findings:
    """What the rounds say about calm and progress."""
    trial, observed, findings = case.trial, case.observation, Findings()
    if isinstance(observed, Refused | Broke) or not judged(trial.scenario):
        return findings
    world = worlds.beginning(trial.scenario)
    seen = Seen(trial.balancer.settings)
    moved: dict[BundleName, Millis] = {}
    timing = trial.scenario.timing
    for moment in observed.moments:
        world = followed(world, trial.scenario, moment.at)
        registered = worlds.registered(world)
        seen.look(moment, registered)
        if moment.at and moment.at % timing.shedding == 0 and len(registered) > 1:
            seen.step()
            calm(findings, trial, seen, moment, case)
            progress(findings, trial, seen, moment, moved, case)
        moved |= dict.fromkeys((move.bundle for move in moment.moves), moment.at)
    return findings


def followed(world: World, scenario: Scenario, now: Millis) -> World:
    """Which brokers are there now; who serves what does not matter here."""
    for event in scenario.events:
        if now - scenario.timing.step < event.at <= now:
            world = worlds.happen(world, event, scenario.timing)
    return worlds.pass_time(world, now)


def calm(
    findings: Findings,
    trial: BalancingTrial,
    seen: Seen,
    moment: Moment,
    case: Case[BalancingTrial, History],
) -> None:
    """Where the trigger is absent, nothing moves."""
    strategy = trial.balancer.strategy
    if is_quiet(strategy, seen, case.edition):
        usages = ", ".join(f"{gauge.usage:.3f}" for gauge in seen.latest.values())
        told = f"at {moment.at} ms {strategy} moves {len(moment.moves)} bundles at {usages}"
        findings.note("BAL-9", not moment.moves, told)


def progress(
    findings: Findings,
    trial: BalancingTrial,
    seen: Seen,
    moment: Moment,
    moved: dict[BundleName, Millis],
    case: Case[BalancingTrial, History],
) -> None:
    """Where the trigger is there, something moves. Not where 4.0 may leave a bundle with its owner.

    Bundles of a broker that is down cannot be given away.
    """
    if case.edition.destination_when_shed:
        return
    grace = trial.balancer.settings.grace_minutes * MINUTE
    up = {gauge.broker for gauge in moment.gauges}
    movable: dict[BrokerId, int] = {
        gauge.broker: sum(
            bundle not in moved or moment.at - moved[bundle] > grace for bundle in gauge.bundles
        )
        for gauge in moment.gauges
    }
    for broker in must_shed(trial.balancer.strategy, seen, movable, case.edition):
        if broker in up:
            sheds = any(move.source == broker for move in moment.moves)
            told = f"at {moment.at} ms {broker} is at {seen.latest[broker].usage:.3f} and keeps all"
            findings.note("BAL-10", sheds, told)
