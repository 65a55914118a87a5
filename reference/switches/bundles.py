"""Switches of the chapter bundles."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from evenkeel_engine.frame.switch import switch


class LegacyNames(Enum):
    """What becomes of `domain://tenant/cluster/namespace/topic`, the names of Pulsar 1."""

    OPEN = "open"
    ACCEPTED = "accepted"
    REFUSED = "refused"


@dataclass(frozen=True, kw_only=True)
class BundlesSwitches:
    """Where the documents and the shipped code disagree about bundles."""

    legacy_topic_names: LegacyNames = switch(
        "Names with a cluster part, of which the documents say nothing.",
        "TopicName.java 4.0.8, 4.2.4 (PIP-457)",
        promised=LegacyNames.OPEN,
        released=LegacyNames.ACCEPTED,
    )
    short_names_skip_empty_pieces: bool = switch(
        "In a short topic name empty pieces do not count: `x/` is `x`.",
        "TopicName.java 4.0.8 (StringUtils.split)",
        promised=True,
    )
    domain_kept_as_written: bool = switch(
        "A complete topic name, which is hashed, keeps its domain as it was written, in capitals, "
        "too.",
        "TopicName.java 4.2.4",
        released=False,
    )
    blank_topic_names: bool = switch(
        "A topic's own name may consist of white space.",
        "TopicName.java 3.0.7 (#23691)",
        released=False,
    )
    unicode_partition_digits: bool = switch(
        "A partition number may be written in any script's decimal digits.",
        "TopicName.getPartitionIndex 4.0.8 (Integer.parseInt)",
    )
    lenient_range_texts: bool = switch(
        "A range text may have further pieces after the second, may lie outside the hash space, "
        "and breaks the parser when a piece is missing at its end.",
        "NamespaceBundleFactory.getBundle 4.0.8",
    )
    first_boundary_unchecked: bool = switch(
        "A list of boundaries need not start at 0; hashes below its start have no bundle.",
        "NamespaceBundles constructor 4.0.8",
    )
    last_hash_breaks: bool = switch(
        "Looking up hash 0xffffffff, or a range that starts there, runs past the last bundle.",
        "NamespaceBundles.getBundle, validateBundle 4.0.8",
    )
    boundaries_need_count: bool = switch(
        "Explicit boundaries are ignored, and the default division used, without a count above 0.",
        "NamespacesBase.validatePoliciesAsync 4.0.8",
    )
    boundary_texts_sorted_as_text: bool = switch(
        "Explicit boundaries are put in order as text, so that one above 0xffffffff can pass.",
        "NamespacesBase.validateBundlesData 4.0.8",
    )
