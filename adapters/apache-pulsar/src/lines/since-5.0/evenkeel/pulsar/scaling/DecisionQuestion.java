package evenkeel.pulsar.scaling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Question;
import evenkeel.pulsar.Settings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.service.scalable.AutoScaleConfig;
import org.apache.pulsar.broker.service.scalable.AutoScaleDecision;
import org.apache.pulsar.broker.service.scalable.AutoScalePolicyEvaluator;
import org.apache.pulsar.broker.service.scalable.SegmentLayout;
import org.apache.pulsar.broker.service.scalable.SegmentLoadSample;

/** {@code scaling.decision}: {@link AutoScalePolicyEvaluator#decide}, with a broker's configuration. */
public final class DecisionQuestion implements Question {
    static final List<String> SETTINGS = List.of(
            "scalableTopicAutoScaleEnabled", "scalableTopicMaxSegments", "scalableTopicMinSegments",
            "scalableTopicMaxDagDepth", "scalableTopicSplitCooldownSeconds", "scalableTopicMergeCooldownSeconds",
            "scalableTopicMergeWindowSeconds", "scalableTopicSplitMsgRateInThreshold",
            "scalableTopicSplitBytesRateInThreshold", "scalableTopicSplitMsgRateOutThreshold",
            "scalableTopicSplitBytesRateOutThreshold", "scalableTopicMergeMsgRateInThreshold",
            "scalableTopicMergeBytesRateInThreshold", "scalableTopicMergeMsgRateOutThreshold",
            "scalableTopicMergeBytesRateOutThreshold");

    private final ServiceConfiguration config = new ServiceConfiguration();

    @Override
    public JsonNode answer(JsonNode trial) {
        SegmentLayout layout = Layouts.initial(trial, 0);
        for (JsonNode command : Json.list(trial, "history")) {
            layout = Layouts.changed(layout, Json.text(command, "do"), command);
        }
        AutoScaleConfig config;
        try {
            config = config(trial);
        } catch (IllegalArgumentException invalid) {
            return shown(null); // ScalableTopicController.resolveAutoScaleConfig: as if switched off
        }
        AutoScaleDecision decision = Evaluator.decide(trial, Evaluator.bucketed(layout, trial), samples(trial), consumers(trial), config,
                Json.integer(trial, "now"), last(trial, "last_split"), last(trial, "last_merge"), lastRebucket(trial));
        return shown(decision);
    }

    /** The trial's settings, as a broker's configuration has them. */
    AutoScaleConfig config(JsonNode trial) {
        Settings.read(config, Json.field(trial, "config"), SETTINGS);
        return Evaluator.config(config, trial);
    }

    /** The consumers of each stream subscription. */
    static Map<String, Integer> consumers(JsonNode trial) {
        Map<String, Integer> consumers = new HashMap<>();
        for (long count : Json.integers(trial, "consumers")) {
            consumers.put("subscription-" + consumers.size(), (int) count);
        }
        return consumers;
    }

    private static Map<Long, SegmentLoadSample> samples(JsonNode trial) {
        Map<Long, SegmentLoadSample> samples = new HashMap<>();
        for (JsonNode report : Json.list(trial, "reports")) {
            samples.put(Json.integer(report, "segment"),
                    new SegmentLoadSample(Rates.of(Json.field(report, "rates")), Json.integer(report, "written")));
        }
        return samples;
    }

    private static long lastRebucket(JsonNode trial) {
        return trial.hasNonNull("entry") ? last(trial.get("entry"), "last_rebucket") : Long.MIN_VALUE;
    }

    private static long last(JsonNode trial, String name) {
        return Json.field(trial, name).isNull() ? Long.MIN_VALUE : Json.integer(trial, name);
    }

    /** A decision as answers show it; null: nothing is decided. */
    static ObjectNode shown(AutoScaleDecision decision) {
        ObjectNode answer = Json.object().putNull("split");
        List<Long> merged = List.of();
        if (decision instanceof AutoScaleDecision.Split split) {
            answer.put("split", split.segmentId());
        } else if (decision instanceof AutoScaleDecision.Merge merge) {
            merged = List.of(merge.segmentId1(), merge.segmentId2());
        }
        answer.set("merge", Json.arrayOf(merged));
        answer.set("rebucket", Json.arrayOf(Evaluator.rebucketed(decision)));
        return answer.put("buckets", Evaluator.buckets(decision));
    }
}
