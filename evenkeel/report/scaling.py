"""A topic over minutes, on the decision and layout of 5.0.1, under a load that stays."""

from __future__ import annotations

from typing import Any, Final

from evenkeel.harness.cases import Case
from evenkeel.properties.kit.codec import to_json
from evenkeel.reference.scaling.layout import HASHES
from evenkeel.reference.scaling.settings import BucketRules, ScaleRules
from evenkeel.report.loads import settings_of
from evenkeel.report.parts import Method, NotSupported, expected_answer

PACKAGE: Final = "org.apache.pulsar.broker.service.scalable"
IMPORTS: Final = (
    "static org.testng.Assert.assertTrue",
    "java.util.HashMap",
    "java.util.Map",
    "java.util.Set",
    "org.apache.pulsar.broker.ServiceConfiguration",
    "org.apache.pulsar.common.scalable.HashRange",
    "org.apache.pulsar.common.scalable.SegmentInfo",
    "org.apache.pulsar.common.scalable.SegmentLoadStats",
)
MORE_BUCKETS: Final = """\
    } else if (decided instanceof AutoScaleDecision.Rebucket more) {
        for (long segment : more.segmentIds()) {
            layout = layout.rebucketSegment(segment,
                    EntryBucketSplits.equalWidth(more.newBucketCount()), now);
        }
        lastRebucket = now;
"""
REPEATED: Final = ("SCA-39", "SCA-40", "SCA-43")
"""What shows as a layout that comes back."""
HOT: Final = "SCA-42"
"""What shows in a segment that is left too hot."""
ONE_BUCKET: Final = {
    "scalableTopicEntryBucketMaxPerSegment": 1,
    "scalableTopicSplitVsRebucketMinMsgRateInThreshold": 0.0,
}
"""What leaves entry buckets out of the decision."""
SEEN: Final = "Set<Set<HashRange>> seen = new HashSet<>();\nSet<HashRange> last = Set.of();\n"
AGAIN: Final = """\
    Set<HashRange> ranges = new HashSet<>();
    layout.getActiveSegments().values().forEach(segment -> ranges.add(segment.hashRange()));
    assertTrue(ranges.equals(last) || seen.add(ranges), "the segments are again " + ranges);
    last = ranges;
"""
NOT_HOT: Final = """\
for (SegmentInfo segment : layout.getActiveSegments().values()) {
    double messages = load.get(segment.segmentId()).stats().msgRateIn();
    assertTrue(segment.hashRange().size() == 1 || messages <= rules.splitMsgRateIn(),
            segment.hashRange() + " is left with " + messages + " msg/s");
}
"""


def loop(one: Case) -> Method:
    """`scaling.loop`: AutoScalePolicyEvaluator and SegmentLayout, minute by minute. How far an idle
    topic comes down is another matter: it depends on ties, which the classes decide at random.
    """
    answer, trial = expected_answer(one), one.trial
    if answer is None or len(trial["phases"]) != 1 or trial["leaders"]:
        raise NotSupported(f"{one.title}: only one load and one controller can be written so.")
    if one.clause not in (*REPEATED, HOT):
        raise NotSupported(f"{one.title}: only of {', '.join((*REPEATED, HOT))} a topic can be.")
    [phase] = trial["phases"]
    comes_back = one.clause in REPEATED
    more = ("java.util.HashSet",) if comes_back else ()
    begin, end = (SEEN, "") if comes_back else ("", NOT_HOT)
    body = f"{start(trial, phase)}{begin}{minutes(trial, phase, comes_back)}{end}"
    return Method(PACKAGE, (*IMPORTS, *more), body)


def start(trial: dict[str, Any], phase: dict[str, Any]) -> str:
    """Configuration, consumers, and a new topic."""
    usual, entry = to_json(ScaleRules()) | to_json(BucketRules()), trial.get("entry") or {}
    config = {**trial["config"], **entry.get("config", ONE_BUCKET)}
    changed = {key: value for key, value in config.items() if value != usual[key]}
    consumers = ", ".join(f'"sub-{at}", {n}' for at, n in enumerate(phase.get("consumers", ())))
    can = entry.get("sharing", ())
    sharing = ", ".join(f'"sub-{at}"' for at, shares in enumerate(can) if shares)
    return f"""
ServiceConfiguration config = new ServiceConfiguration();
{settings_of(changed)}AutoScaleConfig rules = AutoScaleConfig.fromBrokerConfig(config).validated();
int most = rules.maxEntryBucketsPerSegment();
Map<String, Integer> consumers = Map.of({consumers});
Set<String> sharing = Set.of({sharing});
Map<Long, SegmentLoadSample> load = new HashMap<>();
SegmentLayout layout = SegmentLayout.fromMetadata(ScalableTopicController.createInitialMetadata(
        {trial["count"]}, {entry.get("budget", 1)}, most, Map.of()));
long lastSplit = Long.MIN_VALUE;
long lastMerge = Long.MIN_VALUE;
long lastRebucket = Long.MIN_VALUE;
"""


def minutes(trial: dict[str, Any], phase: dict[str, Any], comes_back: bool) -> str:
    """Each minute: the decision, what it changes, and what owners have written by the next one. A
    load that stays is written once.
    """
    size, copies = trial["message_bytes"], trial["fan_out"]
    return f"""for (long now = 0; now < {phase["minutes"]} * 60_000; now += 60_000) {{
    AutoScaleDecision decided = AutoScalePolicyEvaluator.decide(layout, load, consumers, sharing,
            rules, now, lastSplit, lastMerge, lastRebucket);
    if (decided instanceof AutoScaleDecision.Merge merge) {{
        layout = layout.mergeSegments(merge.segmentId1(), merge.segmentId2(), now, most);
        lastMerge = now;
    }} else if (decided instanceof AutoScaleDecision.Split split
            && layout.getActiveSegments().get(split.segmentId()).hashRange().size() > 1) {{
        layout = layout.splitSegment(split.segmentId(), now);
        lastSplit = now;
{MORE_BUCKETS if trial.get("entry") else ""}    }}
{AGAIN if comes_back else ""}    for (SegmentInfo segment : layout.getActiveSegments().values()) {{
        HashRange range = segment.hashRange();
        double messages = {messages(phase["loads"])};
        load.putIfAbsent(segment.segmentId(), new SegmentLoadSample(new SegmentLoadStats(messages,
                messages * {size}, messages * {copies}, messages * {size * copies}), now + {60_000 - trial["lag"]}));
    }}
}}
"""


def messages(loads: list[dict[str, Any]]) -> str:
    """The messages of a range of hashes, as a Java sum."""
    parts = [f"{load['rate']} / 65536 * {common(load['start'], load['end'])}" for load in loads]
    return "\n                + ".join(parts) or "0"


def common(start: int, end: int) -> str:
    """How many hashes a range has of a load's."""
    if (start, end) == (0, HASHES - 1):
        return "range.size()"
    ends = f"Math.min(range.end(), {end}) - Math.max(range.start(), {start}) + 1"
    return f"Math.max(0, {ends})"
