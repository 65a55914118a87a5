"""Switches of the chapter ownership."""

from __future__ import annotations

from dataclasses import dataclass

from evenkeel.reference.switches.switch import switch


@dataclass(frozen=True, kw_only=True)
class OwnershipSwitches:
    """Where the documents and the shipped code disagree about ownership."""

    locks_outlive_session: bool = switch(
        "A broker goes on serving after its session has ended, until a re-validation in a later "
        "session finds its node taken.",
        "ResourceLockImpl.silentRevalidateOnce, LockManagerImpl.handleSessionEvent 4.0.8 "
        "(facts F22)",
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
        "OwnershipCache.removeOwnership, invalidateLocalOwnerCache 4.0.8 (facts F23, PR 26197)",
    )
    locks_adopted_are_blind: bool = switch(
        "A lock that adopts a node which its own session had made already stays in its first "
        "state, in which it is never re-validated: its loss goes unnoticed.",
        "ResourceLockImpl.revalidate 4.0.8",
    )
    locks_revive: bool = switch(
        "A re-validation that is under way goes on after the lock was released or lost, and makes "
        "it valid again.",
        "ResourceLockImpl.acquireWithNoRevalidation 4.0.8",
    )
    locks_answered_from_cache: bool = switch(
        "A lookup is answered from the broker's cache of nodes, which lags behind the store.",
        "LockManagerImpl.readLock, MetadataCacheImpl 4.0.8",
    )
    locks_join_readers: bool = switch(
        "A lookup that is to assign a bundle joins a read-only one that is under way, and is "
        "answered that nobody owns it.",
        "NamespaceService.findBrokerServiceUrl 4.0.8",
    )
    locks_taken_while_stopping: bool = switch(
        "A broker that is stopping still acquires what an authoritative lookup asks it for.",
        "NamespaceService.searchForCandidateBroker 4.0.8 (defect OW10)",
    )
