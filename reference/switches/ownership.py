"""Switches of the chapter ownership."""

from __future__ import annotations

from dataclasses import dataclass

from evenkeel_engine.frame.switch import switch


@dataclass(frozen=True, kw_only=True)
class OwnershipSwitches:
    """Where the documents and the shipped code disagree about ownership."""

    ownerless_records_break: bool = switch(
        "Comparing the owner of an owned bundle whose record names none fails.",
        "ServiceUnitStateDataConflictResolver 4.0.8",
    )
    tombstones_unconditional: bool = switch(
        "A removal takes away any record that is there, not only the one it refers to.",
        "ServiceUnitStateDataConflictResolver, MetadataStoreTableViewImpl.delete 4.0.8",
    )
    stopping_brokers_check_owners: bool = switch(
        "A broker that shuts down looks, as any other, whether the owner that a lookup would name "
        "is alive, and whether it is registered itself.",
        "ServiceUnitStateChannelImpl.getActiveOwnerAsync 4.0.7 (#24770)",
        released=False,
    )
    assigned_while_away_wait: bool = switch(
        "A broker that starts does nothing about a bundle that was assigned to it meanwhile: it "
        "waits for the monitor.",
        "ServiceUnitStateChannelImpl.handleExisting 4.0.8 (#25379)",
        promised=True,
    )
    versions_restart: bool = switch(
        "Once a record is removed it is forgotten which version it had: versions begin at 1 again.",
        "ServiceUnitStateChannelImpl.getNextVersionId, ServiceUnitStateDataConflictResolver, "
        "StrategicTwoPhaseCompactor 4.0.8",
    )
    any_key_in_channel: bool = switch(
        "Records of bundles that are not in their namespace, a divided parent among them, are "
        "accepted.",
        "ServiceUnitStateChannelImpl 4.0.8",
    )
    unregistered_brokers_own: bool = switch(
        "A broker that has lost its session keeps serving its bundles, for good with a topic, "
        "until it has closed them with nodes.",
        "ServiceUnitStateChannelImpl 4.0.8",
    )
    closes_only_when_named: bool = switch(
        "A broker closes a bundle's topics only when a record names it as the source.",
        "ServiceUnitStateChannelImpl.handleOwnEvent, handleReleaseEvent, handleFreeEvent 4.0.8",
    )
    living_sources_overtaken: bool = switch(
        "What has been in flight too long is given to another broker although the source is alive "
        "and still serves.",
        "ServiceUnitStateChannelImpl.overrideOwnership 4.0.8",
    )
    divisions_freed: bool = switch(
        "What is being split, with no broker left to continue, is freed, although the "
        "division may still end.",
        "ServiceUnitStateChannelImpl.overrideOwnership 4.0.8",
    )
    store_views_not_flushed: bool = switch(
        "With nodes, clean-up and monitor work on what the broker happens to have read.",
        "ServiceUnitStateMetadataStoreTableViewImpl.flush 4.0.8 does nothing",
    )
    disabled_brokers_assign: bool = switch(
        "A broker that shuts down still publishes what a lookup makes it assign.",
        "ServiceUnitStateChannelImpl.publishAssignEventAsync 4.0.8",
        promised=True,
    )
    overrides_repeated: bool = switch(
        "A clean-up overrides again what it still sees owned by the broker that left.",
        "ServiceUnitStateChannelImpl.waitForCleanups 5.0.1",
        released=False,
    )
    locks_outlive_session: bool = switch(
        "A broker keeps serving after its session has ended, until a re-validation in a later "
        "session finds its node taken.",
        "ResourceLockImpl.silentRevalidateOnce, LockManagerImpl.handleSessionEvent 4.0.8",
    )
    locks_versions_restart: bool = switch(
        "Each new node of a bundle begins at the same version, and a deletion with version -1 is "
        "unconditional; so a release can delete the node of another broker.",
        "ResourceLockImpl.release, ZKMetadataStore.internalStoreDelete 4.0.8",
    )
    locks_failed_release_sticks: bool = switch(
        "A release that fails for any reason but a missing node is not tried again: the bundle "
        "stays refused as being unloaded.",
        "ResourceLockImpl.release, OwnershipCache.removeOwnership 4.0.8",
    )
    locks_go_by_bundle: bool = switch(
        "What an old lock's unload or expiry removes is looked up by bundle: it can release or "
        "forget a newer lock of the same broker.",
        "OwnershipCache.removeOwnership, invalidateLocalOwnerCache 4.0.8 (PR 26197)",
    )
    locks_adopted_are_blind: bool = switch(
        "A lock that adopts a node which its own session had created already stays in its first "
        "state, in which it is never re-validated: its loss goes unnoticed.",
        "ResourceLockImpl.revalidate 4.0.8",
    )
    locks_revive: bool = switch(
        "A re-validation continues after the lock was released or lost, and makes it valid again.",
        "ResourceLockImpl.acquireWithNoRevalidation 4.0.8",
    )
    locks_answered_from_cache: bool = switch(
        "A lookup is answered from the broker's cache of nodes, which can be older than the store.",
        "LockManagerImpl.readLock, MetadataCacheImpl 4.0.8",
    )
    locks_known_from_nodes: bool = switch(
        "A lookup that finds this broker's own node, which its list does not know, is answered "
        "with this broker, which does not serve the bundle.",
        "OwnershipCache.getOwnerAsync 3.0.7 (#23515)",
        released=False,
    )
    locks_need_session: bool = switch(
        "Between the loss of its session and a new one a broker acquires nothing; a lookup that "
        "would wait for another, or for a lock, fails.",
        "OwnershipCache.getOwnerAsync, tryAcquiringOwnership, "
        "NamespaceService.findBrokerServiceUrl 5.0.1",
        released=False,
    )
    locks_taken_in_turn: bool = switch(
        "A broker acquires and releases a bundle for one lookup or unload after the other; of "
        "lookups that waited for the same read the last comes first. One that waited for an "
        "acquisition that failed tries again.",
        "OwnershipCache.serialize 5.0.1",
        released=False,
    )
    locks_join_readers: bool = switch(
        "A lookup that is to assign a bundle joins a read-only one that is under way, and is "
        "answered that it has no owner; one for another listener gets the first one's address.",
        "NamespaceService.findBrokerServiceUrl 4.0.8",
    )
    early_notices_end_brokers: bool = switch(
        "A change that a broker learns of from the metadata store before it has its name ends it.",
        "BrokerService.handleMetadataChanges 3.3.6 (#24352)",
        released=False,
    )
    locks_taken_while_stopping: bool = switch(
        "A broker that is stopping still acquires what an authoritative lookup asks it for.",
        "NamespaceService.searchForCandidateBroker 4.0.8 (defect OW10)",
    )
    waits_tell_first: bool = switch(
        "Who waits for an unload or a split is given its end before it is forgotten: who asks "
        "again just then is given the same end, and a wait that timed out takes a newer one away "
        "with it.",
        "UnloadManager.complete, SplitManager.complete, waitAsync 4.0.8 (#26363)",
    )
    lookups_forget_newer: bool = switch(
        "The end of a lookup takes a newer one of the same bundle away, which waits its time out.",
        "ServiceUnitStateChannelImpl.dedupeGetOwnerRequest 4.0.8 (#26146)",
    )
    lookups_need_channel: bool = switch(
        "Before the channel of a broker has started each lookup fails at once.",
        "ServiceUnitStateChannelImpl.getOwnerAsync 4.0.8 (#25715)",
    )
