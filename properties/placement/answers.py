"""How the reference answers the questions of the chapter *placement*."""

from __future__ import annotations

from collections.abc import Sequence

from evenkeel.properties.observations import CommandBroke
from evenkeel.properties.placement.trials_candidates import (
    CandidatesAnswer,
    CandidatesTrial,
    FiltersTrial,
)
from evenkeel.properties.placement.trials_policy import StoredPolicyAnswer, StoredPolicyTrial
from evenkeel.properties.placement.trials_strategies import (
    Active,
    AskResult,
    AsksAnswer,
    ChoicesAnswer,
    Chosen,
    Done,
    ExtensibleUsageTrial,
    MessageRateTrial,
    ModularUsageTrial,
    PlanMove,
    PlannedTrial,
    Report,
    RoundRobinTrial,
    Update,
)
from evenkeel.reference.edition import Edition
from evenkeel.reference.errors import Breakage
from evenkeel.reference.placement import (
    admission,
    candidates,
    choice,
    filters,
    message_rate,
    planned,
    resource_usage,
    round_robin,
)
from evenkeel.reference.placement.arithmetic import Number, number
from evenkeel.reference.placement.isolation import IsolationPolicy
from evenkeel.reference.placement.resource_usage import UsageReport


def choose(allowed: Sequence[str], turn: int) -> str | None:
    """The reference's choice at this turn."""
    return choice.pick(allowed, turn) if allowed else None


# ---------------------------------------------------------------------------- strategies


def answer_message_rate(trial: MessageRateTrial, edition: Edition) -> ChoicesAnswer:
    """A choice for each ask."""
    allowed = message_rate.least_loaded(
        trial.candidates, trial.reports, trial.threshold, trial.weights, edition
    )
    return ChoicesAnswer(tuple(choose(allowed, turn) for turn in range(trial.times)))


def answer_modular_usage(trial: ModularUsageTrial, edition: Edition) -> AsksAnswer:
    """One result for each command."""
    history: dict[str, Number] = {}
    reports: dict[str, UsageReport] = {}
    results: list[AskResult] = []
    turn = 0
    for command in trial.commands:
        if isinstance(command, Report):
            reports[command.broker] = command.report
            results.append(Done())
        elif isinstance(command, Active):
            history = resource_usage.remembered(history, command.brokers)
            results.append(Done())
        else:
            choices: list[str | None] = []
            try:
                for _ in range(command.times):
                    usages = resource_usage.look(
                        history, command.candidates, reports, trial.config, edition
                    )
                    [allowed, *_] = resource_usage.allowed_sets(
                        command.candidates, usages, trial.config.difference, edition
                    )
                    choices.append(choose(allowed, turn))
                    turn += 1
                results.append(Chosen(tuple(choices)))
            except Breakage as error:
                results.append(CommandBroke(type(error).__name__))
    return AsksAnswer(tuple(results))


def answer_extensible_usage(trial: ExtensibleUsageTrial, edition: Edition) -> ChoicesAnswer:
    """A choice for each ask."""
    allowed = extensible_sets(trial, edition)[0]
    return ChoicesAnswer(tuple(choose(allowed, turn) for turn in range(trial.times)))


def extensible_sets(trial: ExtensibleUsageTrial, edition: Edition) -> tuple[tuple[str, ...], ...]:
    """The allowed brokers of the extensible manager's strategy."""
    names = [broker.name for broker in trial.candidates]
    usages = {
        broker.name: number(broker.usage, edition)
        for broker in trial.candidates
        if broker.usage is not None
    }
    return resource_usage.allowed_sets(names, usages, trial.difference, edition)


def answer_round_robin(trial: RoundRobinTrial, edition: Edition) -> AsksAnswer:
    """One result for each ask."""
    turn = round_robin.Turn(trial.counter)
    results: list[AskResult] = []
    for ask in trial.asks:
        choices: list[str | None] = []
        for _ in range(ask.times):
            turn, chosen = round_robin.ask(turn, ask.candidates, edition)
            choices.append(chosen)
        results.append(Chosen(tuple(choices)))
    return AsksAnswer(tuple(results))


def answer_planned(trial: PlannedTrial, edition: Edition) -> AsksAnswer:
    """One result for each command."""
    now = {bundle.name: bundle.statistics for bundle in trial.bundles}
    plan: planned.Plan = ()
    results: list[AskResult] = []
    turn = 0
    for command in trial.commands:
        if isinstance(command, PlanMove):
            plan = planned.put(plan, command.bundle, command.broker, now, edition)
            results.append(Done())
        elif isinstance(command, Update):
            now[command.bundle] = command.statistics
            results.append(Done())
        else:
            try:
                allowed = planned.allowed(plan, command.bundle, command.candidates, now, edition)
            except Breakage as error:
                results.append(CommandBroke(type(error).__name__))
                continue
            chosen = choose(allowed, turn)
            turn += len(allowed) > 1
            if chosen is not None:
                plan = planned.settle(plan, command.bundle, chosen, now, edition)
            results.append(Chosen((chosen,)))
    return AsksAnswer(tuple(results))


# ---------------------------------------------------------------------------- candidates


def preferred(prefers: Sequence[str], offered: Sequence[str]) -> str | None:
    """The trial's strategy: the first preferred broker that is offered, else the last by name."""
    first = next((broker for broker in prefers if broker in offered), None)
    return first if first is not None else max(offered, default=None)


def answer_candidates(trial: CandidatesTrial, edition: Edition) -> CandidatesAnswer:
    """What is offered once or twice, and who gets the bundle."""
    cluster = trial.cluster
    left = candidates.filtered(cluster, trial.namespace, trial.persistent, trial.config, edition)
    offers = [tuple(sorted(left.candidates))]
    chosen = preferred(trial.prefers, left.candidates)
    if chosen is not None and candidates.asks_again(chosen, cluster, trial.config, edition):
        everybody = candidates.usable(cluster, trial.namespace, trial.persistent)
        offers.append(tuple(sorted(everybody)))
        second = preferred(trial.prefers_then, everybody)
        chosen = candidates.last_choice(chosen, second)
    return CandidatesAnswer(tuple(offers), chosen)


def answer_filters(trial: FiltersTrial, edition: Edition) -> CandidatesAnswer:
    """What is offered, if anything, and who gets the bundle."""
    left, _ = filters.filtered(
        trial.registry, trial.excluded, trial.namespace, trial.persistent, trial.config, edition
    )
    if not left:
        return CandidatesAnswer((), None)
    return CandidatesAnswer((tuple(sorted(left)),), preferred(trial.prefers, left))


# -------------------------------------------------------------------------------- policy


def answer_policy(trial: StoredPolicyTrial, edition: Edition) -> StoredPolicyAnswer:
    """Whether the policy is stored."""
    policy = IsolationPolicy(trial.namespaces, trial.primary, trial.secondary)
    return StoredPolicyAnswer(admission.stored(policy, edition))
