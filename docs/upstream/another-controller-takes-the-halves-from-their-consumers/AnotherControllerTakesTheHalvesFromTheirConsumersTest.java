// Apache-2.0. Needs Apache Pulsar, TestNG and Mockito only.
package org.apache.pulsar.broker.service.scalable;

import static org.mockito.Mockito.mock;
import static org.testng.Assert.assertEquals;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.pulsar.broker.resources.ScalableTopicResources;
import org.apache.pulsar.broker.service.TransportCnx;
import org.apache.pulsar.common.naming.TopicName;
import org.apache.pulsar.common.scalable.HashRange;
import org.apache.pulsar.common.scalable.SegmentInfo;
import org.testng.annotations.Test;

public class AnotherControllerTakesTheHalvesFromTheirConsumersTest {

    /**
     * Another controller takes the halves from their consumers. When the controller's broker is restarted, all
     * consumers of a topic that was ever split stop reading until the new one has found out what is drained, for two
     * seconds and more.
     */
    @Test
    public void testAnotherControllerTakesTheHalvesFromTheirConsumers() throws Exception {
        TopicName topic = TopicName.get("topic://public/default/topic");
        ScalableTopicResources resources = mock(ScalableTopicResources.class,
                called -> CompletableFuture.completedFuture(null));
        // Segment 0 was split into 1 and 2, and all of it has been read.
        SegmentLayout layout = new SegmentLayout(0, 1, Map.of(0L, SegmentInfo.active(0, HashRange.full(), 0, 0)))
                .splitSegment(0, 0);
        SegmentDrainChecker drained = (segment, subscription) -> CompletableFuture.completedFuture(true);
        Map<String, List<Long>> before = null;
        for (boolean takesOver : new boolean[] {false, true}) {
            SubscriptionCoordinator controller = new SubscriptionCoordinator("subscription", topic, layout, resources,
                    mock(ScheduledExecutorService.class), Duration.ofMinutes(1), drained, Duration.ofSeconds(2),
                    Duration.ofMinutes(15));
            if (takesOver) {
                controller.restoreConsumers(List.of("a", "b"));
            }
            controller.registerConsumer("a", 1, mock(TransportCnx.class)).join();
            controller.registerConsumer("b", 2, mock(TransportCnx.class)).join();
            if (!takesOver) {
                controller.markSegmentsDrained(Set.of(0L));
            }
            Map<String, List<Long>> assigned = new TreeMap<>();
            controller.currentAssignment().forEach((session, assignment) -> assigned.put(session.getConsumerName(),
                    assignment.assignedSegments().stream().map(ConsumerAssignment.AssignedSegment::segmentId).toList()));
            if (takesOver) {
                assertEquals(assigned, before, assigned + " once another broker is the controller;");
            }
            before = assigned;
        }
    }
}
