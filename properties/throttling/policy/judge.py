"""What is in force after each command, held against what is set: THR-1 to THR-5."""

from __future__ import annotations

from evenkeel.properties.clause import Case, in_full
from evenkeel.properties.findings import Findings
from evenkeel.properties.judging.judge import monitor
from evenkeel.properties.observations import Broke, Refused
from evenkeel.properties.throttling.policy.trial import (
    InForce,
    PolicyAnswer,
    PolicyTrial,
    SetBroker,
    SetNamespace,
    SetTopic,
    Subscribe,
)
from evenkeel.reference.throttling.rates import DispatchRate, Level, Limits

Policy = DispatchRate | None


def limits_of(rate: DispatchRate | Limits) -> Limits:
    """THR-1: 0 and less are no limit, told as -1."""
    return Limits(rate.messages if rate.messages > 0 else -1, rate.bytes if rate.bytes > 0 else -1)


@monitor("throttling.policy", "THR-1", "THR-2", "THR-3", "THR-4", "THR-5")
def policy(case: Case[PolicyTrial, PolicyAnswer], findings: Findings) -> None:
    """`policies`: of each level the topic's own and the namespace's. `changed`: the configuration
    has, or a policy was removed.
    """
    trial, observed = case.trial, case.observation
    if isinstance(observed, Refused | Broke) or len(observed.results) != len(trial.commands):
        findings.check("THR-1", False, "shape", "the broker {}", in_full(observed))
        return
    policies: dict[Level, list[Policy]] = {
        Level.TOPIC: [None, None],
        Level.SUBSCRIPTION: [None, None],
    }
    configured, subscribed, changed = trial.start, False, False
    for command, result in zip(trial.commands, observed.results, strict=True):
        match command:
            case SetBroker(config):
                configured, changed = config, True
            case SetTopic(level, rate) | SetNamespace(level, rate):
                policies[level][isinstance(command, SetNamespace)] = rate
                changed = changed or rate is None
            case Subscribe():
                subscribed = True
        if not isinstance(result, InForce):
            findings.check("THR-1", False, "failed", "{}: {}", command, result)
            return
        right, sentence = limits_of(configured.broker), "broker: {} is configured, not {}"
        findings.check("THR-1", result.broker == right, "", sentence, right, result.broker)
        at = policies[Level.TOPIC], configured.topic
        in_force(Level.TOPIC, *at, result.topic, changed, findings)
        if subscribed:
            at = policies[Level.SUBSCRIPTION], configured.subscription
            in_force(Level.SUBSCRIPTION, *at, result.subscription, changed, findings)


def in_force(
    level: Level,
    policies: list[Policy],
    configured: Limits,
    observed: Limits,
    changed: bool,
    findings: Findings,
) -> None:
    """The first policy that is there counts; THR-3 and THR-4 differ in whether one that limits
    nothing is there.
    """
    last = limits_of(configured)
    there = [limits_of(policy) for policy in policies if policy is not None]
    literal = there[0] if there else last
    without = next((limits for limits in there if limits != Limits()), last)
    kind = level.value
    if literal == without:
        clause, sentence = "THR-5" if changed else "THR-2", "{}: {} must be in force, not {}"
        findings.check(clause, observed == literal, kind, sentence, kind, literal, observed)
        return
    sentence = "{}: a policy without limits is set, not {}"
    findings.check("THR-3", observed == literal, kind, sentence, kind, observed)
    sentence = "{}: {} must be in force, not {}"
    findings.check("THR-4", observed == without, kind, sentence, kind, without, observed)
