"""Switches of the chapter ownership."""

from __future__ import annotations

from dataclasses import dataclass

from evenkeel.reference.switches.switch import switch


@dataclass(frozen=True, kw_only=True)
class OwnershipSwitches:
    """Where the documents and the shipped code disagree about ownership."""

    ownerless_records_break: bool = switch(
        "Comparing the owner of an owned bundle whose record names none fails.",
        "ServiceUnitStateDataConflictResolver 4.0.8 (facts 2.2.3)",
    )
    tombstones_unconditional: bool = switch(
        "A removal takes away whatever record is there, not only the one it was meant for.",
        "ServiceUnitStateDataConflictResolver, MetadataStoreTableViewImpl.delete 4.0.8 (facts F16)",
    )
    any_key_in_channel: bool = switch(
        "Records of bundles that are not in their namespace, a divided parent among them, are "
        "accepted.",
        "ServiceUnitStateChannelImpl 4.0.8 (facts F14, F17)",
    )
    unregistered_brokers_own: bool = switch(
        "A broker that has lost its session goes on serving its bundles, for good with a topic, "
        "until it has closed them with nodes.",
        "ServiceUnitStateChannelImpl 4.0.8",
    )
    closes_only_when_named: bool = switch(
        "A broker closes a bundle's topics only when a record names it as the source.",
        "ServiceUnitStateChannelImpl.handleOwnEvent, handleReleaseEvent, handleFreeEvent 4.0.8",
    )
    living_sources_overtaken: bool = switch(
        "What has been in flight too long is given to another broker although the source lives "
        "and still serves.",
        "ServiceUnitStateChannelImpl.overrideOwnership 4.0.8",
    )
    store_views_not_flushed: bool = switch(
        "With nodes, clean-up and monitor work on what the broker happens to have read.",
        "ServiceUnitStateMetadataStoreTableViewImpl.flush 4.0.8 does nothing",
    )
