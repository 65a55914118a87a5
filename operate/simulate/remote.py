"""A subject in the loop, e.g. Apache Pulsar's own classes: its shedder, its placement, or both.

Every decision of the subject is asked for by the question of the chapter that it belongs to, and
the loop continues with it. The reference decides as well, with the same knowledge. In the end the
whole run is compared with the reference, which runs again with the subject's choices wherever
several brokers were allowed (BAL-11, BAL-19).
"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from evenkeel.operate.simulate.remote_placement import questions_of, remote_placement
from evenkeel.operate.simulate.remote_shedding import Retold, remote_shedder
from evenkeel.operate.simulate.rest import Rest
from evenkeel.operate.simulate.running import Run, RunJob, measure_run, trial_of
from evenkeel.operate.simulate.subject_calls import Log, SubjectCalls, refuse_unaskable
from evenkeel.properties.balancing.loop import LOOP
from evenkeel.properties.balancing.loop.replay import equal_moments, question_of
from evenkeel.reference.balancing import loop, strategies
from evenkeel.reference.balancing.balancer import Balancer, Hire
from evenkeel.reference.balancing.history import History
from evenkeel.reference.balancing.settings import BalancerSpec, Strategy
from evenkeel_engine.kit.trial import BadTrial
from evenkeel_engine.subjects.base import Subject


class Does(StrEnum):
    """What the subject does in the loop."""

    BOTH = "both"
    SHEDDING = "shedding"
    PLACEMENT = "placement"


class NotOffered(Exception):
    """The subject does not do what is requested: one sentence."""


def carry_out(job: RunJob, subject: Subject, log: Log, does: Does = Does.BOTH) -> Run:
    """One run with the subject in it; whatever it does not do, the reference does.

    Raises `SubjectFailed`, and `NotOffered` before the run.
    """
    brokers = [broker.id for broker in job.file.scenario.brokers]
    calls = SubjectCalls(subject, job.edition, log, job.called, brokers)
    sheds, places = choose_parts(job.balancer, calls, does)
    before = len(log.violations)
    hire = hire_subject(job.balancer, calls, sheds, places)
    try:
        history = loop.run(job.file.scenario, hire, loop.seed_choices(job.seed), job.edition)
    except BadTrial as bad:
        raise refuse_unaskable(bad) from bad
    hold(job, history, calls, judged=before == len(log.violations))
    return measure_run(job, history, Rest(None, job.file.scenario.timing.end, known=False))


def choose_parts(spec: BalancerSpec, calls: SubjectCalls, does: Does) -> tuple[bool, bool]:
    """Whether the subject sheds, and whether it places. Raises `NotOffered`."""
    shedding = question_of(spec.strategy)
    placing, _ = questions_of(spec.placement, spec.strategy is Strategy.TRANSFER)
    can_shed = spec.strategy is not Strategy.NONE and calls.offers(shedding)
    can_place = calls.offers(placing)
    found = (can_shed and does is not Does.PLACEMENT, can_place and does is not Does.SHEDDING)
    if not any(found):
        requested = {Does.SHEDDING: shedding, Does.PLACEMENT: placing}
        raise NotOffered(f"does not answer {requested.get(does, f'{shedding} or {placing}')}")
    return found


def hire_subject(spec: BalancerSpec, calls: SubjectCalls, sheds: bool, places: bool) -> Hire:
    """Balancers of which the subject is a part; all else is the reference's."""
    hire = strategies.hiring(spec, calls.edition)

    def hire_remote() -> Balancer:
        balancer = hire()
        if places:
            balancer = replace(balancer, placement=remote_placement(balancer.placement, calls))
        if sheds:
            settings, inner = spec.settings, balancer.shedder
            shedder = remote_shedder(spec.strategy, settings, inner, calls)
            balancer = replace(balancer, shedder=shedder)
        return balancer

    return hire_remote


def hold(job: RunJob, history: History, calls: SubjectCalls, judged: bool) -> None:
    """Hold a run against the reference with the same choices; count the moments that are equal.

    `judged`: no decision was wrong by itself, so the whole must be right, too.
    """
    trial, log, calls.now = trial_of(job), calls.log, None
    hire = strategies.hiring(job.balancer, job.edition)

    def hire_retold() -> Balancer:
        balancer = hire()
        return replace(balancer, shedder=Retold(balancer.shedder, calls))

    moments = len(history.moments)
    equal = equal_moments(trial, history, job.edition, hire_retold)
    log.moments += moments
    log.equal += equal
    if judged and not calls.others:
        calls.judge(LOOP.name, trial, history)
    elif judged and equal < moments:
        calls.object("BAL-11", f"{equal} of {moments} moments are the reference's")
