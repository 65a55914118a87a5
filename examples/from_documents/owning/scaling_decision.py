"""scaling.decision, .report: when segments are split and merged, and when their load is written.

Followed: chapter scaling, by its quotations of PIP-483, "The decision: AutoScalePolicyEvaluator",
"Caps", "Load reporting: push-to-metadata, not pull-per-tick".
"""

from __future__ import annotations

from itertools import pairwise

from examples.from_documents.owning.interpretations import Interpretations
from examples.from_documents.owning.scaling_layout import Segment, Topic
from examples.from_documents.owning.wire import Json, Refusal

RATES = ("msg_rate_in", "throughput_in", "msg_rate_out", "throughput_out")
KEYS = ("MsgRateIn", "BytesRateIn", "MsgRateOut", "BytesRateOut")
IDLE = dict.fromkeys(RATES, 0.0)


class Evaluation:
    """What one evaluation goes by."""

    def __init__(self, interpretations: Interpretations, trial: Json) -> None:
        self.interpretations = interpretations
        self.config, self.now = trial["config"], int(trial["now"])
        self.topic = Topic(interpretations, {**trial, "budget": 1, "max_buckets": 1})
        for command in trial["history"]:
            self.topic.must_do(command)
        live = [segment for segment in self.topic.segments.values() if not segment.sealed]
        self.live = sorted(live, key=lambda segment: segment.start)
        self.depths = self.topic.depths()
        self.reports = {report["segment"]: report for report in trial["reports"]}
        self.required = max(trial["consumers"], default=0)

    def limits(self, action: str) -> list[float]:
        """The four thresholds of `Split` or `Merge`, in the order of the rates."""
        return [float(self.config[f"scalableTopic{action}{key}Threshold"]) for key in KEYS]

    def rates(self, segment: Segment) -> list[float]:
        """What was last written of a segment; nothing is no load."""
        report = self.reports.get(segment.number)
        rates = report["rates"] if report else IDLE
        return [float(rates[name]) for name in RATES]

    def cools(self, action: str, last: int | None) -> bool:
        """Whether the cool-down after the last action of this kind is not over."""
        seconds = int(self.config[f"scalableTopic{action}CooldownSeconds"])
        return last is not None and self.now - last < seconds * 1000

    def to_split(self) -> Segment | None:
        """For consumers the busiest segment, else the most overloaded one above a threshold."""
        divisible = [segment for segment in self.live if segment.end > segment.start]
        if self.required > len(self.live):
            return max(divisible, key=lambda segment: self.rates(segment)[0], default=None)
        limits = self.limits("Split")
        hot = [
            s for s in divisible if any(r > t for r, t in zip(self.rates(s), limits, strict=True))
        ]
        return max(hot, key=self.overload, default=None)

    def overload(self, segment: Segment) -> float:
        """PIP-483 does not say what "most-overloaded" is measured by."""
        pairs = zip(self.rates(segment), self.limits("Split"), strict=True)
        ratios = [rate / limit if limit else rate for rate, limit in pairs]
        return sum(ratios) if self.interpretations.overload_adds_up else max(ratios)

    def is_cold(self, segment: Segment) -> bool:
        """Below all thresholds for merges for as long as the window, and mergeable at all."""
        if self.depths[segment.number] >= int(self.config["scalableTopicMaxDagDepth"]):
            return False
        report = self.reports.get(segment.number)
        if report is None:
            return self.interpretations.unreported_is_cold
        window = int(self.config["scalableTopicMergeWindowSeconds"]) * 1000
        below = zip(self.rates(segment), self.limits("Merge"), strict=True)
        return self.now - int(report["written"]) >= window and all(r < t for r, t in below)

    def splits_again(self, one: Segment, other: Segment) -> bool:
        """Whether what two become would have to be split for load or consumers."""
        sums = [a + b for a, b in zip(self.rates(one), self.rates(other), strict=True)]
        hot = any(rate > limit for rate, limit in zip(sums, self.limits("Split"), strict=True))
        return hot or self.required > len(self.live) - 1

    def to_merge(self) -> list[int]:
        """The coldest of the neighbours that are cold."""
        pairs = [(a, b) for a, b in pairwise(self.live) if self.is_cold(a) and self.is_cold(b)]
        if not self.interpretations.merges_what_splits_again:
            pairs = [pair for pair in pairs if not self.splits_again(*pair)]
        if not pairs:
            return []
        return [segment.number for segment in min(pairs, key=lambda pair: self.warmth(*pair))]

    def warmth(self, one: Segment, other: Segment) -> float:
        """PIP-483 says "combined rate": of messages in, or of all, each as a share of its limit."""
        sums = [a + b for a, b in zip(self.rates(one), self.rates(other), strict=True)]
        if self.interpretations.coldest_by_messages:
            return sums[0] + sums[2]
        return sum(r / t if t else r for r, t in zip(sums, self.limits("Merge"), strict=True))


