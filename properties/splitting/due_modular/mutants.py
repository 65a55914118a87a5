"""Mutants of the thresholds, and of the leader's rule which bundles are due."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from evenkeel.properties.mutant_maker import Function, Make, defect, equivalent, first
from evenkeel.reference.edition import PULSAR_4_0, Edition
from evenkeel.reference.splitting import due
from evenkeel.reference.splitting.due import BundleName, Load, Reason, Sample
from evenkeel.reference.splitting.settings import SplitRules


def _with_thresholds(**less: int) -> Make:
    """SplitRules lower by so much."""

    def change(thresholds: SplitRules) -> SplitRules:
        lowered = {name: getattr(thresholds, name) - step for name, step in less.items()}
        return replace(thresholds, **lowered)

    return first(2, change)


def _rate_at_limit(sample: Sample) -> Sample:
    return replace(sample, msg_rate_in=math.nextafter(sample.msg_rate_in, math.inf) + 1e-9)


def _throughput_at_limit(sample: Sample) -> Sample:
    return replace(sample, throughput_in=sample.throughput_in + 2**-10)


def _all_thresholds(original: Function) -> Function:
    return lambda load, sample, limits, edition: (
        Reason.TOPICS
        if load.topics > limits.max_topics
        and load.sessions > limits.max_sessions
        and sample.msg_rate > limits.max_msg_rate
        and sample.throughput > due.bandwidth_limit(limits.max_bandwidth_mbytes, edition)
        else None
    )


def _last_reason(original: Function) -> Function:
    def exceeded(load: Load, sample: Sample, thresholds: SplitRules, edition: Edition) -> Any:
        limit = due.bandwidth_limit(thresholds.max_bandwidth_mbytes, edition)
        if sample.throughput > limit:
            return Reason.BANDWIDTH
        if sample.msg_rate > thresholds.max_msg_rate:
            return Reason.MSG_RATE
        return original(load, sample, thresholds, edition)

    return exceeded


def _no_sessions_allowed(original: Function) -> Function:
    """A limit of sessions limits, whatever it is."""
    return lambda load, sample, limits, edition: (
        original(load, sample, limits, edition)
        or (Reason.SESSIONS if load.sessions > limits.max_sessions else None)
    )


def _below_0_is_none(limits: SplitRules) -> SplitRules:
    """Limits below 0 put far out of reach."""
    far = 2**31 - 1
    return replace(
        limits,
        max_topics=limits.max_topics if limits.max_topics >= 0 else far,
        max_sessions=limits.max_sessions if limits.max_sessions >= 0 else far,
        max_msg_rate=limits.max_msg_rate if limits.max_msg_rate >= 0 else far,
    )


def _several_topics(load: Load) -> Load:
    return replace(load, topics=max(load.topics, 2))


def _single_topics_too(original: Function) -> Function:
    """Whatever exceeds a threshold is a candidate."""
    return lambda loads, averages, rules, edition: [
        load.bundle
        for load in loads
        if due.exceeded(load, averages[load.bundle].mean, rules, edition) is not None
    ]


def _small_too(original: Function) -> Function:
    return lambda candidates, counts, most, edition: [
        name for name in candidates if counts[name.namespace] < most
    ]


def _last_reports(loads: Iterable[Load]) -> list[Load]:
    return list({load.bundle: load for load in loads}.values())


def _reported_once(candidates: Iterable[BundleName]) -> list[BundleName]:
    return [name for name, count in Counter(candidates).items() if count == 1]


def _each_by_itself(original: Function) -> Function:
    """Each candidate is held against the number of bundles that there are now."""
    return lambda candidates, counts, most, edition: list(
        dict.fromkeys(
            name for each in candidates for name in original([each], counts, most, edition)
        )
    )


def _capped(original: Function) -> Function:
    """The cap of a cycle limits the leader too."""

    def decided(*arguments: Any) -> Any:
        now, chosen = original(*arguments)
        rules: SplitRules = arguments[3]
        return now, chosen[: max(rules.max_splits_per_cycle, 0)]

    return decided


MUTANTS: Final = (
    defect(
        "topics-at-the-limit",
        due,
        "exceeded",
        _with_thresholds(max_topics=1),
        "A bundle with exactly the allowed number of topics is split.",
        "SP15",
    ),
    defect(
        "sessions-at-the-limit",
        due,
        "exceeded",
        _with_thresholds(max_sessions=1),
        "A bundle with exactly the allowed number of sessions is split.",
        "SP15",
    ),
    defect(
        "rate-at-the-limit",
        due,
        "exceeded",
        first(1, _rate_at_limit),
        "A bundle at exactly its message rate is split.",
        "SP15",
    ),
    defect(
        "bandwidth-at-the-limit",
        due,
        "exceeded",
        first(1, _throughput_at_limit),
        "A bundle at exactly its bandwidth is split.",
        "SP15",
    ),
    defect(
        "all-thresholds",
        due,
        "exceeded",
        _all_thresholds,
        "A bundle is split only if it exceeds every threshold at once.",
        "SP15",
    ),
    equivalent(
        "last-reason", due, "exceeded", _last_reason, "Any of the exceeded thresholds may be named."
    ),
    equivalent(
        "no-sessions-allowed",
        due,
        "exceeded",
        _no_sessions_allowed,
        "No document says that a limit of 0 or -1 sessions is none.",
    ),
    defect(
        "no-sessions-allowed-in-4-0",
        due,
        "exceeded",
        _no_sessions_allowed,
        "Not 4.0: a limit of 0 sessions is none.",
        edition=PULSAR_4_0,
    ),
    equivalent(
        "limits-below-0-are-none",
        due,
        "exceeded",
        first(2, _below_0_is_none),
        "What a limit below 0 means is said nowhere.",
    ),
    defect(
        "limits-below-0-are-none-in-4-0",
        due,
        "exceeded",
        first(2, _below_0_is_none),
        "Not 4.0: every bundle exceeds a limit of -1 topics or msg/s.",
        edition=PULSAR_4_0,
    ),
    defect(
        "everybody-decides",
        due,
        "leader_decides",
        first(1, lambda leader: True),
        "Every broker has the same bundle split.",
    ),
    defect(
        "one-topic-is-enough",
        due,
        "modular_candidates",
        first(0, lambda loads: [_several_topics(load) for load in loads]),
        "A bundle with a single hot topic is split again and again.",
        "SP2",
    ),
    defect(
        "a-single-topic-is-split",
        due,
        "modular_candidates",
        _single_topics_too,
        "Any bundle beyond a threshold is split, as the documents say, also one with one topic.",
        "SP2",
    ),
    defect(
        "small-bundles-due",
        due,
        "modular_due",
        _small_too,
        "Bundles of one hash are to be split.",
        "SP8",
    ),
    defect(
        "split-at-the-maximum",
        due,
        "modular_due",
        first(2, lambda most: most + 1),
        "A namespace that has its maximum of bundles gets one more.",
        "F10",
    ),
    defect(
        "each-split-by-itself",
        due,
        "modular_due",
        _each_by_itself,
        "Two splits of one round bring a namespace above its maximum.",
        "F10",
    ),
    defect(
        "the-leader-is-capped",
        due,
        "modular_round",
        _capped,
        "Hot bundles wait while the leader has others split.",
    ),
    defect(
        "one-broker-decides",
        due,
        "leader_decides",
        first(2, lambda brokers: 2),
        "Not 4.0: a single broker splits too.",
        edition=PULSAR_4_0,
    ),
    defect(
        "small-bundles-asked",
        due,
        "modular_due",
        _small_too,
        "Not 4.0: bundles without room are to be split.",
        edition=PULSAR_4_0,
    ),
    defect(
        "a-bundle-in-two-reports-waits",
        due,
        "modular_due",
        first(0, _reported_once),
        "Not 4.0: a hot bundle is not split while it changes its broker.",
        edition=PULSAR_4_0,
    ),
    defect(
        "a-sample-of-the-last-report",
        due,
        "updated_averages",
        lambda original: lambda averages, loads: original(averages, _last_reports(loads)),
        "Not 4.0: of two reports of a bundle only the last one's sample counts.",
        edition=PULSAR_4_0,
    ),
    equivalent(
        "the-last-report-counts",
        due,
        "modular_round",
        first(1, _last_reports),
        "Which of two reports of a bundle counts is left open.",
    ),
    equivalent(
        "a-single-broker-decides",
        due,
        "leader_decides",
        first(2, lambda brokers: 2),
        "Whether a single broker splits is left open.",
    ),
    equivalent(
        "latest-rates",
        due,
        "with_sample",
        first(0, lambda average: None),
        "How rates are averaged is left open.",
    ),
    equivalent(
        "last-candidates-first",
        due,
        "modular_due",
        first(0, lambda candidates: list(candidates)[::-1]),
        "Where the maximum bites any of the due bundles may be taken.",
    ),
    equivalent(
        "any-order-in-4-0",
        due,
        "modular_due",
        first(0, lambda candidates: list(candidates)[::-1]),
        "4.0 takes the bundles in no particular order.",
        edition=PULSAR_4_0,
    ),
)
