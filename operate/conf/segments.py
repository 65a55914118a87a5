"""What a broker.conf can say wrong about the segments of scalable topics (chapter scaling)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any, Final

from evenkeel.operate.conf.conf import Conf
from evenkeel.operate.conf.trials import Json, pick_settings
from evenkeel.properties.scaling.loop import MOST_MINUTES
from evenkeel.reference.scaling.layout import HASHES
from evenkeel.reference.scaling.settings import BucketRules, ScaleRules

MEASURES: Final = {
    "MsgRateIn": (0, 0),
    "BytesRateIn": (2**20, 0),
    "MsgRateOut": (0, 1000),
    "BytesRateOut": (2**20, 1000),
}
"""What a threshold is about, and the bytes of a message and the subscriptions that each get it
with which a topic reaches this threshold long before the others.
"""
FLOOR: Final = "scalableTopicSplitVsRebucketMinMsgRateInThreshold"
BUDGET: Final = "scalableTopicEntryBucketBudget"
LEAST: Final = "scalableTopicMinSegments"
MOST: Final = "scalableTopicMaxSegments"
MOST_BUCKETS: Final = "scalableTopicEntryBucketMaxPerSegment"
RULES, BUCKETS = (
    tuple(one.metadata["key"] for one in fields(kind)) for kind in (ScaleRules, BucketRules)
)
"""The settings by which segments are split and merged; those of entry buckets, since 5.0.1."""
ROUNDS: Final = 3
"""Of a split and a merge, for which a trial has time."""


def pair_thresholds(conf: Conf) -> Iterator[tuple[str, float, float]]:
    """What each pair of thresholds is about, above what is split and below what is merged."""
    for measure in MEASURES:
        both = (f"scalableTopic{way}{measure}Threshold" for way in ("Split", "Merge"))
        split, merge = (conf.number(key) for key in both)
        yield measure, split, merge


def read_floor(conf: Conf) -> float:
    """Messages a second from which on a segment is split for consumers; 5.0.0-M1 has no such."""
    return conf.number(FLOOR) if FLOOR in conf.defaults else 0.0


def scales(conf: Conf) -> bool:
    """Whether topics are split and merged at all."""
    return conf.flag("scalableTopicAutoScaleEnabled")


def explain_refusal(conf: Conf) -> str:
    """A controller does not accept the settings: nothing is ever split or merged."""
    if not scales(conf):
        return ""
    wrong = list(out_of_bounds(conf))
    wrong += [
        f"scalableTopicSplit{measure}Threshold is not above that of merges"
        for measure, split, merge in pair_thresholds(conf)
        if split <= merge
    ]
    if conf.whole(LEAST) > conf.whole(MOST):
        wrong.append(f"{LEAST} is above {MOST}")
    return f"{'; '.join(wrong)}: no topic is split or merged" if wrong else ""


def out_of_bounds(conf: Conf) -> Iterator[str]:
    """The settings that are too small, and too many buckets: other maxima are the trials'."""
    for one in (*fields(ScaleRules), *fields(BucketRules)):
        key, bounds = one.metadata["key"], one.metadata["bounds"]
        if bounds is None or key not in conf.defaults:
            continue
        if conf.number(key) < bounds[0]:
            yield f"{key} is below {bounds[0]:g}"
        elif key == MOST_BUCKETS and conf.number(key) > bounds[1]:
            yield f"{key} is above {bounds[1]}"


def find_undone(conf: Conf) -> tuple[str, float, float] | None:
    """The first measure of which two segments that are merged can exceed what is split."""
    if not scales(conf) or explain_refusal(conf):
        return None
    return next((one for one in pair_thresholds(conf) if one[1] < 2 * one[2]), None)


def merges_undone(conf: Conf) -> str:
    """Two halves are cold, and together hot."""
    if (found := find_undone(conf)) is None:
        return ""
    measure, split, merge = found
    return (
        f"a segment with more than {split:,.0f} and less than {2 * merge:,.0f} of {measure} is "
        "split, its halves are merged, and so on: a threshold of splits must be twice that of "
        "merges"
    )


def undone_trial(conf: Conf) -> Json:
    """Such segments, and nothing else that would move them."""
    measure, split, merge = find_undone(conf) or next(pair_thresholds(conf))
    size, readers = MEASURES[measure]
    rate = (split + 2 * merge) / 2 * conf.whole(LEAST)
    return build_topic_trial(conf, rate / (max(size, 1) * max(readers, 1)), 0, size, readers)


def consumers_undone(conf: Conf) -> str:
    """Consumers get a segment each by a split, which a merge takes back."""
    if (
        not scales(conf)
        or explain_refusal(conf)
        or read_floor(conf) >= (below := compute_cold_rate(conf))
    ):
        return ""
    mend = f"; {FLOOR}={below:g} ends it" if FLOOR in conf.defaults else ""
    return (
        f"a topic with {read_floor(conf):,.0f} to {below:,.0f} msg/s and more stream consumers "
        f"than segments is split for them, merged, and so on{mend}"
    )


def compute_cold_rate(conf: Conf) -> float:
    """Messages a second below which two halves of a segment are merged."""
    return 2 * next(merge for _, _, merge in pair_thresholds(conf))


def consumers_trial(conf: Conf) -> Json:
    """One more consumer than segments."""
    count = conf.whole(LEAST)
    return build_topic_trial(
        conf, max((read_floor(conf) + compute_cold_rate(conf)) / 2, 1.0) * count, count + 1, 0, 0
    )


def build_topic_trial(
    conf: Conf, rate: float, consumers: int, message_bytes: int, fan_out: int
) -> Json:
    """A topic at a constant load, for long enough for some rounds."""
    buckets = pick_settings(conf, *BUCKETS)
    config = pick_settings(conf, *RULES)
    pauses = sum(config[key] for key in config if key.endswith("Seconds"))
    minutes = min(ROUNDS * (pauses // 60 + 2) + conf.whole(LEAST) * 2, MOST_MINUTES)
    entry = {"config": buckets, "budget": conf.whole(BUDGET) if buckets else 1, "sharing": [True]}
    return {
        "config": config,
        "reporting": {},
        "count": conf.whole(LEAST),
        "phases": [
            {
                "minutes": minutes,
                "loads": [{"start": 0, "end": HASHES - 1, "rate": rate}],
                "consumers": [consumers] if consumers else [],
            }
        ],
        "message_bytes": message_bytes,
        "fan_out": fan_out,
        "lag": 10_000,
        "leaders": [],
        "entry": entry if buckets else None,
    }


def flips(seen: Any, conf: Conf) -> bool:
    """Something is merged, and split again."""
    kinds = [action.split is not None for action in seen.actions]
    return False in kinds and True in kinds[kinds.index(False) :]
