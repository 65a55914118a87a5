"""Switches of the chapter splitting."""

from __future__ import annotations

from dataclasses import dataclass

from evenkeel_engine.frame.switch import switch


@dataclass(frozen=True, kw_only=True)
class SplittingSwitches:
    """Where the documents and the shipped code disagree about splitting."""

    range_cut_without_room: bool = switch(
        "range_equally_divide answers a position for a bundle too small to be cut.",
        "RangeEquallyDivideBundleSplitAlgorithm 4.0.8",
    )
    topic_count_cut_at_left_topic: bool = switch(
        "Where the two middle topics are neighbours or collide, topic_count_equally_divide cuts at "
        "the left one, which need not lie inside the bundle.",
        "TopicCountEquallyDivideBundleSplitAlgorithm 4.0.8",
    )
    duplicate_positions_kept: bool = switch(
        "A position given or computed twice is used twice, and applying it fails.",
        "SpecifiedPositionsBundleSplitAlgorithm, NamespaceBundleFactory 4.0.8",
    )
    failed_splits_hang: bool = switch(
        "A split whose position is used twice never completes; else it is refused.",
        "NamespaceService.splitAndOwnBundleOnceAndRetry 4.0.8",
        promised=True,
    )
    first_group_loses_bundles: bool = switch(
        "A group that is set before any broker has read a namespace leaves it a single bundle.",
        "NamespacesBase.internalSetNamespaceAntiAffinityGroup 4.0.7 (#23897)",
        released=False,
    )
    flow_cut_one_further: bool = switch(
        "flow_or_qps_equally_divide cuts one hash right of the middle, counts topics with equal "
        "hashes one by one, each with the last one's load.",
        "FlowOrQpsEquallyDivideBundleSplitAlgorithm 4.0.8",
    )
    bandwidth_limit_wraps: bool = switch(
        "The bandwidth limit in bytes is a 32-bit product: from 2048 MB on it wraps.",
        "BundleSplitterTask, DefaultNamespaceBundleSplitStrategyImpl 4.0.8",
    )
    small_bundles_use_places: bool = switch(
        "A due bundle that is too small to be cut uses up a place below the namespace's maximum.",
        "BundleSplitterTask, ModularLoadManagerImpl.checkNamespaceBundleSplit 4.0.8",
    )
    every_report_takes_a_place: bool = switch(
        "A due bundle that two brokers report uses up two places below the namespace's maximum.",
        "BundleSplitterTask.findBundlesToSplit 4.0.8",
    )
    hits_survive_gaps: bool = switch(
        "Cycles in which a bundle has too few topics or is not owned leave its hit count alone.",
        "DefaultNamespaceBundleSplitStrategyImpl 4.0.8",
    )
    negative_threshold_needs_no_reason: bool = switch(
        "A hit count threshold below 0 has every bundle split that can be, whatever its load.",
        "DefaultNamespaceBundleSplitStrategyImpl 4.0.8 (0 hits are not at most -1)",
    )
    splitting_guard_by_prefix: bool = switch(
        "A bundle in state Splitting also blocks bundles of namespaces whose name its own begins "
        "with.",
        "DefaultNamespaceBundleSplitStrategyImpl 4.0.8",
    )
    cycle_cap_zero_is_unlimited: bool = switch(
        "A cap of 0 or less on the splits of a cycle does not limit them.",
        "DefaultNamespaceBundleSplitStrategyImpl 4.0.8",
    )
    extensible_one_cut: bool = switch(
        "Under the extensible manager a split has exactly one position; several are not used.",
        "DefaultNamespaceBundleSplitStrategyImpl, Split 4.0.8 (issue 22254)",
    )
    bad_cut_aborts_cycle: bool = switch(
        "A position at an end of its bundle aborts the whole cycle; its other decisions are lost.",
        "DefaultNamespaceBundleSplitStrategyImpl 4.0.8",
    )
    cut_at_last_hash: bool = switch(
        "A position at 0xffffffff cuts the last bundle into itself and the last hash: the children "
        "overlap.",
        "DefaultNamespaceBundleSplitStrategyImpl, NamespaceBundleFactory.getRange 4.0.8",
    )
    options_follow_default: bool = switch(
        "flow_or_qps_equally_divide fails when it is requested but not the configured default.",
        "NamespaceService.getBundleSplitOption 4.0.8 (PR 17872)",
    )
    extensible_needs_a_cut: bool = switch(
        "Under the extensible manager a split for which there is no position is refused.",
        "ExtensibleLoadManagerImpl.splitNamespaceBundleAsync 4.0.8",
        promised=True,
    )
    extensible_never_unloads: bool = switch(
        "The extensible manager ignores the request to unload the children of a split, and the "
        "setting that asks for it after automatic splits.",
        "ExtensibleLoadManagerImpl.splitNamespaceBundleAsync, "
        "DefaultNamespaceBundleSplitStrategyImpl 4.0.8",
    )
    split_attempts: int | None = switch(
        "How often a split tries its compare-and-set; the documents promise no number.",
        "NamespaceService.splitAndOwnBundle 4.0.8: a counter of 7, decremented, >= 0",
        promised=None,
        released=8,
    )
