"""Clauses about attempts to subscribe: `throttling.subscribing`."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from evenkeel.properties.clause import Case, Finding, describe
from evenkeel.properties.findings import Findings, OncePerCase
from evenkeel.properties.observations import Broke, Refused
from evenkeel.properties.throttling.book import check
from evenkeel.properties.throttling.results import results_as_expected
from evenkeel.properties.throttling.trials_quota import Advance
from evenkeel.properties.throttling.trials_subscribing import (
    Allowed,
    Attempt,
    Reconfigure,
    SubscribingAnswer,
    SubscribingTrial,
)
from evenkeel.reference.throttling.subscribing import SubscribeRate

SubscribingCase = Case[SubscribingTrial, SubscribingAnswer]


@dataclass(slots=True)
class Attempts:
    """Attempts allowed at this instant, and who has tried since the rate was set."""

    rate: SubscribeRate
    now: Counter[int] = field(default_factory=Counter)
    tried: set[int] = field(default_factory=set)

    @property
    def limited(self) -> bool:
        """Whether the rate limits anything."""
        return self.rate.attempts > 0 and self.rate.period > 0


def walk_attempts(case: SubscribingCase) -> Findings:
    """Every attempt held against the rate."""
    trial, observed, findings = case.trial, case.observation, Findings()
    if isinstance(observed, Refused | Broke) or len(observed.results) != len(trial.commands):
        findings.note("THR-46", False, f"the limiter {describe(observed)}", "shape")
        return findings
    attempts = Attempts(trial.rate)
    for command, result in zip(trial.commands, observed.results, strict=True):
        if isinstance(command, Advance) and command.millis:
            attempts.now.clear()
        elif isinstance(command, Reconfigure) and command.rate != attempts.rate:
            attempts = Attempts(command.rate)
        elif isinstance(command, Attempt):
            attempt(attempts, command.consumer, result == Allowed(True), findings)
    return findings


def attempt(attempts: Attempts, consumer: int, allowed: bool, findings: Findings) -> None:
    """One attempt."""
    if not attempts.limited:
        findings.note("THR-46", allowed, f"{attempts.rate} limits nothing, and yet it is refused")
        return
    if consumer not in attempts.tried:
        findings.note("THR-47", allowed, f"consumer {consumer}'s first attempt is refused", "first")
    attempts.tried.add(consumer)
    attempts.now[consumer] += allowed
    findings.note(
        "THR-47",
        attempts.now[consumer] <= attempts.rate.attempts,
        f"{attempts.now[consumer]} attempts at one instant, {attempts.rate.attempts} in a period",
        "too many",
    )


walked = OncePerCase(walk_attempts)


@check("THR-46", "throttling.subscribing")
def no_limit_without_both_parts(case: SubscribingCase) -> Finding:
    return walked(case).finding("THR-46")


@check("THR-47", "throttling.subscribing")
def each_consumer_has_its_own(case: SubscribingCase) -> Finding:
    return walked(case).finding("THR-47")


@check("THR-48", "throttling.subscribing")
def subscribing_of_4_0(case: SubscribingCase) -> Finding:
    return results_as_expected(case)
