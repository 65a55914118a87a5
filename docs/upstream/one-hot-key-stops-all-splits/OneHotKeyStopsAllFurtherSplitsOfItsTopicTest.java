// Apache-2.0. Needs Apache Pulsar, TestNG and Mockito only.
package org.apache.pulsar.broker.service.scalable;

import static org.testng.Assert.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.common.scalable.HashRange;
import org.apache.pulsar.common.scalable.SegmentInfo;
import org.apache.pulsar.common.scalable.SegmentLoadStats;
import org.testng.annotations.Test;

public class OneHotKeyStopsAllFurtherSplitsOfItsTopicTest {

    /**
     * One hot key stops all further splits of its topic. After 16 splits for one key nothing is split any more,
     * whatever the load of the other segments.
     */
    @Test
    public void testOneHotKeyStopsAllFurtherSplitsOfItsTopic() throws Exception {
        ServiceConfiguration config = new ServiceConfiguration();
        config.setScalableTopicEntryBucketMaxPerSegment(1);
        config.setScalableTopicSplitVsRebucketMinMsgRateInThreshold(0.0);
        AutoScaleConfig rules = AutoScaleConfig.fromBrokerConfig(config).validated();
        int most = rules.maxEntryBucketsPerSegment();
        Map<String, Integer> consumers = Map.of();
        Set<String> sharing = Set.of();
        Map<Long, SegmentLoadSample> load = new HashMap<>();
        SegmentLayout layout = SegmentLayout.fromMetadata(ScalableTopicController.createInitialMetadata(
                1, 1, most, Map.of()));
        long lastSplit = Long.MIN_VALUE;
        long lastMerge = Long.MIN_VALUE;
        long lastRebucket = Long.MIN_VALUE;
        for (long now = 0; now < 40 * 60_000; now += 60_000) {
            AutoScaleDecision decided = AutoScalePolicyEvaluator.decide(layout, load, consumers, sharing,
                    rules, now, lastSplit, lastMerge, lastRebucket);
            if (decided instanceof AutoScaleDecision.Merge merge) {
                layout = layout.mergeSegments(merge.segmentId1(), merge.segmentId2(), now, most);
                lastMerge = now;
            } else if (decided instanceof AutoScaleDecision.Split split
                    && layout.getActiveSegments().get(split.segmentId()).hashRange().size() > 1) {
                layout = layout.splitSegment(split.segmentId(), now);
                lastSplit = now;
            }
            for (SegmentInfo segment : layout.getActiveSegments().values()) {
                HashRange range = segment.hashRange();
                double messages = 1966080000.0 / 65536 * Math.max(0, Math.min(range.end(), 0) - Math.max(range.start(), 0) + 1)
                        + 30000.0 / 65536 * range.size();
                load.putIfAbsent(segment.segmentId(), new SegmentLoadSample(new SegmentLoadStats(messages,
                        messages * 100, messages * 1, messages * 100), now + 50000));
            }
        }
        for (SegmentInfo segment : layout.getActiveSegments().values()) {
            double messages = load.get(segment.segmentId()).stats().msgRateIn();
            assertTrue(segment.hashRange().size() == 1 || messages <= rules.splitMsgRateIn(),
                    segment.hashRange() + " is left with " + messages + " msg/s");
        }
    }
}
