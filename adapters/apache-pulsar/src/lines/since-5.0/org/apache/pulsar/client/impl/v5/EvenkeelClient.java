package org.apache.pulsar.client.impl.v5;

import java.util.List;
import org.apache.pulsar.client.impl.PulsarClientImpl;
import org.apache.pulsar.common.api.proto.ScalableConsumerAssignment;
import org.apache.pulsar.common.api.proto.ScalableConsumerType;
import org.apache.pulsar.common.api.proto.ScalableTopicDAG;
import org.apache.pulsar.common.naming.TopicName;

/** The door to what a client keeps: {@link DagWatchClient} and {@link ScalableConsumerClient}. */
public final class EvenkeelClient {
    private static final TopicName TOPIC = TopicName.get("topic://public/default/topic");

    private final DagWatchClient watch;
    private final ScalableConsumerClient consumer;

    /** Nothing is started; the client is asked for an id alone. */
    public EvenkeelClient(PulsarClientImpl client) {
        watch = new DagWatchClient(client, TOPIC);
        consumer = new ScalableConsumerClient(client, TOPIC, "subscription", "consumer", ScalableConsumerType.STREAM);
    }

    public void push(ScalableTopicDAG layout) {
        watch.onUpdate(layout, null);
    }

    public void push(ScalableConsumerAssignment assignment) {
        consumer.onAssignmentUpdate(assignment);
    }

    public long epoch() {
        return watch.currentLayout().epoch();
    }

    public List<Long> live() {
        return numbers(watch.currentLayout().activeSegments());
    }

    public List<Long> sealed() {
        return numbers(watch.currentLayout().sealedSegments());
    }

    public List<Long> assigned() {
        return numbers(consumer.currentAssignment());
    }

    public long route(String key) {
        return new EvenkeelRouter(watch.currentLayout()).route(key);
    }

    private static List<Long> numbers(List<SegmentRouter.ActiveSegment> segments) {
        return segments.stream().map(SegmentRouter.ActiveSegment::segmentId).toList();
    }
}
