package evenkeel.pulsar.scaling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Question;
import evenkeel.pulsar.Refused;
import evenkeel.pulsar.Settings;
import java.util.Map;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.service.scalable.AutoScaleConfig;
import org.apache.pulsar.common.policies.data.AutoScalePolicyOverride;

/** {@code scaling.policy}: {@link AutoScaleConfig#resolve}, which says what is refused. */
public final class PolicyQuestion implements Question {
    private static final JsonNode NO_BUCKETS = Json.MAPPER.valueToTree(Map.of(
            "scalableTopicEntryBucketMaxPerSegment", 1, "scalableTopicSplitVsRebucketMinMsgRateInThreshold", 0,
            "scalableTopicRebucketCooldownSeconds", 0));

    private final ServiceConfiguration config = new ServiceConfiguration();

    @Override
    public JsonNode answer(JsonNode trial) {
        Settings.read(config, Json.field(trial, "config"), DecisionQuestion.SETTINGS);
        boolean buckets = trial.hasNonNull("buckets");
        Evaluator.configure(config, buckets ? trial.get("buckets") : NO_BUCKETS);
        AutoScaleConfig found = resolve(trial);
        ObjectNode answer = Json.object();
        answer.set("buckets", buckets ? Evaluator.buckets(found) : null);
        answer.putObject("config")
                .put("scalableTopicAutoScaleEnabled", found.enabled())
                .put("scalableTopicMaxSegments", found.maxSegments())
                .put("scalableTopicMinSegments", found.minSegments())
                .put("scalableTopicMaxDagDepth", found.maxDagDepth())
                .put("scalableTopicSplitCooldownSeconds", found.splitCooldown().toSeconds())
                .put("scalableTopicMergeCooldownSeconds", found.mergeCooldown().toSeconds())
                .put("scalableTopicMergeWindowSeconds", found.mergeWindow().toSeconds())
                .put("scalableTopicSplitMsgRateInThreshold", found.splitMsgRateIn())
                .put("scalableTopicSplitBytesRateInThreshold", (long) found.splitBytesRateIn())
                .put("scalableTopicSplitMsgRateOutThreshold", found.splitMsgRateOut())
                .put("scalableTopicSplitBytesRateOutThreshold", (long) found.splitBytesRateOut())
                .put("scalableTopicMergeMsgRateInThreshold", found.mergeMsgRateIn())
                .put("scalableTopicMergeBytesRateInThreshold", (long) found.mergeBytesRateIn())
                .put("scalableTopicMergeMsgRateOutThreshold", found.mergeMsgRateOut())
                .put("scalableTopicMergeBytesRateOutThreshold", (long) found.mergeBytesRateOut());
        return answer;
    }

    private AutoScaleConfig resolve(JsonNode trial) {
        try {
            return AutoScaleConfig.resolve(
                    config, policy(trial, "namespace"), policy(trial, "topic"));
        } catch (IllegalArgumentException invalid) {
            throw new Refused("IllegalArgumentException", invalid.getMessage());
        }
    }

    /** What a namespace or a topic sets. */
    private static AutoScalePolicyOverride policy(JsonNode trial, String level) {
        JsonNode set = Json.field(trial, level);
        AutoScalePolicyOverride.AutoScalePolicyOverrideBuilder policy = AutoScalePolicyOverride.builder()
                .enabled(value(set, "enabled", Boolean.class))
                .maxSegments(value(set, "max_segments", Integer.class))
                .minSegments(value(set, "min_segments", Integer.class))
                .maxDagDepth(value(set, "max_depth", Integer.class))
                .splitCooldownSeconds(value(set, "split_cooldown", Long.class))
                .mergeCooldownSeconds(value(set, "merge_cooldown", Long.class))
                .mergeWindowSeconds(value(set, "merge_window", Long.class))
                .splitMsgRateInThreshold(value(set, "split_msg_in", Double.class))
                .splitBytesRateInThreshold(value(set, "split_bytes_in", Long.class))
                .splitMsgRateOutThreshold(value(set, "split_msg_out", Double.class))
                .splitBytesRateOutThreshold(value(set, "split_bytes_out", Long.class))
                .mergeMsgRateInThreshold(value(set, "merge_msg_in", Double.class))
                .mergeBytesRateInThreshold(value(set, "merge_bytes_in", Long.class))
                .mergeMsgRateOutThreshold(value(set, "merge_msg_out", Double.class))
                .mergeBytesRateOutThreshold(value(set, "merge_bytes_out", Long.class));
        if (trial.hasNonNull("buckets")) {
            Evaluator.bucketed(policy, set);
        }
        return policy.build();
    }

    static <T> T value(JsonNode set, String name, Class<T> type) {
        return Json.MAPPER.convertValue(Json.field(set, name), type);
    }
}
