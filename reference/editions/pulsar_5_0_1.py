"""5.0.1: segments with entry buckets (PIP-486), of which merges take no more than is to spare."""

from typing import Final

from evenkeel.reference.switches.throttling import Unbounded
from evenkeel_engine.frame.line import Change, Line

DECISION: Final = ("scaling.decision", "scaling.loop")
ASSIGNMENT: Final = ("scaling.assignment",)
LOOP: Final = ("balancing.loop",)
PLACED: Final = ("placement.avg_shedder",)
CANDIDATES: Final = ("placement.candidates", "placement.filters")
_CLASSES: Final = "org.apache.pulsar.broker.loadbalance.impl"

LINE: Final = Line(
    "PULSAR_5_0_1",
    "5.0.1",
    parent="PULSAR_5_0",
    changes=(
        Change(
            switch="merges_ignore_consumers",
            value=False,
            since="5.0.1",
            source="AutoScalePolicyEvaluator.tryMerge (#26434)",
            questions=DECISION,
        ),
        Change(
            switch="segments_by_low_half",
            value=False,
            since="5.0.1",
            source="ScalableTopicHashing.segmentHash (#26114)",
            questions=("scaling.routing", "scaling.updates"),
        ),
        Change(
            switch="segments_without_buckets",
            value=False,
            since="5.0.1",
            source="SegmentLayout (#26434)",
            questions=("scaling.layout", "scaling.policy", "scaling.routing"),
        ),
        Change(
            switch="sealed_segments_stay",
            value=False,
            since="5.0.1",
            source="SubscriptionCoordinator.isAssignable",
            questions=ASSIGNMENT,
        ),
        Change(
            switch="parents_alone_awaited",
            value=False,
            since="5.0.1",
            source="SubscriptionCoordinator.ancestorsDrained",
            questions=ASSIGNMENT,
        ),
        Change(
            switch="entry_buckets",
            since="5.0.1",
            source="AutoScalePolicyEvaluator.tryConsumerScale, tryMerge (#26434)",
            questions=DECISION,
        ),
        Change(
            switch="single_hashes_block",
            since="5.0.1",
            source="AutoScalePolicyEvaluator.trySplit, endsEvaluation",
            questions=DECISION,
        ),
        Change(
            switch="defaults_otherwise",
            value=(
                ("defaultNumberOfNamespaceBundles", "32"),
                ("dispatcherMaxReadBatchSize", "500"),
                ("loadBalancerDistributeBundlesEvenlyEnabled", "false"),
                ("loadBalancerLoadPlacementStrategy", f"{_CLASSES}.AvgShedder"),
                ("loadBalancerLoadSheddingStrategy", f"{_CLASSES}.AvgShedder"),
                ("maxUnloadPercentage", "0.5"),
            ),
            since="5.0.1",
            source="ServiceConfiguration (#26609, #26610, #26744)",
            questions=("balancing.defaults", "throttling.default"),
        ),
        Change(
            switch="locks_join_readers",
            value=False,
            since="5.0.1",
            source="NamespaceService.findBrokerServiceUrl (#26245)",
            questions=("ownership.listeners", "ownership.locks"),
        ),
        Change(
            switch="lookups_forget_newer",
            value=False,
            since="5.0.1",
            source="ServiceUnitStateChannelImpl.dedupeGetOwnerRequest (#26146)",
            questions=("ownership.waiting",),
        ),
        Change(
            switch="waits_tell_first",
            value=False,
            since="5.0.1",
            source="UnloadManager.complete, SplitManager.complete (#26363)",
            questions=("ownership.waiting",),
        ),
        Change(
            switch="disabled_brokers_assign",
            value=False,
            since="5.0.1",
            source="ServiceUnitStateChannelImpl.publishAssignEventAsync (#26520)",
            questions=("ownership.channel",),
        ),
        Change(
            switch="overrides_repeated",
            since="5.0.1",
            source="ServiceUnitStateChannelImpl.waitForCleanups",
            questions=("ownership.channel",),
        ),
        Change(
            switch="locks_go_by_bundle",
            value=False,
            since="5.0.1",
            source="OwnershipCache.removeOwnership, invalidateLocalOwnerCache (#26197)",
            questions=("ownership.locks",),
        ),
        Change(
            switch="locks_need_session",
            since="5.0.1",
            source="OwnershipCache.getOwnerAsync, tryAcquiringOwnership, "
            "NamespaceService.findBrokerServiceUrl",
            questions=("ownership.locks",),
        ),
        Change(
            switch="locks_taken_in_turn",
            since="5.0.1",
            source="OwnershipCache.serialize",
            questions=("ownership.locks",),
        ),
        Change(
            switch="former_leaders_shed",
            value=False,
            since="5.0.1",
            source="ModularLoadManagerImpl.doLoadShedding (#26253)",
            questions=("shedding.cycles",),
        ),
        Change(
            switch="avg_shedder_by_default",
            since="5.0.1",
            source="ServiceConfiguration (#26609)",
            questions=("balancing.strategy",),
        ),
        Change(
            switch="lone_planned_placement_replaced",
            since="5.0.1",
            source="ModularLoadManagerImpl.initialize (#26246)",
            questions=("balancing.strategy",),
        ),
        Change(
            switch="avg_plan_by_averages",
            value=False,
            since="5.0.1",
            source="AvgShedder.selectBundleForUnloading (#26246)",
            questions=("shedding.avg", *LOOP),
        ),
        Change(
            switch="plans_keyed_by_value",
            value=False,
            since="5.0.1",
            source="AvgShedder.selectBrokerForBundle (#26246)",
            questions=(*PLACED, *LOOP),
        ),
        Change(
            switch="random_choices_planned",
            value=False,
            since="5.0.1",
            source="AvgShedder.selectBroker (#26246)",
            questions=(*PLACED, *LOOP),
        ),
        Change(
            switch="plans_end_with_round",
            since="5.0.1",
            source="AvgShedder.findBundlesForUnloading, onUnloadAttemptCompleted (#26246)",
            questions=(*PLACED, *LOOP),
        ),
        Change(
            switch="plans_avoid_overload",
            since="5.0.1",
            source="AvgShedder.selectBrokerWithBundleName (#26246)",
            questions=(*PLACED, *LOOP),
        ),
        Change(
            switch="planned_placement_needs_candidates",
            value=False,
            since="5.0.1",
            source="AvgShedder.selectBroker (#26246)",
            questions=PLACED,
        ),
        Change(
            switch="policies_name_ports",
            since="5.0.1",
            source="NamespaceIsolationPolicyImpl.isPrimaryBrokerId, isSecondaryBrokerId",
            questions=CANDIDATES,
        ),
        Change(
            switch="versions_in_32_bits",
            value=False,
            since="5.0.1",
            source="BrokerVersionFilter with java-semver 0.10.2",
            questions=CANDIDATES,
        ),
        Change(
            switch="builds_make_newer",
            since="5.0.1",
            source="BrokerVersionFilter with java-semver 0.10.2",
            questions=CANDIDATES,
        ),
        Change(
            switch="options_follow_default",
            value=False,
            since="5.0.1",
            source="NamespaceService.getBundleSplitOption",
            questions=("splitting.manual",),
        ),
        Change(
            switch="failed_splits_hang",
            value=False,
            since="5.0.1",
            source="NamespaceService.splitAndOwnBundleOnceAndRetry (#26735)",
            questions=("splitting.life", "splitting.manual"),
        ),
        Change(
            switch="extensible_needs_a_cut",
            value=False,
            since="5.0.1",
            source="ExtensibleLoadManagerImpl.splitNamespaceBundleAsync",
            questions=("splitting.manual",),
        ),
        Change(
            switch="unwritable_shared_reads_one",
            value=False,
            since="5.0.1",
            source="PersistentDispatcherMultipleConsumers.calculateToRead (#26630)",
            questions=("throttling.read_limits", "throttling.throttled"),
        ),
        Change(
            switch="read_dropped_after_replay",
            value=False,
            since="5.0.1",
            source="PersistentDispatcherMultipleConsumers.internalReadMoreEntries",
            questions=("throttling.loop",),
        ),
        Change(
            switch="replay_reads_dropped",
            since="5.0.1",
            source="PersistentDispatcherMultipleConsumers.internalReadMoreEntries, "
            "readEntriesComplete",
            questions=("throttling.loop",),
        ),
        Change(
            switch="charge_of_last_dispatch",
            value=False,
            since="5.0.1",
            source="PersistentDispatcherSingleActiveConsumer.dispatchEntriesToConsumer",
            questions=("throttling.loop",),
        ),
        Change(
            switch="look_ahead_unbounded",
            value=Unbounded.NONE,
            since="5.0.1",
            source="ServiceConfiguration: there is no classic dispatcher any more",
            questions=("throttling.keys",),
        ),
        Change(
            switch="classic_keys_move_at_once",
            value=False,
            since="5.0.1",
            source="ServiceConfiguration: there is no classic dispatcher any more",
            questions=("throttling.keys",),
        ),
        Change(
            switch="uncounted_permits_leave",
            value=False,
            since="5.0.1",
            source="Consumer.getAvailablePermitsForDispatcherRemoval (#26289)",
            questions=("throttling.permits",),
        ),
        Change(
            switch="named_policies_overwrite",
            value=False,
            since="5.0.1",
            source="AbstractTopic.mergeSubscriptionPolicies",
            questions=("throttling.stored",),
        ),
        Change(
            switch="replicator_reads_assumed",
            value=False,
            since="5.0.1",
            source="PersistentReplicator.processRead, processReadResult (#26002, #26005, #26106)",
            questions=("throttling.replicating",),
        ),
        Change(
            switch="replicator_owes_looks",
            since="5.0.1",
            source="PersistentReplicator.processRead, requestReadProcessing",
            questions=("throttling.replicating",),
        ),
    ),
)
