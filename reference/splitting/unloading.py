"""Whether the children of an automatic split are unloaded (SPL-73, SPL-74)."""

from __future__ import annotations

from collections.abc import Collection

from evenkeel.reference.edition import Edition
from evenkeel.reference.splitting.settings import UnloadRules
from evenkeel_engine.frame.clauses import states


@states("SPL-73", "SPL-74")
def unloads_children(
    extensible: bool, rules: UnloadRules, owner: str, brokers: Collection[str], edition: Edition
) -> bool:
    """Whether the owner of a bundle that is split automatically gives its children up.

    `brokers` may serve the bundle: with no other among them unloading would be for nothing.
    Source: Pulsar `ModularLoadManagerImpl.checkNamespaceBundleSplit` 4.0.8.
    """
    if extensible and edition.extensible_never_unloads:
        return False
    return rules.unload_split and any(broker != owner for broker in brokers)
