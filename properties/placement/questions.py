"""The questions of the chapter *placement*."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import Any, Final

from evenkeel.properties.placement import (
    answers,
    generators,
    generators_candidates,
    generators_policy,
    generators_preallocation,
    preallocation_walk,
)
from evenkeel.properties.placement.generators import OFTEN
from evenkeel.properties.placement.trials_candidates import (
    CandidatesAnswer,
    CandidatesTrial,
    FiltersTrial,
)
from evenkeel.properties.placement.trials_policy import StoredPolicyAnswer, StoredPolicyTrial
from evenkeel.properties.placement.trials_preallocation import (
    Leaves,
    PreallocationTrial,
    Propose,
    Reports,
)
from evenkeel.properties.placement.trials_strategies import (
    Active,
    AsksAnswer,
    ChoicesAnswer,
    ExtensibleUsageTrial,
    MessageRateTrial,
    ModularUsageTrial,
    Place,
    PlanMove,
    PlannedTrial,
    Report,
    RoundRobinTrial,
    Update,
)
from evenkeel.properties.question import Question
from evenkeel.reference.placement.admission import readable


def times_labels(times: int) -> Iterator[str]:
    """Whether so often that chance is judged."""
    if times >= OFTEN:
        yield "asked often"


def message_rate_labels(trial: MessageRateTrial) -> Iterator[str]:
    """Candidates, preallocated bundles."""
    yield from times_labels(trial.times)
    if not trial.candidates:
        yield "no candidates"
    if any(broker not in trial.reports for broker in trial.candidates):
        yield "a candidate without a report"
    if any(broker.report.preallocated for broker in trial.brokers):
        yield "preallocated bundles"


def modular_usage_labels(trial: ModularUsageTrial) -> Iterator[str]:
    """Asks, and what happens between them."""
    if any(isinstance(command, Active) for command in trial.commands):
        yield "brokers leave"
    for command in trial.commands:
        if isinstance(command, Report) and command.report.idle:
            yield "an idle broker"
            break


def extensible_usage_labels(trial: ExtensibleUsageTrial) -> Iterator[str]:
    """Candidates and their load data."""
    yield from times_labels(trial.times)
    known = [broker for broker in trial.candidates if broker.usage is not None]
    if len(known) < len(trial.candidates):
        yield "no load data" if not known else "some load data"


def round_robin_labels(trial: RoundRobinTrial) -> Iterator[str]:
    """Whether the candidates change."""
    sets = {frozenset(ask.candidates) for ask in trial.asks}
    yield "candidates change" if len(sets) > 1 else "always the same candidates"
    if trial.counter > 2**30:
        yield "around the counter's end"


def planned_labels(trial: PlannedTrial) -> Iterator[str]:
    """Plans, changes of statistics, equal bundles."""
    if any(isinstance(command, PlanMove) for command in trial.commands):
        yield "planned"
    if any(isinstance(command, Update) for command in trial.commands):
        yield "statistics change"
    if len({bundle.statistics for bundle in trial.bundles}) < len(trial.bundles):
        yield "equal statistics"
    if any(isinstance(c, Place) and not c.candidates for c in trial.commands):
        yield "no candidates"


def candidates_labels(trial: CandidatesTrial | FiltersTrial) -> Iterator[str]:
    """Policies, groups, domains, versions."""
    if trial.policies:
        yield "isolation policies"
    if any(grouped.namespace == trial.namespace for grouped in trial.groups):
        yield "an anti-affinity group"
    if trial.failure_domains:
        yield "failure domains"
    if trial.config.prefer_later_versions:
        yield "later versions preferred"
    if not trial.persistent:
        yield "non-persistent topics"


def preallocation_labels(trial: PreallocationTrial) -> Iterator[str]:
    """Reports, proposals, brokers that leave."""
    if trial.evenly:
        yield "spread evenly"
    for kind, label in ((Reports, "reports"), (Propose, "proposals"), (Leaves, "brokers leave")):
        if any(isinstance(command, kind) for command in trial.commands):
            yield label


def policy_labels(trial: StoredPolicyTrial) -> Iterator[str]:
    """Which expressions cannot be read."""
    for name in ("namespaces", "primary", "secondary"):
        if not readable(getattr(trial, name)):
            yield f"{name} cannot be read"


MESSAGE_RATE: Final = Question(
    "placement.least_long_term_message_rate",
    MessageRateTrial,
    ChoicesAnswer,
    generators.message_rate_trial,
    answers.answer_message_rate,
    message_rate_labels,
)
MODULAR_USAGE: Final = Question(
    "placement.least_resource_usage_modular",
    ModularUsageTrial,
    AsksAnswer,
    generators.modular_usage_trial,
    answers.answer_modular_usage,
    modular_usage_labels,
    commands=attrgetter("commands"),
)
EXTENSIBLE_USAGE: Final = Question(
    "placement.least_resource_usage_extensible",
    ExtensibleUsageTrial,
    ChoicesAnswer,
    generators.extensible_usage_trial,
    answers.answer_extensible_usage,
    extensible_usage_labels,
)
ROUND_ROBIN: Final = Question(
    "placement.round_robin",
    RoundRobinTrial,
    AsksAnswer,
    generators.round_robin_trial,
    answers.answer_round_robin,
    round_robin_labels,
)
AVG_SHEDDER: Final = Question(
    "placement.avg_shedder",
    PlannedTrial,
    AsksAnswer,
    generators.planned_trial,
    answers.answer_planned,
    planned_labels,
    commands=attrgetter("commands"),
)
CANDIDATES: Final = Question(
    "placement.candidates",
    CandidatesTrial,
    CandidatesAnswer,
    generators_candidates.candidates_trial,
    answers.answer_candidates,
    candidates_labels,
)
FILTERS: Final = Question(
    "placement.filters",
    FiltersTrial,
    CandidatesAnswer,
    generators_candidates.filters_trial,
    answers.answer_filters,
    candidates_labels,
)

PREALLOCATION: Final = Question(
    "placement.preallocation",
    PreallocationTrial,
    AsksAnswer,
    generators_preallocation.preallocation_trial,
    preallocation_walk.answer_preallocation,
    preallocation_labels,
    commands=attrgetter("commands"),
)

POLICY: Final = Question(
    "placement.policy",
    StoredPolicyTrial,
    StoredPolicyAnswer,
    generators_policy.policy_trial,
    answers.answer_policy,
    policy_labels,
)

QUESTIONS: Final[tuple[Question[Any, Any], ...]] = (
    MESSAGE_RATE,
    MODULAR_USAGE,
    EXTENSIBLE_USAGE,
    ROUND_ROBIN,
    AVG_SHEDDER,
    CANDIDATES,
    FILTERS,
    PREALLOCATION,
    POLICY,
)
