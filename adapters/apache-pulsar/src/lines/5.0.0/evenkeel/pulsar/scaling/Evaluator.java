package evenkeel.pulsar.scaling;

import com.fasterxml.jackson.databind.JsonNode;
import evenkeel.pulsar.Refused;
import java.util.List;
import java.util.Map;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.resources.ScalableTopicMetadata;
import org.apache.pulsar.broker.service.scalable.AutoScaleConfig;
import org.apache.pulsar.broker.service.scalable.AutoScaleDecision;
import org.apache.pulsar.broker.service.scalable.AutoScalePolicyEvaluator;
import org.apache.pulsar.broker.service.scalable.ScalableTopicController;
import org.apache.pulsar.broker.service.scalable.SegmentLayout;
import org.apache.pulsar.broker.service.scalable.SegmentLoadSample;
import org.apache.pulsar.broker.service.scalable.SubscriptionCoordinator;
import org.apache.pulsar.common.policies.data.AutoScalePolicyOverride;
import org.apache.pulsar.common.scalable.SegmentInfo;

/** What differs by line: there are no entry buckets yet. */
final class Evaluator {
    private Evaluator() {
    }

    static ScalableTopicMetadata metadata(int count, int budget, int most) {
        return ScalableTopicController.createInitialMetadata(count, Map.of());
    }

    static AutoScaleConfig config(ServiceConfiguration config, JsonNode trial) {
        return AutoScaleConfig.fromBrokerConfig(config);
    }

    static void configure(ServiceConfiguration config, JsonNode buckets) {
        // no settings of entry buckets either
    }

    static void bucketed(AutoScalePolicyOverride.AutoScalePolicyOverrideBuilder policy, JsonNode set) {
        // as above
    }

    static JsonNode buckets(AutoScaleConfig found) {
        return null;
    }

    static SegmentLayout bucketed(SegmentLayout layout, JsonNode trial) {
        return layout;
    }

    static List<Long> rebucketed(AutoScaleDecision decision) {
        return List.of();
    }

    static int buckets(AutoScaleDecision decision) {
        return 0;
    }

    static SegmentLayout merged(SegmentLayout layout, long first, long second, long now, int most) {
        return layout.mergeSegments(first, second, now);
    }

    static void leave(SubscriptionCoordinator coordinator, String name, long id) throws Exception {
        coordinator.unregisterConsumer(name).get();
    }

    static SegmentLayout rebucketed(SegmentLayout layout, long segment, int buckets, long now) {
        throw new Refused("NoEntryBuckets", "segments of this line have none");
    }

    static int buckets(SegmentInfo segment) {
        return 1;
    }

    static SegmentInfo bucketedAs(SegmentInfo segment, SegmentInfo other) {
        return segment;
    }

    static AutoScaleDecision decide(JsonNode trial, SegmentLayout layout, Map<Long, SegmentLoadSample> samples,
            Map<String, Integer> consumers, AutoScaleConfig config, long now, long lastSplit, long lastMerge,
            long lastRebucket) {
        return AutoScalePolicyEvaluator.decide(layout, samples, consumers, config, now, lastSplit, lastMerge);
    }

    /** No entry bucket. */
    static Integer bucket(String key, List<Long> splits) {
        return null;
    }
}
