"""The questions of the chapter *throttling*."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import Any, Final

from evenkeel.properties.question import Question
from evenkeel.properties.throttling import answers, generators, questions_loop
from evenkeel.properties.throttling.trials_policy import (
    PolicyAnswer,
    PolicyTrial,
    SetBroker,
    Subscribe,
)
from evenkeel.properties.throttling.trials_quota import (
    BucketAnswer,
    BucketTrial,
    Close,
    Configure,
    CounterAnswer,
    CounterTrial,
    QuotaAnswer,
    QuotaTrial,
    Restart,
)
from evenkeel.properties.throttling.trials_reading import ReadLimitsAnswer, ReadLimitsTrial
from evenkeel.properties.throttling.trials_subscribing import (
    Reconfigure,
    SubscribingAnswer,
    SubscribingTrial,
)
from evenkeel.reference.throttling import rates


def quota_labels(trial: QuotaTrial) -> Iterator[str]:
    """Mechanism, limits, whether the rate changes."""
    yield trial.mechanism.value
    yield "limited" if rates.limited(trial.rate) else "unlimited"
    if trial.rate.relative:
        yield "relative to the publish rate"
    if trial.rate.period < 1:
        yield "no period"
    if any(isinstance(command, Configure) for command in trial.commands):
        yield "configured while running"


def bucket_labels(trial: BucketTrial) -> Iterator[str]:
    """How the bucket is made."""
    yield "dynamic" if trial.dynamic else "fixed"
    if trial.resolution >= trial.period:
        yield "refilled once a period"
    if trial.period // trial.rate > trial.resolution:
        yield "slower than its resolution"
    if trial.rate * trial.period >= 2**63:
        yield "beyond 64 bits"


def counter_labels(trial: CounterTrial) -> Iterator[str]:
    """What the counter does with excess, and what happens to it."""
    yield "carries excess" if trial.carries else "refuses excess"
    if any(isinstance(command, Restart) for command in trial.commands):
        yield "restarted"
    if any(isinstance(command, Close) for command in trial.commands):
        yield "closed"


def read_limits_labels(trial: ReadLimitsTrial) -> Iterator[str]:
    """What cuts the read."""
    yield trial.reader.value
    yield f"{len(trial.levels)} levels"
    if trial.precise:
        yield "precise"
    if not trial.throttled:
        yield "limits switched off"
    if any(0 in (left.messages, left.bytes) for left in trial.levels):
        yield "a quota is used up"
    if any(left.messages >= 2**31 for left in trial.levels):
        yield "quota beyond 32 bits"


def policy_labels(trial: PolicyTrial) -> Iterator[str]:
    """Mechanism, and what changes."""
    yield trial.mechanism.value
    if any(isinstance(command, SetBroker) for command in trial.commands):
        yield "configuration changes"
    if any(isinstance(command, Subscribe) for command in trial.commands):
        yield "subscribed"


def subscribing_labels(trial: SubscribingTrial) -> Iterator[str]:
    """Whether attempts are limited."""
    yield "limited" if trial.rate.attempts > 0 and trial.rate.period > 0 else "unlimited"
    if any(isinstance(command, Reconfigure) for command in trial.commands):
        yield "configured while running"


QUOTA: Final = Question(
    "throttling.quota",
    QuotaTrial,
    QuotaAnswer,
    generators.quota_trial,
    answers.answer_quota,
    quota_labels,
    commands=attrgetter("commands"),
)
BUCKET: Final = Question(
    "throttling.bucket",
    BucketTrial,
    BucketAnswer,
    generators.bucket_trial,
    answers.answer_bucket,
    bucket_labels,
    commands=attrgetter("commands"),
)
COUNTER: Final = Question(
    "throttling.counter",
    CounterTrial,
    CounterAnswer,
    generators.counter_trial,
    answers.answer_counter,
    counter_labels,
    commands=attrgetter("commands"),
)
READ_LIMITS: Final = Question(
    "throttling.read_limits",
    ReadLimitsTrial,
    ReadLimitsAnswer,
    generators.read_limits_trial,
    answers.answer_read_limits,
    read_limits_labels,
)
POLICY: Final = Question(
    "throttling.policy",
    PolicyTrial,
    PolicyAnswer,
    generators.policy_trial,
    answers.answer_policy,
    policy_labels,
    commands=attrgetter("commands"),
)
SUBSCRIBING: Final = Question(
    "throttling.subscribing",
    SubscribingTrial,
    SubscribingAnswer,
    generators.subscribing_trial,
    answers.answer_subscribing,
    subscribing_labels,
    commands=attrgetter("commands"),
)

QUESTIONS: Final[tuple[Question[Any, Any], ...]] = (
    QUOTA,
    BUCKET,
    COUNTER,
    READ_LIMITS,
    POLICY,
    SUBSCRIBING,
    *questions_loop.QUESTIONS,
)
