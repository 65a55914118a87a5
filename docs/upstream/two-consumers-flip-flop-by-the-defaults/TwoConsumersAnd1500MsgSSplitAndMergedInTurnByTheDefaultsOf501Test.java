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

public class TwoConsumersAnd1500MsgSSplitAndMergedInTurnByTheDefaultsOf501Test {

    /**
     * Two consumers and 1,500 msg/s: split and merged in turn by the defaults of 5.0.1. Every seven minutes a split
     * and a merge, ten times: each makes all producers and consumers of the topic reconnect.
     */
    @Test
    public void testTwoConsumersAnd1500MsgSSplitAndMergedInTurnByTheDefaultsOf501() throws Exception {
        ServiceConfiguration config = new ServiceConfiguration();
        AutoScaleConfig rules = AutoScaleConfig.fromBrokerConfig(config).validated();
        int most = rules.maxEntryBucketsPerSegment();
        Map<String, Integer> consumers = Map.of("sub-0", 2);
        Set<String> sharing = Set.of("sub-0");
        Map<Long, SegmentLoadSample> load = new HashMap<>();
        SegmentLayout layout = SegmentLayout.fromMetadata(ScalableTopicController.createInitialMetadata(
                1, 4, most, Map.of()));
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
            } else if (decided instanceof AutoScaleDecision.Rebucket more) {
                for (long segment : more.segmentIds()) {
                    layout = layout.rebucketSegment(segment,
                            EntryBucketSplits.equalWidth(more.newBucketCount()), now);
                }
                lastRebucket = now;
            }
            Set<HashRange> ranges = new HashSet<>();
            layout.getActiveSegments().values().forEach(segment -> ranges.add(segment.hashRange()));
            assertTrue(ranges.equals(last) || seen.add(ranges), "the segments are again " + ranges);
            last = ranges;
            for (SegmentInfo segment : layout.getActiveSegments().values()) {
                HashRange range = segment.hashRange();
                double messages = 1500.0 / 65536 * range.size();
                load.putIfAbsent(segment.segmentId(), new SegmentLoadSample(new SegmentLoadStats(messages,
                        messages * 1000, messages * 1, messages * 1000), now + 50000));
            }
        }
    }
}
