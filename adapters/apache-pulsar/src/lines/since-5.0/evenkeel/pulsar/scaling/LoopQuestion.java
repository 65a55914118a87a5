package evenkeel.pulsar.scaling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Question;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.pulsar.broker.service.scalable.AutoScaleConfig;
import org.apache.pulsar.broker.service.scalable.AutoScaleDecision;
import org.apache.pulsar.broker.service.scalable.AutoScalePolicyEvaluator;
import org.apache.pulsar.broker.service.scalable.ScalableTopicController;
import org.apache.pulsar.broker.service.scalable.SegmentLayout;
import org.apache.pulsar.broker.service.scalable.SegmentLoadReporter;
import org.apache.pulsar.common.scalable.HashRange;
import org.apache.pulsar.common.scalable.SegmentInfo;
import org.apache.pulsar.common.scalable.SegmentLoadStats;

/**
 * {@code scaling.loop}: {@link AutoScalePolicyEvaluator}, {@link SegmentLayout} and {@link SegmentLoadReporter},
 * minute by minute. The load is computed here, as the wire protocol says. What a new controller takes from the
 * layout is {@link ScalableTopicController}'s private method, told again in {@link #takeOver}.
 */
public final class LoopQuestion implements Question {
    private static final long MINUTE = 60_000;

    private final DecisionQuestion decisions = new DecisionQuestion();
    private JsonNode trial;
    private ToldLoads loads;
    private SegmentLoadReporter reporter;
    private SegmentLayout layout;
    private long lastSplit;
    private long lastMerge;
    private long lastRebucket;
    private int most;

    @Override
    public JsonNode answer(JsonNode asked) {
        trial = asked;
        loads = ToldLoads.create();
        reporter = ReportQuestion.reporter(loads, Json.field(trial, "reporting"));
        JsonNode entry = trial.hasNonNull("entry") ? trial.get("entry") : null;
        most = entry == null ? 1 : Json.small(Json.field(entry, "config"), "scalableTopicEntryBucketMaxPerSegment");
        layout = Layouts.initial(trial, 0, entry == null ? 1 : Json.small(entry, "budget"), most);
        lastSplit = Long.MIN_VALUE;
        lastMerge = Long.MIN_VALUE;
        lastRebucket = Long.MIN_VALUE;
        AutoScaleConfig config = decisions.config(trial);
        long lag = Json.integer(trial, "lag");
        List<Long> leaders = Json.integers(trial, "leaders");
        List<Long> failing = trial.hasNonNull("failing") ? Json.integers(trial, "failing") : List.of();
        List<JsonNode> phases = phases();
        ObjectNode answer = Json.object();
        ArrayNode actions = answer.putArray("actions");
        for (int minute = 0; minute < phases.size(); minute++) {
            long now = minute * MINUTE;
            if (leaders.contains((long) minute)) {
                takeOver();
            }
            if (now >= lag) {
                report(phases.get((int) ((now - lag) / MINUTE)), now - lag);
            }
            if (failing.contains((long) minute)) {
                continue; // the controller logs what was thrown, and waits for the next minute
            }
            AutoScaleDecision decision = Evaluator.decide(trial, layout, loads.samples,
                    DecisionQuestion.consumers(phases.get(minute)), config, now, lastSplit, lastMerge,
                    lastRebucket);
            if (decision instanceof AutoScaleDecision.Split || decision instanceof AutoScaleDecision.Merge
                    || !Evaluator.rebucketed(decision).isEmpty()) {
                actions.add(DecisionQuestion.shown(decision).put("minute", minute));
                carryOut(decision, now);
            }
        }
        return answer;
    }

    private List<JsonNode> phases() {
        List<JsonNode> minutes = new ArrayList<>();
        for (JsonNode phase : Json.list(trial, "phases")) {
            for (int minute = 0; minute < Json.small(phase, "minutes"); minute++) {
                minutes.add(phase);
            }
        }
        return minutes;
    }

    private void takeOver() {
        lastSplit = Long.MIN_VALUE;
        lastMerge = Long.MIN_VALUE;
        lastRebucket = Long.MIN_VALUE;
        for (SegmentInfo segment : layout.getAllSegments().values()) {
            if (segment.parentIds().size() == 1 && layout.getAllSegments().get(segment.parentIds().get(0))
                    .hashRange().equals(segment.hashRange())) {
                lastRebucket = Math.max(lastRebucket, segment.createdAtMs());
            } else if (segment.parentIds().size() == 1) {
                lastSplit = Math.max(lastSplit, segment.createdAtMs());
            } else if (segment.parentIds().size() >= 2) {
                lastMerge = Math.max(lastMerge, segment.createdAtMs());
            }
        }
    }

    private void report(JsonNode phase, long at) {
        loads.now = at;
        for (Map.Entry<Long, SegmentInfo> live : layout.getActiveSegments().entrySet()) {
            if (live.getValue().createdAtMs() <= at) {
                reporter.reportIfChanged(ToldLoads.TOPIC, live.getKey(), load(phase, live.getValue().hashRange()));
            }
        }
    }

    private SegmentLoadStats load(JsonNode phase, HashRange range) {
        double messages = 0;
        for (JsonNode load : Json.list(phase, "loads")) {
            int start = Math.max(Json.small(load, "start"), range.start());
            int end = Math.min(Json.small(load, "end"), range.end());
            if (start <= end) {
                messages += Json.number(load, "rate") / 65536.0 * (end - start + 1);
            }
        }
        long size = Json.integer(trial, "message_bytes");
        long copies = Json.integer(trial, "fan_out");
        return new SegmentLoadStats(messages, messages * size, messages * copies, messages * size * copies);
    }

    private void carryOut(AutoScaleDecision decision, long now) {
        if (decision instanceof AutoScaleDecision.Split split) {
            if (layout.getActiveSegments().get(split.segmentId()).hashRange().size() < 2) {
                return; // the controller's splitSegment fails, and nothing has changed
            }
            layout = layout.splitSegment(split.segmentId(), now);
            lastSplit = now;
        } else if (decision instanceof AutoScaleDecision.Merge merge) {
            layout = Evaluator.merged(layout, merge.segmentId1(), merge.segmentId2(), now, most);
            lastMerge = now;
        } else {
            for (long segment : Evaluator.rebucketed(decision)) {
                layout = Evaluator.rebucketed(layout, segment, Evaluator.buckets(decision), now);
            }
            lastRebucket = now;
        }
    }
}
