"""The settings of automatic splits and merges: key, default, unit and bounds, each in one place.

Keys and defaults are those of 5.0.0-M1 (`ServiceConfiguration`), which are those of PIP-483; of
entry buckets those of 5.0.1.
"""

from __future__ import annotations

from dataclasses import dataclass

from evenkeel_engine.frame.settings import setting

SECONDS = (0, 1_000_000)
COUNT = (0, 1_000_000)
SEGMENTS = (1, 65536)
LIMIT = (0.0, 2.0**53)


@dataclass(frozen=True, slots=True)
class Rates:
    """What goes through a segment, in and out: messages in msg/s, throughput in bytes/s."""

    msg_rate_in: float = 0.0
    throughput_in: float = 0.0
    msg_rate_out: float = 0.0
    throughput_out: float = 0.0

    @property
    def each(self) -> tuple[float, float, float, float]:
        """The four rates, in this order."""
        return self.msg_rate_in, self.throughput_in, self.msg_rate_out, self.throughput_out

    def __add__(self, other: Rates) -> Rates:
        return Rates(*(one + two for one, two in zip(self.each, other.each, strict=True)))


@dataclass(frozen=True, slots=True)
class ScaleRules:
    """When a topic is split and merged: seconds, msg/s, bytes/s."""

    enabled: bool = setting("scalableTopicAutoScaleEnabled", True, "")
    max_segments: int = setting("scalableTopicMaxSegments", 64, "segments", SEGMENTS)
    min_segments: int = setting("scalableTopicMinSegments", 1, "segments", SEGMENTS)
    max_depth: int = setting("scalableTopicMaxDagDepth", 10, "merges", COUNT)
    split_cooldown: int = setting("scalableTopicSplitCooldownSeconds", 60, "s", SECONDS)
    merge_cooldown: int = setting("scalableTopicMergeCooldownSeconds", 300, "s", SECONDS)
    merge_window: int = setting("scalableTopicMergeWindowSeconds", 300, "s", SECONDS)
    split_msg_in: float = setting("scalableTopicSplitMsgRateInThreshold", 10_000.0, "msg/s", LIMIT)
    split_bytes_in: int = setting(
        "scalableTopicSplitBytesRateInThreshold", 50_000_000, "bytes/s", LIMIT
    )
    split_msg_out: float = setting(
        "scalableTopicSplitMsgRateOutThreshold", 50_000.0, "msg/s", LIMIT
    )
    split_bytes_out: int = setting(
        "scalableTopicSplitBytesRateOutThreshold", 250_000_000, "bytes/s", LIMIT
    )
    merge_msg_in: float = setting("scalableTopicMergeMsgRateInThreshold", 1_000.0, "msg/s", LIMIT)
    merge_bytes_in: int = setting(
        "scalableTopicMergeBytesRateInThreshold", 5_000_000, "bytes/s", LIMIT
    )
    merge_msg_out: float = setting("scalableTopicMergeMsgRateOutThreshold", 5_000.0, "msg/s", LIMIT)
    merge_bytes_out: int = setting(
        "scalableTopicMergeBytesRateOutThreshold", 25_000_000, "bytes/s", LIMIT
    )

    @property
    def split_above(self) -> tuple[float, float, float, float]:
        """Above one of these a segment is to be split, in the order of `Rates.each`."""
        return self.split_msg_in, self.split_bytes_in, self.split_msg_out, self.split_bytes_out

    @property
    def merge_below(self) -> tuple[float, float, float, float]:
        """Below all of these a segment is cold, in the order of `Rates.each`."""
        return self.merge_msg_in, self.merge_bytes_in, self.merge_msg_out, self.merge_bytes_out


@dataclass(frozen=True, slots=True)
class BucketRules:
    """When segments get more entry buckets in place of a split (PIP-486): defaults of 5.0.1."""

    max_buckets: int = setting("scalableTopicEntryBucketMaxPerSegment", 1024, "buckets", (1, 65536))
    split_floor: float = setting(
        "scalableTopicSplitVsRebucketMinMsgRateInThreshold", 1_000.0, "msg/s", LIMIT
    )
    rebucket_cooldown: int = setting("scalableTopicRebucketCooldownSeconds", 60, "s", SECONDS)


@dataclass(frozen=True, slots=True)
class NewTopicRules:
    """How many entry buckets a new topic has: default of 5.0.1, which is that of PIP-486."""

    budget: int = setting("scalableTopicEntryBucketBudget", 4, "buckets", (1, 65536))


@dataclass(frozen=True, slots=True)
class ReportRules:
    """When a segment's owner writes its load again."""

    rate_change: float = setting(
        "scalableTopicLoadReportRateChangeThreshold", 0.25, "share", (0.0, 1000.0)
    )
