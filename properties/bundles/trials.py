"""Trials and answers of the chapter *bundles* (spec/bundles.md).

Each trial type is one question. A trial is immutable, carries everything a subject needs, and
has a lossless JSON form (`properties.codec`): field names are the JSON names.
"""

from __future__ import annotations

from dataclasses import dataclass

from evenkeel.properties.observations import Span
from evenkeel.properties.trial import require
from evenkeel.reference.bundles.boundaries import check_boundaries
from evenkeel.reference.bundles.ranges import TOP_HASH
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.errors import Refusal


def require_boundaries(boundaries: tuple[int, ...]) -> None:
    """A namespace's boundaries in a trial must be legal (clause BUN-10)."""
    try:
        check_boundaries(boundaries, DOCUMENTED)
    except Refusal as refusal:
        require(False, "boundaries", str(refusal))


@dataclass(frozen=True, slots=True)
class TopicTrial:
    """`bundles.topic`: what does this text name, and what is its hash?"""

    text: str

    def __post_init__(self) -> None:
        require(self.text.isprintable() or "\ufffd" not in self.text, "text", "must be plain text")
        require(
            not any(0xD800 <= ord(c) <= 0xDFFF for c in self.text),
            "text",
            "must not hold lone surrogates, which have no UTF-8 form",
        )


@dataclass(frozen=True, slots=True)
class TopicAnswer:
    """The complete name, its pieces, and the 32-bit hash of the complete name.

    `namespace` is `tenant/namespace`; `base_name` is the complete name without the partition
    suffix; `partition` is null for a topic that is not a partition.
    """

    name: str
    domain: str
    namespace: str
    local_name: str
    base_name: str
    partition: int | None
    hash: int


@dataclass(frozen=True, slots=True)
class RangeTrial:
    """`bundles.range`: which hash range does this text name?"""

    text: str


@dataclass(frozen=True, slots=True)
class RangeAnswer:
    """The range, and its canonical name `0x%08x_0x%08x`."""

    range: Span
    name: str


@dataclass(frozen=True, slots=True)
class BoundariesTrial:
    """`bundles.boundaries`: which bundles does this list of boundaries make? It may be illegal."""

    boundaries: tuple[int, ...]

    def __post_init__(self) -> None:
        require(
            all(-(2**63) <= b < 2**63 for b in self.boundaries),
            "boundaries",
            "must be 64-bit integers",
        )


@dataclass(frozen=True, slots=True)
class BoundariesAnswer:
    """The bundles in ascending order."""

    bundles: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class CreationTrial:
    """`bundles.creation`: a namespace is created; which boundaries does it get?

    `count` is the requested number of bundles (0: not given), `boundaries` the explicit boundary
    texts or null, `default_count` the broker's `defaultNumberOfNamespaceBundles`.
    """

    count: int
    boundaries: tuple[str, ...] | None
    default_count: int

    def __post_init__(self) -> None:
        require(-(2**31) <= self.count < 2**31, "count", "must be a 32-bit integer")
        require(self.count <= 2**16, "count", "above 65536 makes an answer too large to send")
        require(1 <= self.default_count <= 2**16, "default_count", "must be 1 to 65536")


@dataclass(frozen=True, slots=True)
class CreationAnswer:
    """The stored boundaries, in stored order."""

    boundaries: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class HashLookupTrial:
    """`bundles.hash_lookup`: which bundle of these boundaries holds this hash?"""

    boundaries: tuple[int, ...]
    hash: int

    def __post_init__(self) -> None:
        require_boundaries(self.boundaries)
        require(0 <= self.hash <= TOP_HASH, "hash", "must be 0 to 0xffffffff")


@dataclass(frozen=True, slots=True)
class LookupAnswer:
    """The one bundle found."""

    bundle: Span


@dataclass(frozen=True, slots=True)
class TopicLookupTrial:
    """`bundles.topic_lookup`: which bundle of `namespace` serves the topic with this full name?

    The topic may belong to another namespace, which must be refused.
    """

    namespace: str
    boundaries: tuple[int, ...]
    topic: str

    def __post_init__(self) -> None:
        require_boundaries(self.boundaries)


@dataclass(frozen=True, slots=True)
class TopicLookupAnswer:
    """The bundle that the lookup names, and every bundle that says it includes the topic."""

    bundle: Span
    holders: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class MembershipTrial:
    """`bundles.membership`: is the range from `lower` to `upper` a bundle of these boundaries?

    `upper` is included exactly if it is 0xffffffff.
    """

    boundaries: tuple[int, ...]
    lower: int
    upper: int

    def __post_init__(self) -> None:
        require_boundaries(self.boundaries)
        legal = 0 <= self.lower < self.upper <= TOP_HASH
        one_point = self.lower == self.upper == TOP_HASH
        require(legal or one_point, "lower", "must be below upper, both 0 to 0xffffffff")


@dataclass(frozen=True, slots=True)
class MembershipAnswer:
    """The bundle that was recognised. A range that is no bundle is to be refused."""

    bundle: Span
