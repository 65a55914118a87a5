"""How the reference answers the questions of the chapter *load*, but for reports."""

from __future__ import annotations

from dataclasses import replace

from evenkeel.properties.load.numbers import finite
from evenkeel.properties.load.trials_averages import (
    AveragesNow,
    BundleAveragesAnswer,
    BundleAveragesTrial,
    Knowledge,
    KnownBroker,
    KnownBundle,
    LeaderAnswer,
    LeaderCommand,
    LeaderTrial,
    Leave,
    Publish,
    Start,
)
from evenkeel.properties.load.trials_history import (
    Active,
    HistoryAnswer,
    HistoryResult,
    HistoryTrial,
    Score,
    Scores,
    Told,
)
from evenkeel.properties.load.trials_top import TopBundlesAnswer, TopBundlesTrial
from evenkeel.properties.load.trials_usage import UsageAnswer, UsageTrial
from evenkeel.reference.edition import Edition
from evenkeel.reference.load import averages, history, leader, top_bundles, usage
from evenkeel.reference.load.history import Histories, Keeper
from evenkeel.reference.load.leader import Known


def answer_usage(trial: UsageTrial, edition: Edition) -> UsageAnswer:
    """Percentages and scores; the same in all editions."""
    del edition
    resources = trial.resources()
    weights = replace(
        trial.weights,
        bandwidth_in=usage.bandwidth_weight(trial.weights.bandwidth_in, trial.misspelt_in),
        bandwidth_out=usage.bandwidth_weight(trial.weights.bandwidth_out, trial.misspelt_out),
    )
    return UsageAnswer(
        cpu=finite(usage.percent_usage(resources.cpu)),
        memory=finite(usage.percent_usage(resources.memory)),
        direct_memory=finite(usage.percent_usage(resources.direct_memory)),
        bandwidth_in=finite(usage.percent_usage(resources.bandwidth_in)),
        bandwidth_out=finite(usage.percent_usage(resources.bandwidth_out)),
        weight_in=weights.bandwidth_in,
        weight_out=weights.bandwidth_out,
        weighted=finite(usage.max_weighted_usage(resources, weights)),
        weighted_with_heap=finite(usage.max_weighted_usage_with_heap(resources, weights)),
        unweighted=finite(usage.max_usage(resources)),
        unweighted_extensible=finite(usage.max_usage_in_double(resources)),
    )


def answer_bundle_averages(trial: BundleAveragesTrial, edition: Edition) -> BundleAveragesAnswer:
    """The averages after each group of samples; the same in all editions."""
    del edition
    now = averages.unseen() if trial.start is Start.UNSEEN else averages.from_quota(trial.quota)
    found = [AveragesNow.of(now)]
    for samples in trial.samples:
        for _ in range(samples.times):
            now = averages.sampled(now, samples.traffic, samples.topics)
        found.append(AveragesNow.of(now))
    return BundleAveragesAnswer(tuple(found))


def answer_leader(trial: LeaderTrial, edition: Edition) -> LeaderAnswer:
    """What is known after each command."""
    known, results = Known(), []
    for command in trial.commands:
        known = after_command(known, command, edition)
        results.append(knowledge(known))
    return LeaderAnswer(tuple(results))


def after_command(known: Known, command: LeaderCommand, edition: Edition) -> Known:
    """What is known after one more command."""
    if isinstance(command, Publish):
        return leader.reported(known, command.broker, command.bundles, edition)
    if isinstance(command, Leave):
        there = command.broker in known.reports
        return leader.left(known, command.broker, edition) if there else known
    return leader.written(known, edition)


def knowledge(known: Known) -> Knowledge:
    """All of it as an answer."""
    return Knowledge(
        tuple(
            KnownBundle(bundle, AveragesNow.of(average))
            for bundle, average in sorted(known.bundles.items())
        ),
        tuple(
            KnownBroker(broker, sums)
            for broker, sums in sorted(leader.broker_averages(known).items())
        ),
    )


def answer_history(trial: HistoryTrial, edition: Edition) -> HistoryAnswer:
    """The scores after each look; the same in all editions."""
    del edition
    histories: Histories = {}
    results: list[HistoryResult] = []
    for command in trial.commands:
        if isinstance(command, Active):
            histories = history.without_departed(histories, command.brokers)
            results.append(Told())
            continue
        histories = history.looked(trial.keeper, histories, command.brokers, trial.weight)
        told = trial.keeper is Keeper.THRESHOLD_SHEDDER
        results.append(
            Scores(
                tuple(Score(seen.broker, histories[seen.broker]) for seen in command.brokers),
                history.mean(histories, command.brokers) if told else None,
            )
        )
    return HistoryAnswer(tuple(results))


def answer_top_bundles(trial: TopBundlesTrial, edition: Edition) -> TopBundlesAnswer:
    """One of the lists that are right."""
    chosen = top_bundles.top_bundles(trial.bundles, trial.rules, edition)
    return TopBundlesAnswer(tuple(bundle.bundle for bundle in chosen))
