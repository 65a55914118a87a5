"""4.2.4: names of Pulsar 1 are gone; token buckets, UniformLoadShedder, lookups, the channel."""

from typing import Final

from evenkeel.reference.shedding.strategies import MODULAR
from evenkeel.reference.switches.bundles import LegacyNames
from evenkeel_engine.frame.line import Change, Line

_NAMING: Final = ("bundles.topic", "bundles.topic_lookup")

LINE: Final = Line(
    "PULSAR_4_2",
    "4.2.4",
    parent="PULSAR_4_0",
    changes=(
        Change(
            switch="legacy_topic_names",
            value=LegacyNames.REFUSED,
            since="4.2.0",
            source="TopicName, NamespaceName (PIP-457, #25304)",
            questions=(*_NAMING, "load.top_bundles"),
        ),
        Change(
            switch="short_names_skip_empty_pieces",
            value=False,
            since="4.2.4",
            source="TopicName (#24463)",
            questions=_NAMING,
        ),
        Change(
            switch="domain_kept_as_written",
            since="4.2.4",
            source="TopicName (#24463)",
            questions=_NAMING,
        ),
        Change(
            switch="uniform_allowance",
            value=False,
            since="4.2.0",
            source="UniformLoadShedder (#21906)",
            questions=("shedding.uniform",),
        ),
        Change(
            switch="clustered_monitors",
            value=False,
            since="4.2.0",
            source="NamespaceService.isSLAOrHeartbeatNamespace (#25304)",
            questions=("load.top_bundles", "balancing.loop", *MODULAR),
        ),
        Change(
            switch="simple_manager_instead",
            value=False,
            since="4.2.4",
            source="LoadManager.create (#26031)",
            questions=("balancing.strategy",),
        ),
        Change(
            switch="destination_kept_by_range",
            value=False,
            since="4.2.4",
            source="NamespacesBase.setNamespaceBundleAffinityAsync (#25518)",
            questions=("placement.preallocation", "balancing.loop"),
        ),
        Change(
            switch="assigned_while_away_wait",
            value=False,
            since="4.2.4",
            source="ServiceUnitStateChannelImpl.handleExisting (#25379)",
            questions=("ownership.channel",),
        ),
        Change(
            switch="locks_join_readers",
            value=False,
            since="4.2.4",
            source="NamespaceService.findBrokerServiceUrl (#26245)",
            questions=("ownership.listeners", "ownership.locks"),
        ),
        Change(
            switch="lookups_forget_newer",
            value=False,
            since="4.2.4",
            source="ServiceUnitStateChannelImpl.dedupeGetOwnerRequest (#26146)",
            questions=("ownership.waiting",),
        ),
        Change(
            switch="refill_wraps",
            value=False,
            since="4.2.4",
            source="AsyncTokenBucket.RateParameters (PR 25262)",
            questions=("throttling.bucket", "throttling.quota"),
        ),
        Change(
            switch="named_policies_overwrite",
            value=False,
            since="4.2.4",
            source="AbstractTopic.mergeSubscriptionPolicies",
            questions=("throttling.stored",),
        ),
        Change(
            switch="replicator_reads_assumed",
            value=False,
            since="4.2.4",
            source="PersistentReplicator (#26002, #26005, #26106)",
            questions=("throttling.replicating",),
        ),
        Change(
            switch="replicator_failed_reads_stay",
            value=False,
            since="4.2.4",
            source="PersistentReplicator.completeFailedReadTask (#25625)",
            questions=("throttling.replicating",),
        ),
    ),
)
