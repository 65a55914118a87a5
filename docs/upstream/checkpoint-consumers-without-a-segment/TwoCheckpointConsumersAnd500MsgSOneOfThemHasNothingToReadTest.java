// Apache-2.0. Needs Apache Pulsar, TestNG and Mockito only.
package org.apache.pulsar.broker.service.scalable;

import static org.mockito.Mockito.mock;
import static org.testng.Assert.assertFalse;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.resources.ScalableTopicResources;
import org.apache.pulsar.broker.service.TransportCnx;
import org.apache.pulsar.common.naming.TopicName;
import org.apache.pulsar.common.scalable.SegmentLoadStats;
import org.testng.annotations.Test;

public class TwoCheckpointConsumersAnd500MsgSOneOfThemHasNothingToReadTest {

    /**
     * Two checkpoint consumers and 500 msg/s: one of them has nothing to read. All but one checkpoint consumer for
     * each segment have nothing to read for as long as there is little traffic: no segment is split for them, and
     * they cannot share one.
     */
    @Test
    public void testTwoCheckpointConsumersAnd500MsgSOneOfThemHasNothingToRead() throws Exception {
        double messages = 500.0;
        AutoScaleConfig rules = AutoScaleConfig.fromBrokerConfig(new ServiceConfiguration()).validated();
        SegmentLayout layout = SegmentLayout.fromMetadata(ScalableTopicController.createInitialMetadata(
                1, 4, rules.maxEntryBucketsPerSegment(), Map.of()));
        ScalableTopicResources resources = mock(ScalableTopicResources.class,
                called -> CompletableFuture.completedFuture(null));
        // Two checkpoint consumers of one group, for whom nobody asks what is drained.
        SubscriptionCoordinator group = new SubscriptionCoordinator("group", TopicName.get("topic://public/default/topic"),
                layout, resources, mock(ScheduledExecutorService.class), Duration.ofMinutes(1), null, Duration.ofSeconds(2),
                Duration.ofMinutes(15));
        group.markCheckpointGroup();
        group.registerConsumer("a", 1, mock(TransportCnx.class)).join();
        group.registerConsumer("b", 2, mock(TransportCnx.class)).join();
        long lastSplit = Long.MIN_VALUE;
        for (long now = 0; now < 10 * 60_000; now += 60_000) {
            Map<Long, SegmentLoadSample> load = new HashMap<>();
            for (long segment : layout.getActiveSegments().keySet()) {
                load.put(segment, new SegmentLoadSample(new SegmentLoadStats(messages, 0, messages, 0), 0));
            }
            Set<String> sharing = group.canShareSegmentsByEntryBucket() ? Set.of("group") : Set.of();
            if (AutoScalePolicyEvaluator.decide(layout, load, Map.of("group", 2), sharing, rules, now, lastSplit,
                    Long.MIN_VALUE, Long.MIN_VALUE) instanceof AutoScaleDecision.Split split) {
                layout = layout.splitSegment(split.segmentId(), now);
                group.onLayoutChange(layout).join();
                lastSplit = now;
            }
        }
        Map<String, Integer> assigned = new TreeMap<>();
        group.currentAssignment().forEach((consumer, assignment) ->
                assigned.put(consumer.getConsumerName(), assignment.assignedSegments().size()));
        assertFalse(assigned.containsValue(0), assigned + " segments");
    }
}
