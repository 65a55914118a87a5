"""throttling.default, .averages, .entries_for_bytes, .read_limits, .policy.

Followed: document 004, "Throttling approaches", "Throttling configurations", "Limitations".
"""

from __future__ import annotations

from fractions import Fraction

from examples.from_documents.owning.interpretations import Interpretations
from examples.from_documents.owning.wire import Json, Skip, refuse

# Document 004, "Throttling configurations", the column of default values.
DEFAULTS = {
    "dispatchThrottlingRateInMsg": "-1",
    "dispatchThrottlingRateInByte": "-1",
    "dispatchThrottlingRatePerTopicInMsg": "-1",
    "dispatchThrottlingRatePerTopicInByte": "-1",
    "dispatchThrottlingRatePerSubscriptionInMsg": "-1",
    "dispatchThrottlingRatePerSubscriptionInByte": "-1",
    "ratePeriodInSecond": "1",
    "preciseDispatcherFlowControl": "false",
    "dispatchThrottlingOnBatchMessageEnabled": "false",
    "dispatchThrottlingOnNonBacklogConsumerEnabled": "true",
    "dispatcherMaxReadBatchSize": "100",
}

LEVELS = ("broker", "topic", "subscription")


def default(_interpretations: Interpretations, trial: Json) -> Json:
    """The answer to throttling.default."""
    value = DEFAULTS.get(trial["key"])
    if value is None:
        raise Skip("no document names the default")
    return {"value": value}


def round_amount(value: Fraction, how: str) -> int:
    """A whole number, up, down or the nearest."""
    if how == "up":
        return -(-value.numerator // value.denominator)
    if how == "down":
        return value.numerator // value.denominator
    return (2 * value.numerator + value.denominator) // (2 * value.denominator)


def averages(interpretations: Interpretations, trial: Json) -> Json:
    """The answer to throttling.averages: over all sends, or weighted to the recent ones."""
    shown = []
    messages = entries = 0
    average: Fraction | None = None
    for send in trial["sends"]:
        messages += int(send["messages"])
        entries += int(send["entries"])
        now = Fraction(int(send["messages"]), int(send["entries"]))
        if interpretations.averages_fade and average is not None:
            average = average * Fraction(9, 10) + now * Fraction(1, 10)
        else:
            average = now if interpretations.averages_fade else Fraction(messages, entries)
        shown.append(round_amount(average, interpretations.average_rounding))
    return {"averages": shown}


def entries_for_bytes(interpretations: Interpretations, trial: Json) -> Json:
    """The answer to throttling.entries_for_bytes ("Limitations", 1a)."""
    most = int(trial["max_entries"])
    size = int(trial["max_bytes"])
    if size < 0:
        return {"entries": most}
    average = trial["publish_size"]
    if average is None:
        average = trial["dispatch_size"]
    if average is None:
        return {"entries": 1}
    fits = round_amount(Fraction(size, int(average)), interpretations.entries_rounding)
    return {"entries": max(1, min(most, fits))}


def read_size(
    interpretations: Interpretations,
    settings: Json,
    permits: int,
    average: int,
    messages: list[int],
) -> int:
    """The number of entries of a read, by what is left of the limited message quotas."""
    most = int(settings["dispatcherMaxReadBatchSize"])
    counts_entries = bool(settings["dispatchThrottlingOnBatchMessageEnabled"])
    if settings["preciseDispatcherFlowControl"] and average > 0:
        entries = min(most, -(-permits // average))
        for left in messages:
            share = round_amount(Fraction(left, average), interpretations.precise_rounding)
            share = left if counts_entries else share
            entries = min(entries, share)
    else:
        entries = min(most, permits, *messages) if messages else min(most, permits)
    return max(1, entries)


def read_limits(interpretations: Interpretations, trial: Json) -> Json:
    """The answer to throttling.read_limits."""
    throttled = trial["dispatchThrottlingOnNonBacklogConsumerEnabled"] or not trial["cursor_active"]
    messages: list[int] = []
    size = int(trial["dispatcherMaxReadSizeBytes"])
    for level in LEVELS:
        limits = trial[level]
        if limits is None or not throttled:
            continue
        if int(limits["messages"]) == 0 or int(limits["bytes"]) == 0:
            waits = trial["replay_outstanding"] and interpretations.replay_looks_again
            return {
                "entries": -1,
                "bytes": -1,
                "reread": None if waits else interpretations.reread_after,
            }
        if int(limits["messages"]) > 0:
            messages.append(int(limits["messages"]))
        if int(limits["bytes"]) > 0:
            size = min(size, int(limits["bytes"]))
    average = int(trial["average_messages"])
    entries = read_size(interpretations, trial, int(trial["permits"]), average, messages)
    if not trial["writable"] and interpretations.reads_little_if_not_writable:
        entries = 1
    return {"entries": entries, "bytes": size, "reread": None}


def limit(value: int) -> int:
    """The limit in force."""
    return value if value > 0 else -1


def in_force(config: Json, policies: list[Json | None]) -> Json:
    """The first policy that is set, or else the broker's configuration."""
    for policy in policies:
        if policy is not None:
            config = policy
            break
    return {"messages": limit(int(config["messages"])), "bytes": limit(int(config["bytes"]))}


def policy(_interpretations: Interpretations, trial: Json) -> Json:
    """The answer to throttling.policy ("topic policies" > "namespace policies" > "broker …")."""
    config = trial["start"]
    namespace: dict[str, Json | None] = {}
    topic: dict[str, Json | None] = {}
    subscribed = False
    results: list[Json] = []
    for command in trial["commands"]:
        what = command["do"]
        if what in ("set_namespace", "set_topic") and command["level"] == "broker":
            results.append(refuse("NotApplicable"))
            continue
        if what == "set_broker":
            config = command["config"]
        elif what == "subscribe":
            subscribed = True
        else:
            (topic if what == "set_topic" else namespace)[command["level"]] = command["rate"]
        answer: Json = {"do": "in_force"}
        for level in LEVELS:
            policies = [topic.get(level), namespace.get(level)]
            answer[level] = in_force(config[level], policies)
        if not subscribed:
            answer["subscription"] = {"messages": -1, "bytes": -1}
        results.append(answer)
    return {"results": results}
