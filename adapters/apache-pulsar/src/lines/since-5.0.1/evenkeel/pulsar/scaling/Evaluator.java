package evenkeel.pulsar.scaling;

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

/** What differs by line, for trials that know of no entry buckets: each segment has one, and can have no more. */
final class Evaluator {
    private Evaluator() {
    }

    static ScalableTopicMetadata metadata(int count) {
        return ScalableTopicController.createInitialMetadata(count, 1, Map.of());
    }

    static AutoScaleConfig config(ServiceConfiguration config) {
        config.setScalableTopicEntryBucketMaxPerSegment(1);
        config.setScalableTopicSplitVsRebucketMinMsgRateInThreshold(0);
        return AutoScaleConfig.fromBrokerConfig(config);
    }

    static SegmentLayout merged(SegmentLayout layout, long first, long second, long now) {
        return layout.mergeSegments(first, second, now, 1);
    }

    static AutoScaleDecision decide(SegmentLayout layout, Map<Long, SegmentLoadSample> samples,
            Map<String, Integer> consumers, AutoScaleConfig config, long now, long lastSplit, long lastMerge) {
        return AutoScalePolicyEvaluator.decide(layout, samples, consumers, Set.of(), config, now, lastSplit, lastMerge,
                Long.MIN_VALUE);
    }
}
