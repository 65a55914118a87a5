"""Switches of the chapter load."""

from __future__ import annotations

from dataclasses import dataclass

from evenkeel_engine.frame.switch import switch


@dataclass(frozen=True, kw_only=True)
class LoadSwitches:
    """Where the documents and the shipped code disagree about load."""

    every_notification_samples: bool = switch(
        "Whenever any broker's report changes, and whenever the leader writes its data, the last "
        "samples of all brokers are added to the averages again.",
        "ModularLoadManagerImpl.updateBundleData 4.0.8",
    )
    failed_report_counts: bool = switch(
        "A report that could not be written restarts the longest interval between reports.",
        "ModularLoadManagerImpl.writeBrokerDataOnZooKeeper 4.0.8",
    )
    published_average_may_lag: bool = switch(
        "How far the published average differs from the broker's own does not make a report due.",
        "BrokerLoadDataReporter.needBrokerDataUpdate 4.0.8",
    )
    clustered_monitors: bool = switch(
        "The namespace of a broker's SLA monitor has the cluster in its name, and that of its "
        "heartbeat may; else neither has.",
        "NamespaceService.isSLAOrHeartbeatNamespace 4.0.8",
        promised=True,
    )
    bandwidth_weights_misspelt: bool = switch(
        "The weights of the bandwidths have no names but the misspelt ones.",
        "ServiceConfiguration.loadBalancerBandwithInResourceWeight 3.3.6 (#22824)",
        released=False,
    )
    modular_usage_unweighted: bool = switch(
        "The modular manager reports a broker, calls it overloaded, and sheds by OverloadShedder "
        "by its largest usage without weights.",
        "LocalBrokerData.getMaxResourceUsage 3.3.6 (PIP-358, #22888)",
        released=False,
    )
    idle_bundles_listed: bool = switch(
        "Bundles without traffic are among the top bundles.",
        "TopKBundles.update 3.0.7 (#23626)",
        released=False,
    )
    no_top_bundles_breaks: bool = switch(
        "With a limit of 0 top bundles or less the report breaks.",
        "TopKBundles.partitionSort 4.0.8",
    )
    top_bundles_by_difference: bool = switch(
        "Top bundles are compared by the first measurement that differs by more than its step, "
        "which is no order: a bundle can be left out for a lighter one.",
        "NamespaceBundleStats.compareTo 4.0.6 (#24772)",
        released=False,
    )
    top_bundles_wait: bool = switch(
        "Top bundles are published once for each renewal of the statistics: not again where that "
        "failed, nor after they were removed.",
        "TopBundleLoadDataReporter.generateLoadData 4.0.8",
    )
