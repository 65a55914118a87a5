"""Switches of the chapter shedding."""

from __future__ import annotations

from dataclasses import dataclass

from evenkeel_engine.frame.switch import switch


@dataclass(frozen=True, kw_only=True)
class SheddingSwitches:
    """Where the documents and the shipped code disagree about shedding."""

    monitoring_bundles_count: bool = switch(
        "A broker's heartbeat and SLA monitor bundles count towards the two that it must serve to "
        "shed one, so that its only other bundle can be shed.",
        "OverloadShedder, UniformLoadShedder 4.0.8",
    )
    overload_share_of_capacity: bool = switch(
        "OverloadShedder takes points of capacity above the threshold for a fraction of the "
        "broker's traffic; with low thresholds that does not bring usage below them.",
        "OverloadShedder 4.0.8",
    )
    uniform_allowance: bool = switch(
        "UniformLoadShedder sheds bundles that exceed what is left of its budget by up to 1000.",
        "UniformLoadShedder 4.0.8 (#21905)",
    )
    uniform_whole_numbers: bool = switch(
        "UniformLoadShedder's budget is a 32-bit whole number: at most 2^31 - 1, bundles are "
        "charged without their fractions, and near its end the allowance wraps it to nothing.",
        "UniformLoadShedder 4.0.8",
    )
    uniform_sheds_idle_bundles: bool = switch(
        "UniformLoadShedder sheds every bundle without traffic in the dimension it moves.",
        "UniformLoadShedder 4.0.8",
    )
    uniform_rate_masks_throughput: bool = switch(
        "UniformLoadShedder does not look at throughput where the message rates differ enough, "
        "even if nothing is moved for them.",
        "UniformLoadShedder 4.0.8",
    )
    uniform_least_is_32_bits: bool = switch(
        "UniformLoadShedder takes the least traffic of a broker for 2^31 - 1 where all have more.",
        "UniformLoadShedder 4.0.8",
    )
    avg_hits_per_broker: bool = switch(
        "AvgShedder counts hits for each broker, whatever broker it was paired with, and acts if "
        "either of the two has enough.",
        "AvgShedder 4.0.8",
    )
    avg_moves_sole_bundles: bool = switch(
        "AvgShedder says that a sole bundle will not be moved, and moves it if it fits.",
        "AvgShedder 4.0.8",
    )
    avg_plan_by_averages: bool = switch(
        "AvgShedder remembers a bundle's destination by the bundle's averages: bundles with equal "
        "ones share the destination that was planned last.",
        "AvgShedder, BundleData.equals 4.0.8 (#26246)",
    )
    avg_ranks_by_whole_points: bool = switch(
        "AvgShedder compares scores by the whole points between them: brokers less than a point "
        "apart count as equal, so that a row of them can be in any order.",
        "AvgShedder.calculateScoresAndSort 4.0.7 (#24954)",
        released=False,
    )
    transfer_gain_in_debug_only: bool = switch(
        "TransferShedder counts the bundles that come back in a swap in debug mode only, so that "
        "debug mode changes what is moved.",
        "TransferShedder.findBundlesForUnloading 4.0.8",
    )
    transfer_swaps_unguarded: bool = switch(
        "TransferShedder swaps bundles back that are inside their grace period or that their "
        "broker does not own.",
        "TransferShedder.findBundlesForUnloading 4.0.8",
    )
    transfer_stale_brokers_paired: bool = switch(
        "TransferShedder leaves stale reports out of the statistics, but still takes from their "
        "brokers and gives to them.",
        "TransferShedder.LoadStats.setLoadDataStore 4.0.8",
    )
    transfer_unbounded_without_load: bool = switch(
        "TransferShedder moves all bundles but one from the most loaded broker if its load is 0.",
        "TransferShedder.findBundlesForUnloading 4.0.8: 0 / 0",
    )
    transfer_moves_idle_bundles: bool = switch(
        "TransferShedder moves bundles without traffic, too, back in a swap as well; a pair that "
        "moves nothing else is none: its destination is the next source's, too.",
        "TransferShedder.findBundlesForUnloading 3.0.7 (#23626)",
        released=False,
    )
    transfer_deviation_breaks: bool = switch(
        "TransferShedder's standard deviation is not a number where rounding makes the variance "
        "negative.",
        "TransferShedder.LoadStats.update 4.0.8",
    )
    transfer_idle_by_share: bool = switch(
        "A broker is underloaded for TransferShedder if its average traffic is below a share of "
        "the most loaded broker's; the documents say: if it has none.",
        "TransferShedder.isUnderLoaded 4.0.8; document 002, TransferShedder; PR 22321",
    )
    transfer_unload_needs_pair: bool = switch(
        "With transfer switched off TransferShedder unloads only bundles that the broker of the "
        "pair could take, although nothing says that it will get them.",
        "TransferShedder.isTransferable 4.0.8",
    )
    former_leaders_shed: bool = switch(
        "The modular manager's task asks the strategy without a look at who leads.",
        "ModularLoadManagerImpl.doLoadShedding 4.0.8 (#26253)",
    )
    task_ends_without_store: bool = switch(
        "Once the metadata store was away, the modular manager's task does not run any more.",
        "LoadSheddingTask.run 4.0.7 (#23040, #24838)",
        released=False,
    )
    task_goes_on_without_store: bool = switch(
        "The modular manager's task asks the strategy although the metadata store is away.",
        "LoadSheddingTask.run 3.3.6 (#23040)",
        released=False,
    )
    threshold_left_in_place: bool = switch(
        "ThresholdShedder aims at five points below the threshold, not five points below the "
        "average: the threshold is taken off what it sheds.",
        "ThresholdShedder.findBundlesForUnloading 4.0.8; document 003, 1.3; document 002 says five "
        "points below the average (issue 17692)",
    )
    threshold_steps_twice: bool = switch(
        "With the lower boundary switched on, a round of ThresholdShedder in which no broker above "
        "the threshold sheds takes every usage into the history twice.",
        "ThresholdShedder.tryLowerBoundaryShedding 4.0.8",
    )
