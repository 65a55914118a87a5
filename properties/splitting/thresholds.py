"""Which thresholds a bundle's load exceeds (SPL-33, SPL-34, SPL-38): both managers.

No document says what a limit below 0 means, or one of no sessions: in DOCUMENTED it may mean none.
"""

from __future__ import annotations

from evenkeel.properties.judging.near import Ternary, either
from evenkeel.properties.splitting.due import BundleLoad, bundle_name
from evenkeel.properties.splitting.spans import has_room
from evenkeel.reference.splitting.algorithms import MIN_TOPICS
from evenkeel.reference.splitting.due import Reason
from evenkeel.reference.splitting.settings import MEBIBYTE, SplitRules


def can_be_due(load: BundleLoad) -> bool:
    """SPL-33: several topics, and room for a cut."""
    return load.topics >= MIN_TOPICS and has_room(bundle_name(load.bundle).range)


def exceeds_counts(load: BundleLoad, config: SplitRules) -> bool:
    """4.0, SPL-37: too many topics, or sessions where these are limited."""
    sessions = load.producers + load.consumers
    return load.topics > config.max_topics or 0 < config.max_sessions < sessions


def above(value: float, limit: int, least: int = 0) -> Ternary:
    """DOCUMENTED: whether a number exceeds its limit; None: below `least` a limit may mean none."""
    if value <= limit:
        return False
    return True if limit >= least else None


def sessions_above(load: BundleLoad, config: SplitRules) -> Ternary:
    """DOCUMENTED, SPL-34: whether there are too many sessions."""
    return above(load.producers + load.consumers, config.max_sessions, least=1)


def counts_above(load: BundleLoad, config: SplitRules) -> Ternary:
    """DOCUMENTED, SPL-34: whether there are too many topics or sessions."""
    return either(above(load.topics, config.max_topics), sessions_above(load, config))


def bandwidth(config: SplitRules, wraps: bool) -> int:
    """The bandwidth limit in byte/s; SPL-38: computed in 32 bits."""
    plain = config.max_bandwidth_mbytes * MEBIBYTE
    return (plain + 2**31) % 2**32 - 2**31 if wraps else plain


def exceeded_by(load: BundleLoad, config: SplitRules, wraps: bool = False) -> list[Reason]:
    """4.0, SPL-48: every threshold that the current load exceeds."""
    found: list[Reason] = []
    if load.topics > config.max_topics:
        found.append(Reason.TOPICS)
    if 0 < config.max_sessions < load.producers + load.consumers:
        found.append(Reason.SESSIONS)
    if load.msg_rate_in + load.msg_rate_out > config.max_msg_rate:
        found.append(Reason.MSG_RATE)
    if load.throughput_in + load.throughput_out > bandwidth(config, wraps):
        found.append(Reason.BANDWIDTH)
    return found


def above_in_documents(load: BundleLoad, config: SplitRules) -> dict[Reason, Ternary]:
    """DOCUMENTED, SPL-41: the thresholds that the current load exceeds, or may be said to."""
    rate = load.msg_rate_in + load.msg_rate_out
    throughput = load.throughput_in + load.throughput_out
    said = {
        Reason.TOPICS: above(load.topics, config.max_topics),
        Reason.SESSIONS: sessions_above(load, config),
        Reason.MSG_RATE: above(rate, config.max_msg_rate),
        Reason.BANDWIDTH: above(throughput, bandwidth(config, wraps=False)),
    }
    return {reason: exceeds for reason, exceeds in said.items() if exceeds is not False}
