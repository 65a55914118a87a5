"""5.0.0-M1: how many segments a scalable topic has, and lookups that join others."""

from typing import Final

from evenkeel_engine.frame.line import Change, Line

DECISION: Final = ("scaling.decision", "scaling.loop")
ASSIGNMENT: Final = ("scaling.assignment",)

LINE: Final = Line(
    "PULSAR_5_0",
    "5.0.0-M1",
    parent="PULSAR_4_2",
    changes=(
        Change(
            switch="all_merges_counted",
            since="5.0.0-M1",
            source="SegmentLayout.mergeDepth",
            questions=DECISION,
        ),
        Change(
            switch="no_seal_is_minus_one",
            since="5.0.0-M1",
            source="SegmentInfo.active",
            questions=("scaling.layout",),
        ),
        Change(
            switch="merges_ignore_consumers",
            since="5.0.0-M1",
            source="AutoScalePolicyEvaluator.tryMerge",
            questions=DECISION,
        ),
        Change(
            switch="merges_ignore_sums",
            since="5.0.0-M1",
            source="AutoScalePolicyEvaluator.tryMerge",
            questions=DECISION,
        ),
        Change(
            switch="single_hashes_chosen",
            since="5.0.0-M1",
            source="AutoScalePolicyEvaluator.trySplit",
            questions=DECISION,
        ),
        Change(
            switch="segments_by_low_half",
            until="5.0.0-M1",
            source="SegmentRouter.hash (#26114 came after M1)",
            questions=("scaling.routing", "scaling.updates"),
        ),
        Change(
            switch="layouts_of_any_epoch",
            since="5.0.0-M1",
            source="DagWatchClient.onUpdate",
            questions=("scaling.updates",),
        ),
        Change(
            switch="segments_without_buckets",
            until="5.0.0-M1",
            source="SegmentLayout (#26434 came after M1)",
            questions=("scaling.layout", "scaling.policy", "scaling.routing"),
        ),
        Change(
            switch="sealed_segments_stay",
            until="5.0.0-M1",
            source="SubscriptionCoordinator.isAssignable",
            questions=ASSIGNMENT,
        ),
        Change(
            switch="parents_alone_awaited",
            until="5.0.0-M1",
            source="SubscriptionCoordinator.isAssignable",
            questions=ASSIGNMENT,
        ),
        Change(
            switch="drained_forgotten",
            since="5.0.0-M1",
            source="SubscriptionCoordinator.drainedSegmentIds",
            questions=ASSIGNMENT,
        ),
        Change(
            switch="locks_join_readers",
            value=True,
            since="5.0.0-M1",
            source="NamespaceService.findBrokerServiceUrl (#26245 came after M1)",
            questions=("ownership.listeners", "ownership.locks"),
        ),
        Change(
            switch="named_policies_overwrite",
            value=True,
            since="5.0.0-M1",
            source="AbstractTopic.updateTopicPolicy",
            questions=("throttling.stored",),
        ),
        Change(
            switch="lookups_forget_newer",
            value=True,
            since="5.0.0-M1",
            source="ServiceUnitStateChannelImpl.dedupeGetOwnerRequest (#26146 came after M1)",
            questions=("ownership.waiting",),
        ),
        Change(
            switch="replicator_reads_assumed",
            value=True,
            since="5.0.0-M1",
            source="PersistentReplicator.readMoreEntries (#26002, #26005 and #26106 came after M1)",
            questions=("throttling.replicating",),
        ),
    ),
)
