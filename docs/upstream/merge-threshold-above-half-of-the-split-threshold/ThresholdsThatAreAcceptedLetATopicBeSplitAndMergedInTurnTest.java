// Apache-2.0. Needs Apache Pulsar, TestNG and Mockito only.
package org.apache.pulsar.broker.service.scalable;

import static org.testng.Assert.assertTrue;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.common.scalable.HashRange;
import org.apache.pulsar.common.scalable.SegmentInfo;
import org.apache.pulsar.common.scalable.SegmentLoadStats;
import org.testng.annotations.Test;

public class ThresholdsThatAreAcceptedLetATopicBeSplitAndMergedInTurnTest {

    /**
     * Thresholds that are accepted let a topic be split and merged in turn. With splits above 10,000 msg/s and
     * merges below 6,000, which is accepted, a constant 11,000 msg/s is split and merged in turn.
     */
    @Test
    public void testThresholdsThatAreAcceptedLetATopicBeSplitAndMergedInTurn() throws Exception {
        ServiceConfiguration config = new ServiceConfiguration();
        config.setScalableTopicMergeMsgRateInThreshold(6000.0);
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
        Set<Set<HashRange>> seen = new HashSet<>();
        Set<HashRange> last = Set.of();
        for (long now = 0; now < 20 * 60_000; now += 60_000) {
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
            Set<HashRange> ranges = new HashSet<>();
            layout.getActiveSegments().values().forEach(segment -> ranges.add(segment.hashRange()));
            assertTrue(ranges.equals(last) || seen.add(ranges), "the segments are again " + ranges);
            last = ranges;
            for (SegmentInfo segment : layout.getActiveSegments().values()) {
                HashRange range = segment.hashRange();
                double messages = 11000.0 / 65536 * range.size();
                load.putIfAbsent(segment.segmentId(), new SegmentLoadSample(new SegmentLoadStats(messages,
                        messages * 100, messages * 0, messages * 0), now + 50000));
            }
        }
    }
}
