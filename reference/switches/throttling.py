"""Switches of the chapter throttling."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from evenkeel_engine.frame.switch import switch


class Unbounded(Enum):
    """Which dispatchers of a Key_Shared subscription read ahead whatever waits."""

    NONE = "none"
    CLASSIC = "classic"
    ALL = "all"


@dataclass(frozen=True, kw_only=True)
class ThrottlingSwitches:
    """Where the documents and the shipped code disagree about throttling."""

    quotas_by_mechanism: bool = switch(
        "A dispatch limit is enforced by the configured mechanism: the period counter, or the "
        "token bucket, which starts full, saves one period's quota, is refilled when it is looked "
        "at after more than a period, and is a new one after every change of policy.",
        "DispatchRateLimiterAsyncTokenBucketImpl, the default factory of 4.0.8 (PR 24012)",
    )
    refused_change_sticks: bool = switch(
        "A change of a limit to a period of 0 or less is refused only after the old timer was "
        "stopped: the new limit stays, and nothing is refreshed any more.",
        "RateLimiter.setRate 4.0.8",
    )
    refill_wraps: bool = switch(
        "A bucket's refill is a 64-bit product that wraps.",
        "AsyncTokenBucket.calculateNewTokensSinceLastUpdate 4.0.8 (PR 25262)",
    )
    balance_wraps: bool = switch(
        "A bucket's balance is a 64-bit sum that wraps.",
        "AsyncTokenBucket.consumeTokensAndMaybeUpdateTokensBalance 4.0.8 to 5.0.1",
    )
    quota_cut_to_32_bits: bool = switch(
        "The message quota is cut to 32 bits before it limits a read.",
        "AbstractBaseDispatcher.applyDispatchRateLimitsToReadLimits 4.0.8 (defect DT33)",
    )
    quotas_cut_to_nothing_pass: bool = switch(
        "A message quota of which nothing is left once it is cut to 32 bits does not limit a read.",
        "AbstractBaseDispatcher.reachDispatchRateLimit, computeReadLimits 3.0.7",
        released=False,
    )
    precise_divides_permits: bool = switch(
        "preciseDispatcherFlowControl divides the consumers' permits, not the quota.",
        "PersistentDispatcherMultipleConsumers.calculateToRead 4.0.8 (errata E3)",
    )
    unwritable_shared_reads_one: bool = switch(
        "A shared subscription none of whose consumers can be written to reads one entry.",
        "PersistentDispatcherMultipleConsumers.calculateToRead 4.0.8",
        promised=True,
    )
    unlimited_policy_is_absent: bool = switch(
        "A policy without any limit counts as absent: the next lower level takes effect.",
        "DispatchRateImpl.normalize, AbstractTopic 4.0.8",
    )
    entry_sizes_from_ledgers: bool = switch(
        "Bytes are turned into entries by the sizes of the ledgers that are read from, 64 bytes on "
        "top for every entry, not by the average sizes of published or dispatched entries.",
        "EntryCountEstimator (managed-ledger) 4.0.8 (errata E11)",
    )
    backlog_by_cursor_flag: bool = switch(
        "With throttling of non-backlog consumers off, limits apply by the cursor's flag, asked "
        "once for the read and again for the charge.",
        "AbstractBaseDispatcher.acquirePermitsForDeliveredMessages 4.0.8 (errata E10)",
    )
    limits_default_to_zero: bool = switch(
        "A limit that is not configured is 0, not -1; neither limits anything.",
        "ServiceConfiguration 4.0.8",
    )
    subscribing_by_counter: bool = switch(
        "Attempts to subscribe are counted in periods since the rate was set, which are the same "
        "for all consumers; a change of the rate keeps the counts.",
        "SubscribeRateLimiter 3.0.7 (PIP-322, #21681)",
        released=False,
    )
    read_dropped_after_replay: bool = switch(
        "Where the consumer of a shared subscription changes while a replay read is outstanding, "
        "the next normal read is dropped when it comes back, although the new one asked for it; "
        "nothing is read again before, not even where that read waits for new entries.",
        "PersistentDispatcherMultipleConsumers.addConsumer, readEntriesComplete 4.0.8",
    )
    replay_reads_dropped: bool = switch(
        "Where the consumer of a shared subscription changes while reads are outstanding, all of "
        "them are dropped, replay reads too, and none is asked for until all have come back.",
        "PersistentDispatcherMultipleConsumers.internalReadMoreEntries, readEntriesComplete 5.0.1",
        released=False,
    )
    permits_taken_for_entries: bool = switch(
        "A shared subscription hands over as many entries as its consumer has permits, whatever "
        "they hold.",
        "PersistentStickyKeyDispatcherMultipleConsumers.filterAndGroupEntriesForDispatching, "
        "PersistentStickyKeyDispatcherMultipleConsumersClassic.trySendMessagesToConsumers 4.0.8",
        released=False,
    )
    reads_overtaken: bool = switch(
        "A read is dropped that comes back after an entry was asked for again which is before all "
        "that were to be delivered again when the last read was asked for; what it brought is then "
        "to be delivered again, too.",
        "PersistentStickyKeyDispatcherMultipleConsumers.trySendMessagesToConsumers 4.0.8 (#12885)",
        released=False,
    )
    turns_rounded_down: bool = switch(
        "A turn of a shared subscription has no more entries than permits and "
        "dispatcherMaxRoundRobinBatchSize, both in messages, hold whole ones.",
        "PersistentDispatcherMultipleConsumersClassic.trySendMessagesToConsumers 4.0.8",
        released=False,
    )
    replays_pass_bytes: bool = switch(
        "Where messages are read again, a limit in bytes does not limit the entries.",
        "PersistentDispatcherMultipleConsumersClassic.getMessagesToReplayNow 4.0.8 (#23894)",
        released=False,
    )
    replays_passed_over: bool = switch(
        "After a read of which nothing could be handed over, the next look passes over what is to "
        "be delivered again.",
        "PersistentStickyKeyDispatcherMultipleConsumersClassic.getMessagesToReplayNow 4.0.8",
        released=False,
    )
    look_ahead_unbounded: Unbounded = switch(
        "Dispatchers of a Key_Shared subscription that read on for other consumers, however much "
        "waits of what was read.",
        "PersistentStickyKeyDispatcherMultipleConsumersClassic.trySendMessagesToConsumers 4.0.8, "
        "PersistentStickyKeyDispatcherMultipleConsumers 3.3.6 (#26677)",
        promised=Unbounded.NONE,
        released=Unbounded.CLASSIC,
    )
    look_ahead_wraps: bool = switch(
        "How far a Key_Shared subscription may read ahead for all its consumers is a product of "
        "32 bits, which wraps; a product that is not above 0 is no limit, and that of the "
        "subscription is forgotten.",
        "PersistentStickyKeyDispatcherMultipleConsumers.getEffectiveLookAheadLimit 4.0.8",
    )
    moved_keys_counted_again: bool = switch(
        "What a consumer of a Key_Shared subscription holds of a key counts each time that the key "
        "moves away from it; others get nothing of the key until as much is acknowledged.",
        "DrainingHashesTracker.addEntry 4.0.6 (#23845)",
        released=False,
    )
    idle_leavers_read_nothing: bool = switch(
        "When a consumer of a Key_Shared subscription leaves that has acknowledged all, nothing is "
        "read, and what waited for it stays until something is published, acknowledged or asked "
        "for.",
        "PersistentDispatcherMultipleConsumers.removeConsumer 4.0.8, 5.0.1 (PIP-379)",
    )
    classic_keys_move_at_once: bool = switch(
        "With the classic dispatcher of a Key_Shared subscription a key moves as soon as a "
        "consumer joins or leaves, also while another holds entries of it; a new one gets what "
        "was read before it came.",
        "PersistentStickyKeyDispatcherMultipleConsumersClassic.trySendMessagesToConsumers 4.0.8 "
        "(PIP-379)",
    )
    charge_of_last_dispatch: bool = switch(
        "What is charged for an exclusive delivery, when it was written, is what the thread that "
        "dispatched it has dispatched last by then, to whichever consumer.",
        "PersistentDispatcherSingleActiveConsumer.dispatchEntriesToConsumer, "
        "SendMessageInfo.getThreadLocal 4.0.8 (defect DT32)",
    )
    uncounted_permits_leave: bool = switch(
        "A consumer of a shared subscription that leaves takes all its permits off the "
        "dispatcher's count, those too of which the dispatcher has not counted the request yet.",
        "PersistentDispatcherMultipleConsumers.removeConsumer 4.0.8 (#26289)",
    )
    failed_waits_let_none_begin: bool = switch(
        "Where a read fails that waited too long for memory, those behind it begin no earlier than "
        "other memory is given back.",
        "InflightReadsLimiter.timeoutCheck 4.0.8 to 5.0.1",
    )
    named_policies_overwrite: bool = switch(
        "A topic has the policies that name a subscription of its local or its global policy, "
        "whichever came last; when it is loaded, of the local one, if it has one.",
        "AbstractTopic.updateTopicPolicy, PersistentTopic.initTopicPolicy 4.0.8",
    )
    topic_policies_share_a_value: bool = switch(
        "A topic has the rates of its local or of its global policy, whichever came last; when it "
        "is loaded, of the local one alone.",
        "AbstractTopic.updateTopicPolicy, PersistentTopic.initTopicPolicy 3.3.6 (#24254, #24279)",
        released=False,
    )
    topic_policies_share_a_key: bool = switch(
        "The local and the global policy of a topic are stored under one key, of which a "
        "compaction keeps the last; a topic that is deleted deletes the local one.",
        "SystemTopicBasedTopicPoliciesService.getEventKey 3.3.6 (#24286)",
        released=False,
    )
    replicator_reads_assumed: bool = switch(
        "A replicator that looks takes a read for under way before it knows whether it asks for "
        "one, and without a limit asks for all that its queue holds; a read is dropped when the "
        "cursor was put back, which is not put back again, and what was not taken keeps its place.",
        "PersistentReplicator.readMoreEntries, GeoPersistentReplicator.replicateEntries 4.0.8 "
        "(#26002, #26005, #26106)",
    )
    replicator_failed_reads_stay: bool = switch(
        "A read of a replicator that failed is taken for under way for good.",
        "PersistentReplicator.readEntriesFailed 4.0.8 (#25625)",
    )
    replicator_owes_looks: bool = switch(
        "A look of a replicator that asked for no read, or fell while one was under way, is made "
        "as soon as a read has failed or something was not taken.",
        "PersistentReplicator.processRead, requestReadProcessing 5.0.1",
        released=False,
    )
