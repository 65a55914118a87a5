"""Every attempt to subscribe, held against the rate: THR-46 to THR-48."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from evenkeel.properties.clause import Case, in_full
from evenkeel.properties.findings import Findings
from evenkeel.properties.judging.exact import exact
from evenkeel.properties.judging.judge import monitor
from evenkeel.properties.observations import Broke, Refused
from evenkeel.properties.throttling.commands import Advance
from evenkeel.properties.throttling.subscribing.trial import (
    Allowed,
    Attempt,
    Reconfigure,
    SubscribingAnswer,
    SubscribingTrial,
)
from evenkeel.reference.throttling.subscribing import SubscribeRate


@dataclass(slots=True)
class Attempts:
    """Attempts allowed at this instant, and when (ms) who last tried since the rate was set."""

    rate: SubscribeRate
    now: Counter[int] = field(default_factory=Counter)
    tried: dict[int, int] = field(default_factory=dict)


@monitor("throttling.subscribing", "THR-46", "THR-47", "THR-48")
def subscribing(case: Case[SubscribingTrial, SubscribingAnswer], findings: Findings) -> None:
    exact(findings, "THR-48", case)
    trial, observed = case.trial, case.observation
    if isinstance(observed, Refused | Broke) or len(observed.results) != len(trial.commands):
        findings.check("THR-46", False, "shape", "the limiter {}", in_full(observed))
        return
    attempts = Attempts(trial.rate)
    at = 0
    for command, result in zip(trial.commands, observed.results, strict=True):
        if isinstance(command, Advance) and command.millis:
            at += command.millis
            attempts.now.clear()
        elif isinstance(command, Reconfigure) and command.rate != attempts.rate:
            attempts = Attempts(command.rate)
        elif isinstance(command, Attempt):
            if not case.edition.refill_wraps:
                rested(attempts, command.consumer, at, result == Allowed(True), findings)
            attempt(attempts, command.consumer, at, result == Allowed(True), findings)


def rested(attempts: Attempts, consumer: int, at: int, allowed: bool, findings: Findings) -> None:
    """Who has not tried for two periods may; products of 64 bits that wrap may lose them."""
    rate, last = attempts.rate, attempts.tried.get(consumer)
    if last is None or rate.attempts <= 0 or rate.period <= 0:
        return
    if at - last >= 2 * rate.period * 1000:
        sentence = "consumer {} tried last {} ms ago, and is refused with {}"
        findings.check("THR-47", allowed, "rested", sentence, consumer, at - last, rate)


def attempt(attempts: Attempts, consumer: int, at: int, allowed: bool, findings: Findings) -> None:
    rate = attempts.rate
    if rate.attempts <= 0 or rate.period <= 0:
        findings.check("THR-46", allowed, "", "{} limits nothing, and yet it is refused", rate)
        return
    if consumer not in attempts.tried:
        sentence = "consumer {}'s first attempt is refused"
        findings.check("THR-47", allowed, "first", sentence, consumer)
    attempts.tried[consumer] = at
    attempts.now[consumer] += allowed
    count, sentence = attempts.now[consumer], "{} attempts at one instant, {} in a period"
    findings.check("THR-47", count <= rate.attempts, "too many", sentence, count, rate.attempts)