def decision(interpretations: Interpretations, trial: Json) -> Json:
    """The answer to scaling.decision; of what contradicts itself, the page of administrators."""
    answer: Json = {"split": None, "merge": [], "rebucket": [], "buckets": 0}
    at = Evaluation(interpretations, trial)
    count, config = len(at.live), at.config
    if not config["scalableTopicAutoScaleEnabled"] or not fits(config):
        return answer
    if count < config["scalableTopicMaxSegments"] and not at.cools("Split", trial["last_split"]):
        split = at.to_split()
        if split is not None:
            return {**answer, "split": split.number}
    if count > config["scalableTopicMinSegments"] and not at.cools("Merge", trial["last_merge"]):
        return {**answer, "merge": at.to_merge()}
    return answer


POLICY = {
    "enabled": "AutoScaleEnabled",
    "max_segments": "MaxSegments",
    "min_segments": "MinSegments",
    "max_depth": "MaxDagDepth",
    "split_cooldown": "SplitCooldownSeconds",
    "merge_cooldown": "MergeCooldownSeconds",
    "merge_window": "MergeWindowSeconds",
    "split_floor": "SplitVsRebucketMinMsgRateInThreshold",
    "rebucket_cooldown": "RebucketCooldownSeconds",
    **{
        f"{action}_{unit}_{way}": f"{action.title()}{key}Rate{way.title()}Threshold"
        for action in ("split", "merge")
        for unit, key in (("msg", "Msg"), ("bytes", "Bytes"))
        for way in ("in", "out")
    },
}
"""Of each setting of a namespace or topic the end of its key."""


def policy(_interpretations: Interpretations, trial: Json) -> Json:
    """The answer to scaling.policy: PIP-483, "most-specific-wins"; the page of administrators,
    "The effective combination must have positive split thresholds above their matching merge
    thresholds, non-negative cooldowns, and minSegments <= maxSegments."
    """
    config, buckets = dict(trial["config"]), dict(trial.get("buckets") or {})
    for level in (trial["namespace"], trial["topic"]):
        for name, value in level.items():
            key = f"scalableTopic{POLICY[name]}"
            for settings in (config, buckets):
                if value is not None and key in settings:
                    settings[key] = value
    if not fits(config | buckets):
        raise Refusal("Invalid", "the settings contradict themselves")
    return {"config": config, "buckets": buckets or None}


def fits(settings: Json) -> bool:
    """Whether the settings are an effective combination that is valid."""
    every = {key.removeprefix("scalableTopic"): value for key, value in settings.items()}
    apart = (every[f"Split{key}Threshold"] > max(every[f"Merge{key}Threshold"], 0) for key in KEYS)
    cooldowns = (value for key, value in every.items() if key.endswith("CooldownSeconds"))
    return min(cooldowns) >= 0 and every["MinSegments"] <= every["MaxSegments"] and all(apart)


def report(_interpretations: Interpretations, trial: Json) -> Json:
    """The answer to scaling.report."""
    threshold = float(trial["config"]["scalableTopicLoadReportRateChangeThreshold"])
    last, written = trial["stored"], []
    for sample in trial["samples"]:
        changed = last is None or any(
            abs(float(sample[name]) - float(last[name])) > threshold * float(last[name])
            for name in RATES
        )
        written.append(changed)
        last = sample if changed else last
    return {"written": written}
