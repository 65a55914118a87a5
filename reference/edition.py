"""Editions: where the documents and the shipped code disagree, one named switch each.

The reference is one model. An `Edition` is a frozen record of switches; every switch carries a
sentence that says what it decides and a source. `DOCUMENTED` is what the documents promise, with
their own slips of arithmetic corrected (spec/errata.md); `PULSAR_4_0` is what Apache Pulsar's 4.0
line does, its defects included (checked against 4.0.8).
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from enum import Enum
from typing import Any, Final


class LegacyNames(Enum):
    """What becomes of `domain://tenant/cluster/namespace/topic`, the names of Pulsar 1."""

    OPEN = "open"
    ACCEPTED = "accepted"


def _switch(sentence: str, source: str) -> Any:
    return field(metadata={"sentence": sentence, "source": source})


@dataclass(frozen=True, slots=True)
class Edition:
    """A frozen record of switches. `name` is what `--edition` takes."""

    name: str

    # ------------------------------------------------------------------------ bundles
    legacy_topic_names: LegacyNames = _switch(
        "Names with a cluster part are accepted; the documents do not mention them.",
        "TopicName.java 4.0.8; PIP-457 removes them in 4.3",
    )
    unicode_partition_digits: bool = _switch(
        "A partition number may be written in any script's decimal digits.",
        "TopicName.getPartitionIndex 4.0.8 (Integer.parseInt)",
    )
    lenient_range_texts: bool = _switch(
        "A range text may have further pieces after the second, may lie outside the hash space, "
        "and breaks the parser when a piece is missing at its end.",
        "NamespaceBundleFactory.getBundle 4.0.8",
    )
    first_boundary_unchecked: bool = _switch(
        "A list of boundaries need not start at 0; hashes below its start have no bundle.",
        "NamespaceBundles constructor 4.0.8",
    )
    last_hash_breaks: bool = _switch(
        "Looking up hash 0xffffffff, or a range that starts there, runs past the last bundle.",
        "NamespaceBundles.getBundle, validateBundle 4.0.8 (facts F1)",
    )
    boundaries_need_count: bool = _switch(
        "Explicit boundaries are ignored, and the default division used, without a count above 0.",
        "NamespacesBase.validatePoliciesAsync 4.0.8 (facts F28)",
    )
    boundary_texts_sorted_as_text: bool = _switch(
        "Explicit boundaries are put in order as text, so that one above 0xffffffff can pass.",
        "NamespacesBase.validateBundlesData 4.0.8 (facts F28)",
    )

    # ---------------------------------------------------------------------- splitting
    range_cut_without_room: bool = _switch(
        "range_equally_divide answers a position for a bundle too small to be cut.",
        "RangeEquallyDivideBundleSplitAlgorithm 4.0.8",
    )
    topic_count_cut_at_left_topic: bool = _switch(
        "Where the two middle topics are neighbours or collide, topic_count_equally_divide cuts at "
        "the left one, which need not lie inside the bundle.",
        "TopicCountEquallyDivideBundleSplitAlgorithm 4.0.8 (facts F4)",
    )
    duplicate_positions_kept: bool = _switch(
        "A position given or computed twice is kept twice, and applying it fails.",
        "SpecifiedPositionsBundleSplitAlgorithm, NamespaceBundleFactory 4.0.8 (facts F5)",
    )
    flow_cut_one_further: bool = _switch(
        "flow_or_qps_equally_divide cuts one hash right of the middle, counts topics with equal "
        "hashes one by one, each with the last one's load.",
        "FlowOrQpsEquallyDivideBundleSplitAlgorithm 4.0.8",
    )
    bandwidth_limit_wraps: bool = _switch(
        "The bandwidth limit in bytes is a 32-bit product: from 2048 MB on it wraps.",
        "BundleSplitterTask, DefaultNamespaceBundleSplitStrategyImpl 4.0.8 (facts F9)",
    )
    small_bundles_use_places: bool = _switch(
        "A due bundle that is too small to be cut uses up a place below the namespace's maximum.",
        "BundleSplitterTask, ModularLoadManagerImpl.checkNamespaceBundleSplit 4.0.8",
    )
    hits_survive_gaps: bool = _switch(
        "Cycles in which a bundle has too few topics or is not owned leave its hit count alone.",
        "DefaultNamespaceBundleSplitStrategyImpl 4.0.8 (facts F11)",
    )
    splitting_guard_by_prefix: bool = _switch(
        "A bundle in state Splitting also blocks bundles of namespaces whose name its own begins "
        "with.",
        "DefaultNamespaceBundleSplitStrategyImpl 4.0.8 (facts F12)",
    )
    cycle_cap_zero_is_unlimited: bool = _switch(
        "A cap of 0 or less on the splits of a cycle does not limit them.",
        "DefaultNamespaceBundleSplitStrategyImpl 4.0.8 (facts F12)",
    )
    extensible_one_cut: bool = _switch(
        "Under the extensible manager a split has exactly one position; several are not used.",
        "DefaultNamespaceBundleSplitStrategyImpl, Split 4.0.8 (facts F6, issue 22254)",
    )
    bad_cut_aborts_cycle: bool = _switch(
        "A position at an end of its bundle aborts the whole cycle; its other decisions are lost.",
        "DefaultNamespaceBundleSplitStrategyImpl 4.0.8 (facts F4)",
    )
    cut_at_last_hash: bool = _switch(
        "A position at 0xffffffff cuts the last bundle into itself and the last hash: the children "
        "overlap.",
        "DefaultNamespaceBundleSplitStrategyImpl, NamespaceBundleFactory.getRange 4.0.8",
    )
    options_follow_default: bool = _switch(
        "flow_or_qps_equally_divide fails when it is requested but not the configured default.",
        "NamespaceService.getBundleSplitOption 4.0.8 (facts F7, PR 17872)",
    )
    extensible_never_unloads: bool = _switch(
        "The extensible manager ignores the request to unload the children of a split.",
        "ExtensibleLoadManagerImpl.splitNamespaceBundleAsync 4.0.8 (facts E15)",
    )
    split_attempts: int | None = _switch(
        "How often a split tries its compare-and-set; the documents promise no number.",
        "NamespaceService.splitAndOwnBundle 4.0.8: a counter of 7, decremented, >= 0",
    )

    # --------------------------------------------------------------------- throttling
    quotas_by_mechanism: bool = _switch(
        "A dispatch limit is kept by the mechanism that is configured: the period counter, or the "
        "token bucket, which starts full, saves one period's quota, is refilled when it is looked "
        "at after more than a period, and is a new one after every change of policy.",
        "DispatchRateLimiterAsyncTokenBucketImpl, the default factory of 4.0.8 (PR 24012)",
    )
    refused_change_sticks: bool = _switch(
        "A change of a limit to a period of 0 or less is refused only after the old timer was "
        "stopped: the new limit stays, and nothing is refreshed any more.",
        "RateLimiter.setRate 4.0.8",
    )
    refill_wraps: bool = _switch(
        "A bucket's refill is a 64-bit product that wraps.",
        "AsyncTokenBucket.calculateNewTokensSinceLastUpdate 4.0.8 (PR 25262)",
    )
    quota_cut_to_32_bits: bool = _switch(
        "The message quota is cut to 32 bits before it limits a read.",
        "AbstractBaseDispatcher.applyDispatchRateLimitsToReadLimits 4.0.8 (defect DT33)",
    )
    precise_divides_permits: bool = _switch(
        "preciseDispatcherFlowControl divides the consumers' permits, not the quota.",
        "PersistentDispatcherMultipleConsumers.calculateToRead 4.0.8 (errata E3)",
    )
    unlimited_policy_is_absent: bool = _switch(
        "A policy without any limit counts as absent: the next lower level takes effect.",
        "DispatchRateImpl.normalize, AbstractTopic 4.0.8",
    )
    entry_sizes_from_ledgers: bool = _switch(
        "Bytes are turned into entries by the sizes of the ledgers that are read from, 64 bytes on "
        "top for every entry, not by the average sizes of published or dispatched entries.",
        "EntryCountEstimator (managed-ledger) 4.0.8 (errata E11)",
    )
    backlog_by_cursor_flag: bool = _switch(
        "With throttling of non-backlog consumers off, limits apply by the cursor's flag, asked "
        "once for the read and once more for the charge.",
        "AbstractBaseDispatcher.acquirePermitsForDeliveredMessages 4.0.8 (errata E10)",
    )


DOCUMENTED: Final = Edition(
    name="DOCUMENTED",
    legacy_topic_names=LegacyNames.OPEN,
    unicode_partition_digits=False,
    lenient_range_texts=False,
    first_boundary_unchecked=False,
    last_hash_breaks=False,
    boundaries_need_count=False,
    boundary_texts_sorted_as_text=False,
    range_cut_without_room=False,
    topic_count_cut_at_left_topic=False,
    duplicate_positions_kept=False,
    flow_cut_one_further=False,
    bandwidth_limit_wraps=False,
    small_bundles_use_places=False,
    hits_survive_gaps=False,
    splitting_guard_by_prefix=False,
    cycle_cap_zero_is_unlimited=False,
    extensible_one_cut=False,
    bad_cut_aborts_cycle=False,
    cut_at_last_hash=False,
    options_follow_default=False,
    extensible_never_unloads=False,
    split_attempts=None,
    quotas_by_mechanism=False,
    refused_change_sticks=False,
    refill_wraps=False,
    quota_cut_to_32_bits=False,
    precise_divides_permits=False,
    unlimited_policy_is_absent=False,
    entry_sizes_from_ledgers=False,
    backlog_by_cursor_flag=False,
)

PULSAR_4_0: Final = Edition(
    name="PULSAR_4_0",
    legacy_topic_names=LegacyNames.ACCEPTED,
    unicode_partition_digits=True,
    lenient_range_texts=True,
    first_boundary_unchecked=True,
    last_hash_breaks=True,
    boundaries_need_count=True,
    boundary_texts_sorted_as_text=True,
    range_cut_without_room=True,
    topic_count_cut_at_left_topic=True,
    duplicate_positions_kept=True,
    flow_cut_one_further=True,
    bandwidth_limit_wraps=True,
    small_bundles_use_places=True,
    hits_survive_gaps=True,
    splitting_guard_by_prefix=True,
    cycle_cap_zero_is_unlimited=True,
    extensible_one_cut=True,
    bad_cut_aborts_cycle=True,
    cut_at_last_hash=True,
    options_follow_default=True,
    extensible_never_unloads=True,
    split_attempts=8,
    quotas_by_mechanism=True,
    refused_change_sticks=True,
    refill_wraps=True,
    quota_cut_to_32_bits=True,
    precise_divides_permits=True,
    unlimited_policy_is_absent=True,
    entry_sizes_from_ledgers=True,
    backlog_by_cursor_flag=True,
)

EDITIONS: Final = {edition.name: edition for edition in (DOCUMENTED, PULSAR_4_0)}


def switches() -> dict[str, tuple[str, str]]:
    """Every switch: its sentence and its source."""
    return {
        f.name: (f.metadata["sentence"], f.metadata["source"])
        for f in fields(Edition)
        if f.metadata
    }
