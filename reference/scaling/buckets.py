"""Entry buckets: consumers that share a segment by them, and when it gets more (SCA-44 to SCA-48).

Only the numbers of buckets matter to a decision: who shares a segment is not said here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from evenkeel.reference.scaling.layout import Segment
from evenkeel.reference.scaling.settings import BucketRules
from evenkeel_engine.frame.clauses import states

ONE_EACH: Final = BucketRules(max_buckets=1, split_floor=0.0)
"""As if there were no entry buckets."""


@dataclass(frozen=True, slots=True)
class Buckets:
    """The entry buckets of segments, by number, where it is not one; how many consumers each
    subscription has whose consumers can share a segment; when buckets were added last (ms).
    """

    rules: BucketRules = ONE_EACH
    counts: Mapping[int, int] = field(default_factory=dict)
    sharing: tuple[int, ...] = ()
    last_rebucket: int | None = None

    def of(self, segments: Sequence[Segment]) -> int:
        """How many consumers these segments have room for."""
        return sum(self.counts.get(one.number, 1) for one in segments)


@states("SCA-48")
def target(consumers: int, segments: int, rules: BucketRules) -> int:
    """How many buckets a segment is to have: a power of two that is enough, up to the maximum."""
    each = -(-consumers // segments)
    return min(1 << (each - 1).bit_length(), rules.max_buckets)


@states("SCA-44")
def leaves_room(
    buckets: Buckets, live: Sequence[Segment], pair: Sequence[Segment], consumers: int
) -> bool:
    """Whether the merge of a pair takes no room that consumers have now."""
    total, both = buckets.of(live), buckets.of(pair)
    left = total - both + min(both, buckets.rules.max_buckets)
    return left >= min(consumers, total)
