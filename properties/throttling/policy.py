"""Which of several policies is in force."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from evenkeel.properties.throttling.trial_parts import require_policy_rate, require_rate
from evenkeel.reference.edition import Edition
from evenkeel.reference.throttling import rates
from evenkeel.reference.throttling.limiter import EARLIER, Mechanism
from evenkeel.reference.throttling.rates import BrokerConfig, DispatchRate, Level, Limits, Policies
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.draw import Draw, seldom_repeated
from evenkeel_engine.kit.exempt import Exempt
from evenkeel_engine.kit.judge import monitor, pair_results
from evenkeel_engine.kit.observations import CommandBroke, CommandRefused
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import MonitorRun, fill
from evenkeel_engine.kit.trial import OMITTABLE, Tagged, require


def require_policy(level: Level, rate: DispatchRate | None) -> None:
    """Require a level that has policies."""
    require(level is not Level.BROKER, "level", "must be topic or subscription")
    require_policy_rate("rate", rate)


@dataclass(frozen=True, slots=True)
class SetBroker(Tagged):
    """The configuration changes while the broker runs."""

    config: BrokerConfig

    def __post_init__(self) -> None:
        require_config("config", self.config)


@dataclass(frozen=True, slots=True)
class SetNamespace(Tagged):
    """The namespace's policy for its topics or subscriptions is set; null removes it.

    A policy that is set applies, even if it is -1: then there is no limit.
    """

    level: Level
    rate: DispatchRate | None

    def __post_init__(self) -> None:
        require_policy(self.level, self.rate)


@dataclass(frozen=True, slots=True)
class SetTopic(Tagged):
    """The topic's own policy for itself or its subscriptions is set; null removes it.

    A policy that is set applies, even if it is -1: then there is no limit.
    """

    level: Level
    rate: DispatchRate | None

    def __post_init__(self) -> None:
        require_policy(self.level, self.rate)


@dataclass(frozen=True, slots=True)
class Subscribe(Tagged):
    """The subscription gets its first consumer; its limits matter from now on."""


PolicyCommand = SetBroker | SetNamespace | SetTopic | Subscribe


def require_config(place: str, config: BrokerConfig) -> None:
    for level in Level:
        require_rate(f"{place}.{level.value}", config.rate(level))


@dataclass(frozen=True, slots=True)
class PolicyTrial:
    """`throttling.policy`: a topic with one subscription, while policies are set and removed.

    A limit of 0 or less is none, at any level (THR-68; document 004 names -1 alone). A subject for
    which 0 means that nothing may be delivered skips a trial with such limits. No command is
    refused; one that finds nothing to do changes nothing. `system`: it is a topic of the broker's
    own, such as `__change_events`.
    """

    mechanism: Mechanism
    start: BrokerConfig
    commands: tuple[PolicyCommand, ...]
    system: bool = field(default=False, metadata=OMITTABLE)

    def __post_init__(self) -> None:
        require(self.mechanism not in EARLIER, "mechanism", "must be classic or bucket")
        require_config("start", self.start)


@dataclass(frozen=True, slots=True)
class InForce(Tagged):
    """The limits of each level after a command, -1 without a limit.

    Those of the subscription are -1 before `subscribe`.
    """

    broker: Limits
    topic: Limits
    subscription: Limits


PolicyResult = InForce | CommandRefused | CommandBroke


@dataclass(frozen=True, slots=True)
class PolicyAnswer:
    """One result for each command."""

    results: tuple[PolicyResult, ...]


MECHANISMS: Final = (Mechanism.CLASSIC, Mechanism.BUCKET)


def draw_policy_rate(draw: Draw) -> DispatchRate | None:
    if draw.chance(0.3):
        return None
    limits = draw_bounds(draw)
    return DispatchRate(limits.messages, limits.bytes, draw.pick((1, 2, 60)), draw.chance(0.2))


def draw_bounds(draw: Draw) -> Limits:
    """Limits of up to 50, or such that those in bytes need more than 32 bits."""
    limits = Limits(draw_bound(draw), draw_bound(draw))
    if draw.chance(0.9):
        return limits
    return Limits(limits.messages, limits.bytes * 2**31 if limits.bytes > 0 else limits.bytes)


def draw_bound(draw: Draw) -> int:
    return draw.integer(1, 50) if not draw.chance(0.45) else draw.pick((-1, 0))


def draw_config(draw: Draw) -> BrokerConfig:
    return BrokerConfig(draw_limits(draw), draw_limits(draw), draw_limits(draw))


def draw_limits(draw: Draw) -> Limits:
    return draw_bounds(draw) if draw.chance(0.4) else draw.pick((*[Limits()] * 9, Limits(-2, -2)))


@seldom_repeated("commands", 0.06)
def policy_trial(draw: Draw) -> PolicyTrial:
    mechanism, start = draw.pick(MECHANISMS), draw_config(draw)
    commands: list[PolicyCommand] = []
    for _ in draw.items(12, 0.85):
        sort = draw.integer(0, 6)
        level = draw.pick((Level.TOPIC, Level.SUBSCRIPTION))
        if sort == 0:
            commands.append(Subscribe())
        elif sort < 3:
            commands.append(SetNamespace(level, draw_policy_rate(draw)))
        elif sort < 6:
            commands.append(SetTopic(level, draw_policy_rate(draw)))
        else:
            commands.append(SetBroker(draw_config(draw)))
    return PolicyTrial(mechanism, start, tuple(commands), draw.chance(0.1))


def answer_policy(trial: PolicyTrial, edition: Edition) -> PolicyAnswer:
    policies, subscribed = Policies(trial.start), False
    results = []
    for command in trial.commands:
        subscribed = subscribed or isinstance(command, Subscribe)
        policies = changed(policies, command)
        limiting = rates.of_system_topic(policies) if trial.system else policies
        results.append(in_force(limiting, subscribed, edition))
    return PolicyAnswer(tuple(results))


def changed(policies: Policies, command: PolicyCommand) -> Policies:
    match command:
        case SetBroker(config):
            return rates.with_configuration(policies, config)
        case SetNamespace(level, rate):
            return rates.with_namespace(policies, level, rate)
        case SetTopic(level, rate):
            return rates.with_topic(policies, level, rate)
        case Subscribe():
            return policies


def in_force(policies: Policies, subscribed: bool, edition: Edition) -> InForce:
    limits = {level: rates.in_force(rates.rate_at(policies, level, edition)) for level in Level}
    subscription = limits[Level.SUBSCRIPTION] if subscribed else Limits()
    return InForce(limits[Level.BROKER], limits[Level.TOPIC], subscription)


def policy_labels(trial: PolicyTrial) -> Iterator[str]:
    yield trial.mechanism.value
    if any(isinstance(command, SetBroker) for command in trial.commands):
        yield "configuration changes"
    if any(isinstance(command, Subscribe) for command in trial.commands):
        yield "subscribed"
    if trial.system:
        yield "system topic"


Policy = DispatchRate | None


def limits_of(rate: DispatchRate | Limits) -> Limits:
    """THR-68: 0 and less are no limit, reported as -1."""
    return Limits(rate.messages if rate.messages > 0 else -1, rate.bytes if rate.bytes > 0 else -1)


@monitor("throttling.policy", "THR-1", "THR-2", "THR-3", "THR-4", "THR-5", "THR-68", "THR-93")
def judge_policy(run: MonitorRun, case: Case[PolicyTrial, PolicyAnswer]) -> None:
    """Judge the limits in force. `policies`: for each level the topic's own and the namespace's.
    `changed`: the configuration was changed, or a policy removed.
    """
    trial = case.trial
    policies: dict[Level, list[Policy]] = {
        Level.TOPIC: [None, None],
        Level.SUBSCRIPTION: [None, None],
    }
    configured, subscribed, changed = trial.start, False, False
    for command, result in pair_results(run, "THR-1", case, "the broker"):
        match command:
            case SetBroker(config):
                configured, changed = config, True
            case SetTopic(level, rate) | SetNamespace(level, rate):
                policies[level][isinstance(command, SetNamespace)] = rate
                changed = changed or rate is None
            case Subscribe():
                subscribed = True
        if not isinstance(result, InForce):
            run.require("THR-1", False, fill("{}: {}", command, result), "failed")
            return
        if trial.system:
            right, sentence = limits_of(result.broker), "broker: {} is no limit: {}"
            why = fill(sentence, result.broker, right)
            run.require("THR-68", result.broker == right, why, "system")
            own = [policies[Level.TOPIC][0]]
            there = [Limits(), *policies[Level.SUBSCRIPTION], configured.subscription]
            at_hand = there if subscribed else []
            judge_system_topic(run, result, first_of(own, configured.topic), at_hand)
            continue
        right, sentence = limits_of(configured.broker), "broker: {} is configured, not {}"
        clause = "THR-1" if right == configured.broker else "THR-68"
        run.require(clause, result.broker == right, fill(sentence, right, result.broker))
        at = policies[Level.TOPIC], configured.topic
        judge_in_force(run, Level.TOPIC, *at, result.topic, changed)
        if subscribed:
            at = policies[Level.SUBSCRIPTION], configured.subscription
            judge_in_force(run, Level.SUBSCRIPTION, *at, result.subscription, changed)


def judge_system_topic(
    run: MonitorRun, found: InForce, own: tuple[Limits, Limits], at_hand: list[Limits | Policy]
) -> None:
    """Check that neither the broker's limit counts nor the namespace's, and that the subscription's
    is one of those `at_hand`, if it has a consumer.
    """
    sentence = "{} must not limit a system topic: {}"
    right = found.broker == Limits()
    run.require("THR-93", right, fill(sentence, "the broker", found.broker), "broker")
    right = found.topic in own
    run.require("THR-93", right, fill(sentence, "the namespace", found.topic), "topic")
    if at_hand:
        right = found.subscription in [limits_of(rate) for rate in at_hand if rate is not None]
        sentence = "what limits a system topic's subscription is not set: {}"
        run.require("THR-93", right, fill(sentence, found.subscription), "subscription")


def first_of(policies: Sequence[Policy], configured: Limits) -> tuple[Limits, Limits]:
    """The limits of the first policy that is there, else those configured; and the same if one
    without limits is not there.
    """
    last = limits_of(configured)
    there = [limits_of(policy) for policy in policies if policy is not None]
    limiting = next((limits for limits in there if limits != Limits()), last)
    return (there[0] if there else last), limiting


def judge_in_force(
    run: MonitorRun,
    level: Level,
    policies: list[Policy],
    configured: Limits,
    observed: Limits,
    changed: bool,
) -> None:
    """Check that the first policy applies; THR-3 and THR-4 differ in whether one without limits
    counts.
    """
    literal, without = first_of(policies, configured)
    kind = level.value
    if literal == without:
        clause, sentence = "THR-5" if changed else "THR-2", "{}: {} must be in force, not {}"
        run.require(clause, observed == literal, fill(sentence, kind, literal, observed), kind)
        return
    sentence = "{}: a policy without limits is set, not {}"
    run.require("THR-3", observed == literal, fill(sentence, kind, observed), kind)
    sentence = "{}: {} must be in force, not {}"
    run.require("THR-4", observed == without, fill(sentence, kind, without, observed), kind)


POLICY: Final = Question(
    "throttling.policy",
    PolicyTrial,
    PolicyAnswer,
    policy_trial,
    answer_policy,
    policy_labels,
    commands="commands",
    exempt=Exempt(
        subjects={
            "ignores Subscribe after 25 commands": (
                "What has a consumer already is limited as before."
            )
        }
    ),
)

QUESTIONS: Final = (POLICY,)
