// Apache-2.0. Needs Apache Pulsar, TestNG and Mockito only.
package org.apache.pulsar.broker.service.scalable;

import static org.testng.Assert.assertTrue;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.common.scalable.SegmentInfo;
import org.apache.pulsar.common.scalable.SegmentLoadStats;
import org.testng.annotations.Test;

public class ThirtyTwoIdleSegmentsDoNotComeDownAsFarAsTheyCouldTest {

    /**
     * Thirty-two idle segments do not come down as far as they could. A topic that once had 32 segments keeps more
     * than it needs for as long as their ancestors are kept.
     */
    @Test
    public void testThirtyTwoIdleSegmentsDoNotComeDownAsFarAsTheyCould() throws Exception {
        SegmentLayout layout = SegmentLayout.fromMetadata(
                ScalableTopicController.createInitialMetadata(32, 1, 1, Map.of()));
        // Neighbours are merged pairwise, as evenly as can be, until two are left.
        while (layout.getActiveSegments().size() > 2) {
            List<Long> live = layout.getActiveSegments().values().stream()
                    .sorted(Comparator.comparingInt(segment -> segment.hashRange().start()))
                    .map(SegmentInfo::segmentId).toList();
            for (int i = 0; i < live.size(); i += 2) {
                layout = layout.mergeSegments(live.get(i), live.get(i + 1), 0);
            }
        }
        // Both have been idle for an hour.
        Map<Long, SegmentLoadSample> idle = new HashMap<>();
        for (long segment : layout.getActiveSegments().keySet()) {
            idle.put(segment, new SegmentLoadSample(new SegmentLoadStats(0, 0, 0, 0), 0));
        }
        AutoScaleDecision decided = AutoScalePolicyEvaluator.decide(layout, idle, Map.of(), Set.of(),
                AutoScaleConfig.fromBrokerConfig(new ServiceConfiguration()), 3_600_000, Long.MIN_VALUE, Long.MIN_VALUE,
                Long.MIN_VALUE);
        assertTrue(decided instanceof AutoScaleDecision.Merge,
                "two idle segments stay, each with 4 merges on a line: " + decided);
    }
}
