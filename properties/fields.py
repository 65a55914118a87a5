"""Fields of trials by their names, which mean the same in every question."""

from __future__ import annotations

from typing import Final

TODAY: Final = 1_800_000_000_000
"""A clock of today, ms since 1970."""
GIGABYTE: Final = 10**9
BUNDLES: Final = 5_000
"""Bundles of a broker, brokers of a cluster, at most."""
BROKERS: Final = 100

PRODUCTION: Final[tuple[tuple[str, float, float], ...]] = (
    # times in ms, seconds, nanoseconds
    (r".*(\]|\))?\.?(at|now|updated_at)", TODAY, TODAY),
    (r".*\.written|last_split|last_merge|.*\.last_rebucket", 0, TODAY),
    (r".*\.millis|timeout", 0, 3_600_000),
    (r"lag", 0, 59_999),
    (r".*\.minutes|(leaders|failing)\[\]", 1, 1440),
    (r".*\.nanos", 0, 10**12),
    (r".*\.after", 0, 86_400),
    (r"(.*\.)?(resolution)", 1, 10**9),
    # traffic and usage
    (r".*\.(throughput|throughput_in|throughput_out|throughput_average)", 0, 10 * GIGABYTE),
    (r".*\.loads\[\]\.rate|limit", 0, 10 * GIGABYTE),
    (r"message_bytes|fan_out", 0, 1000),
    (r"chunks", 1, 200),
    (r".*\.(msg_rate|msg_rate_in|msg_rate_out|rate_in|rate_out)", 0, 10**7),
    (r".*\.usage|usage", 0, 1000),
    (r".*\.?(cpu|memory|direct_memory|bandwidth_in|bandwidth_out)\.limit", 1, 10 * GIGABYTE),
    (r".*\.(cpu)", 0, 100),
    (r".*\.load", 0, 1),
    (r".*\.cache", 0, 100 * GIGABYTE),
    # settings that are no key of Pulsar's alone
    (r"(.*\.)?(weight|history)", 0, 1),
    (r"(.*\.)?(difference|threshold|overloaded_threshold)", 0, 100),
    (r"misspelt_(in|out)", 0, 1),
    (r".*\.max_topics", 1, 1_000_000),
    (r".*\.least", 1, BROKERS),
    # what a namespace or a topic sets of splits and merges
    (r"(namespace|topic)\.(min|max)_segments", 1, 60),
    (r"(namespace|topic)\.(max_depth|\w+_cooldown|merge_window)", 0, 86_400),
    (r"(namespace|topic)\.split_\w+_(in|out)", 1, 10 * GIGABYTE),
    (r"(namespace|topic)\.(merge_\w+_(in|out)|split_floor)", 0, 10**6),
    # numbers of things
    (r".*\.(topics|producers|consumers|preallocated\[\])|(.*\.)?consumers\[\]", 0, 1_000_000),
    (r".*\.(segment|first|second)|(.*\.)?segments\[\](\.number)?", 0, 100_000),
    (r".*\.epoch", 0, 1_000_000),
    (r".*\.bundles", 0, BUNDLES),
    (r".*\.counts\[\]|(.*\.)?budget|max_buckets|.*\.buckets", 1, 1024),
    (r"known_brokers|.*\.(available|brokers)", 0, BROKERS),
    (r".*\.statistics", 0, 1000),
    (r"(.*\.)?(times|attempts|partition|entry)", 1, 100),
    (r"count|default_count", 1, 1024),
    (r".*\((publish|unstamped)\)\.key", 0, 7),
    # hashes
    (r".*\.loads\[\]\.(start|end)", 0, 2**16 - 1),
    (r"(.*\.)?(splits|starts)\[\]|.*\.(one|other)", 1, 2**16 - 1),
    (r"(.*\.)?(boundaries\[\]|lower|upper|hash|position|positions\[\])", 1, 2**32 - 2),
    # dispatch rates
    (r"topics\[\]\.entries\[\]\.bytes|.*\(publish\)\.entries\[\]\.bytes", 1, 100 * 10**6),
    (r"keySharedLookAheadMsgInReplayThreshold\w+", 0, 10**6),
    (r"(.*\.)?dispatcherMax(Read|RoundRobin)(BatchSize|SizeBytes)", 1, 10**6),
    (r"replicationProducerQueueSize", 1, 10**6),
    (r".*\(publish\)\.entries", 1, 1000),
    (r"(.*\.)?(rate|bytes|tokens|capacity|initial|publish_size|dispatch_size)", 1, 10 * GIGABYTE),
    (r"(.*\.)?(messages|permits)|queue", 1, 1_000_000),
    (r"(.*\.)?(entries|average_messages|max_(entries|bytes|messages)|batch_size)", 1, 1_000_000),
    (r"(.*\.)?(period|updated)", 1, 3600),
    (r"(.*\.)?(consumer|subscription|topic|ticket|index|counter|round|version|read|back)", 0, 1000),
)
"""By a field's name, as regular expressions of which the first that fits counts: the least and the
most that a trial about production must be able to hold.
"""

UNMET: Final = (
    (
        r"\w+\.(at|now|updated_at|by|lasts|until|begin|end|peak|step|steps|session|reconnect"
        r"|transfer|shedding|round|millis): (0|1|negative|from 2\^31|2\^53 - 1"
        r"|equal to \w+|above \w+)",
        "of times, order and distance count; what is about a limit draws it and its neighbours",
    ),
    (
        r"\w+\.(manager|domain|selector|\w*[aA]lgorithms?): .*|\w+\.namespaces: one within another",
        "one of a few names, compared as a whole",
    ),
    (
        r"\w+\.(isolated|anti_affine|grouped|failing|splitting|recent_\w+|recently_unloaded"
        r"|active|excluded|prefers|prefers_then|admits|policies|groups|secondary|primary|preallocated"
        r"|counts|supportedNamespaceBundleSplitAlgorithms): "
        r"(.* items|an item twice|empty|not ASCII|one .* another|an address .*|ports .*|two .*)",
        "a set in which others' names are looked up, or of which few count",
    ),
    (
        r"(Join|Leave|Leaves|Slow|DelayReports|LoseReports|Crash|Split|Active|Update|Propose|Decided"
        r"|LastUnload)\.(broker|brokers|bundle): (not ASCII|one .* another|an address .*|.* items)",
        "names what another field of the trial lists, where it is met",
    ),
    (
        r"(CandidatesTrial\.brokers|TransferView\.reports|Scenario\.bundles|Rebalance\.units):"
        r" (127|255).*",
        "a hundred are met; with more of them a trial takes too long",
    ),
)
"""What trials of any question need not meet, as `Exempt.unmet` of a single one, and why."""
