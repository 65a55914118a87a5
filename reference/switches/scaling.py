"""Switches of the chapter scaling. 4.0 has no scalable topics: its values are never asked for."""

from __future__ import annotations

from dataclasses import dataclass

from evenkeel_engine.frame.switch import switch


@dataclass(frozen=True, kw_only=True)
class ScalingSwitches:
    """Where PIP-483 and the shipped code disagree about splits and merges of segments."""

    all_merges_counted: bool = switch(
        "The cap on merges counts all merges among the ancestors of a segment, not those on its "
        "longest line: many segments that were never split back do not come down.",
        "SegmentLayout.mergeDepth 5.0.0-M1",
        released=False,
    )
    no_seal_is_minus_one: bool = switch(
        "The epoch in which a live segment was sealed is -1, not 0.",
        "SegmentInfo.active 5.0.0-M1",
        released=False,
    )
    merges_ignore_consumers: bool = switch(
        "A pair is merged although a subscription then has more consumers than there are segments, "
        "so that the next evaluation splits again.",
        "AutoScalePolicyEvaluator.tryMerge 5.0.0-M1",
        released=False,
    )
    merges_ignore_sums: bool = switch(
        "A pair is merged although its rates together exceed what a segment is split for.",
        "AutoScalePolicyEvaluator.tryMerge 5.0.0-M1",
        released=False,
    )
    single_hashes_chosen: bool = switch(
        "A segment of one hash is chosen for a split, which then fails: nothing else is split or "
        "merged while it is the busiest.",
        "AutoScalePolicyEvaluator.trySplit 5.0.0-M1",
        released=False,
    )
    segments_by_low_half: bool = switch(
        "The segment of a key follows from the low 16 bits of its hash, not from the high ones.",
        "SegmentRouter.hash 5.0.0-M1",
        released=False,
    )
    layouts_of_any_epoch: bool = switch(
        "A client takes each layout that it is sent: an older one replaces a newer one.",
        "DagWatchClient.onUpdate 5.0.0-M1",
        released=False,
    )
    segments_without_buckets: bool = switch(
        "Segments have no entry buckets: each is as if it had one, and can get no more.",
        "SegmentLayout 5.0.0-M1; PIP-486 came later",
        released=False,
    )
    sealed_segments_stay: bool = switch(
        "Sealed segments are assigned for as long as they are kept, also when they were read: they "
        "take turns of live ones, and are read before their parents were.",
        "SubscriptionCoordinator.isAssignable 5.0.0-M1",
        released=False,
    )
    parents_alone_awaited: bool = switch(
        "A live segment is assigned once its parents were read, whatever their parents.",
        "SubscriptionCoordinator.isAssignable 5.0.0-M1",
        released=False,
    )
    drained_forgotten: bool = switch(
        "Another controller does not know which sealed segments were read: it takes live ones from "
        "their consumers until it has found out.",
        "SubscriptionCoordinator.drainedSegmentIds 5.0.0-M1",
        released=False,
    )
    entry_buckets: bool = switch(
        "Segments have entry buckets: consumers that can share a segment get more of them where "
        "there is too little traffic for a split, or no room.",
        "AutoScalePolicyEvaluator.tryConsumerScale, tryMerge 5.0.1 (PIP-486)",
        released=False,
    )
    single_hashes_block: bool = switch(
        "A segment of one hash that is chosen for a split is left as it is, and so is the rest of "
        "the topic: nothing is split or merged while it is the busiest.",
        "AutoScalePolicyEvaluator.endsEvaluation 5.0.1",
        released=False,
    )
    lone_entries_unstamped: bool = switch(
        "An entry that no batch made has no stamp: it is encrypted, or delivered later.",
        "ScalableTopicProducer.applyEntryBucketing, ProducerImpl.serializeAndSendMessage 5.0.1",
        released=False,
    )
    first_bucket_of_two: bool = switch(
        "A segment whose first entry bucket has a single hash cannot be shared: each consumer that "
        "declares it is refused.",
        "PersistentEntryBucketDispatcherMultipleConsumers.validateBucketBoundaries 5.0.1",
        released=False,
    )
    long_drains_hang: bool = switch(
        "A drain that lasts too long never ends, and no later assignment is applied.",
        "ScalableStreamConsumer.awaitReleaseDrained 5.0.1",
        released=False,
    )
