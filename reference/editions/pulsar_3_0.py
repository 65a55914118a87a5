"""3.0.7: what 3.3 changed."""

from typing import Final

from evenkeel_engine.frame.line import Change, Line

LINE: Final = Line(
    "PULSAR_3_0",
    "3.0.7",
    parent="PULSAR_3_3",
    changes=(
        Change(
            switch="defaults_otherwise",
            value=(
                ("loadBalancerBandwidthInResourceWeight", None),
                ("loadBalancerBandwidthOutResourceWeight", None),
                ("loadBalancerDirectMemoryResourceWeight", "1.0"),
                ("loadBalancerMemoryResourceWeight", "1.0"),
            ),
            until="3.3.6",
            source="ServiceConfiguration (#21168, #22821)",
            questions=("balancing.defaults",),
        ),
        Change(
            switch="entry_sizes_from_ledgers",
            value=False,
            until="3.3.6",
            source="ManagedCursorImpl.applyMaxSizeCap (managed-ledger; #23931)",
            questions=("throttling.entries_for_bytes", "throttling.loop"),
        ),
        Change(
            switch="quotas_by_mechanism",
            value=False,
            until="3.3.6",
            source="DispatchRateLimiter: period counters alone (PIP-322, #21681)",
            questions=("throttling.quota", "throttling.loop"),
        ),
        Change(
            switch="quotas_cut_to_nothing_pass",
            until="3.3.6",
            source="AbstractBaseDispatcher.reachDispatchRateLimit, computeReadLimits",
            questions=("throttling.read_limits", "throttling.throttled"),
        ),
        Change(
            switch="subscribing_by_counter",
            until="3.3.6",
            source="SubscribeRateLimiter (PIP-322, #21681)",
            questions=("throttling.subscribing",),
        ),
        Change(
            switch="blank_topic_names",
            until="3.0.9",
            source="TopicName (#23691)",
            questions=("bundles.topic", "bundles.topic_lookup"),
        ),
        Change(
            switch="planned_placement_refused",
            since="3.0.6",
            until="3.3.6",
            source="ModularLoadManagerImpl.initialize (#23156)",
            questions=("balancing.strategy",),
        ),
        Change(
            switch="locks_known_from_nodes",
            until="3.3.6",
            source="OwnershipCache.getOwnerAsync (#23515)",
            questions=("ownership.locks",),
        ),
        Change(
            switch="idle_bundles_listed",
            until="3.3.6",
            source="TopKBundles.update (#23626)",
            questions=("load.top_bundles", "load.top_report"),
        ),
        Change(
            switch="transfer_moves_idle_bundles",
            until="3.3.6",
            source="TransferShedder.findBundlesForUnloading (#23626)",
            questions=("shedding.transfer", "shedding.transfer_debug"),
        ),
    ),
)
