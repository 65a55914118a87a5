package evenkeel.pulsar.scaling;

import com.fasterxml.jackson.databind.JsonNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Settings;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.resources.ScalableTopicMetadata;
import org.apache.pulsar.broker.service.scalable.AutoScaleConfig;
import org.apache.pulsar.broker.service.scalable.AutoScaleDecision;
import org.apache.pulsar.broker.service.scalable.AutoScalePolicyEvaluator;
import org.apache.pulsar.broker.service.scalable.ScalableTopicController;
import org.apache.pulsar.broker.service.scalable.SegmentLayout;
import org.apache.pulsar.broker.service.scalable.SegmentLoadSample;
import org.apache.pulsar.broker.service.scalable.SubscriptionCoordinator;
import org.apache.pulsar.client.impl.EvenkeelBuckets;
import org.apache.pulsar.common.policies.data.AutoScalePolicyOverride;
import org.apache.pulsar.common.scalable.ScalableTopicHashing;
import org.apache.pulsar.common.scalable.SegmentInfo;

/** What differs by line. In a trial without entry buckets each segment has one, and can have no more. */
final class Evaluator {
    private static final List<String> SETTINGS = List.of("scalableTopicEntryBucketMaxPerSegment",
            "scalableTopicSplitVsRebucketMinMsgRateInThreshold", "scalableTopicRebucketCooldownSeconds");

    private Evaluator() {
    }

    static ScalableTopicMetadata metadata(int count, int budget, int most) {
        return ScalableTopicController.createInitialMetadata(count, budget, most, Map.of());
    }

    /** The boundaries of this many entry buckets. */
    private static List<Integer> splits(int buckets) {
        return metadata(1, buckets, buckets).getSegments().get(0L).entryBucketSplits();
    }

    static AutoScaleConfig config(ServiceConfiguration config, JsonNode trial) {
        if (trial.hasNonNull("entry")) {
            Settings.read(config, Json.field(trial.get("entry"), "config"), SETTINGS);
        } else {
            config.setScalableTopicEntryBucketMaxPerSegment(1);
            config.setScalableTopicSplitVsRebucketMinMsgRateInThreshold(0);
        }
        return AutoScaleConfig.fromBrokerConfig(config);
    }

    static void configure(ServiceConfiguration config, JsonNode buckets) {
        Settings.read(config, buckets, SETTINGS);
    }

    static void bucketed(AutoScalePolicyOverride.AutoScalePolicyOverrideBuilder policy, JsonNode set) {
        policy.splitVsRebucketMinMsgRateInThreshold(PolicyQuestion.value(set, "split_floor", Double.class))
                .rebucketCooldownSeconds(PolicyQuestion.value(set, "rebucket_cooldown", Long.class));
    }

    static JsonNode buckets(AutoScaleConfig found) {
        return Json.object()
                .put(SETTINGS.get(0), found.maxEntryBucketsPerSegment())
                .put(SETTINGS.get(1), found.splitVsRebucketMinMsgRateIn())
                .put(SETTINGS.get(2), found.rebucketCooldown().toSeconds());
    }

    /** The layout with the trial's entry buckets. */
    static SegmentLayout bucketed(SegmentLayout layout, JsonNode trial) {
        List<Long> counts = trial.hasNonNull("entry") ? Json.integers(trial.get("entry"), "counts") : List.of();
        List<SegmentInfo> live = layout.getActiveSegments().values().stream()
                .sorted(Comparator.comparing(SegmentInfo::hashRange)).toList();
        Map<Long, SegmentInfo> segments = new LinkedHashMap<>(layout.getAllSegments());
        for (int place = 0; place < Math.min(live.size(), counts.size()); place++) {
            long number = live.get(place).segmentId();
            segments.put(number, live.get(place).withEntryBucketSplits(splits(counts.get(place).intValue())));
        }
        return new SegmentLayout(layout.getEpoch(), layout.getNextSegmentId(), segments);
    }

    static List<Long> rebucketed(AutoScaleDecision decision) {
        return decision instanceof AutoScaleDecision.Rebucket more ? more.segmentIds() : List.of();
    }

    static int buckets(AutoScaleDecision decision) {
        return decision instanceof AutoScaleDecision.Rebucket more ? more.newBucketCount() : 0;
    }

    static SegmentLayout merged(SegmentLayout layout, long first, long second, long now, int most) {
        return layout.mergeSegments(first, second, now, most);
    }

    static void leave(SubscriptionCoordinator coordinator, String name, long id) throws Exception {
        coordinator.unregisterConsumer(name, id).get();
    }

    static SegmentLayout rebucketed(SegmentLayout layout, long segment, int buckets, long now) {
        return layout.rebucketSegment(segment, splits(buckets), now);
    }

    static int buckets(SegmentInfo segment) {
        return segment.bucketCount();
    }

    static SegmentInfo bucketedAs(SegmentInfo segment, SegmentInfo other) {
        return segment.withEntryBucketSplits(other.entryBucketSplits());
    }

    static AutoScaleDecision decide(JsonNode trial, SegmentLayout layout, Map<Long, SegmentLoadSample> samples,
            Map<String, Integer> consumers, AutoScaleConfig config, long now, long lastSplit, long lastMerge,
            long lastRebucket) {
        Set<String> sharing = new HashSet<>();
        if (trial.hasNonNull("entry")) {
            JsonNode entry = trial.get("entry");
            int subscription = 0;
            for (JsonNode can : Json.list(entry, "sharing")) {
                if (can.asBoolean()) {
                    sharing.add("subscription-" + subscription);
                }
                subscription++;
            }
        }
        return AutoScalePolicyEvaluator.decide(layout, samples, consumers, sharing, config, now, lastSplit, lastMerge,
                lastRebucket);
    }

    /** The entry bucket of a key among those that begin there: {@code EntryBucketBatchContainer.bucketOf}. */
    static Integer bucket(String key, List<Long> splits) {
        int hash = ScalableTopicHashing.entryBucketHash(
                ScalableTopicHashing.murmur(key.getBytes(StandardCharsets.UTF_8)));
        return EvenkeelBuckets.of(splits.stream().mapToInt(Long::intValue).toArray(), hash);
    }
}
