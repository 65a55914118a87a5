package org.apache.pulsar.client.impl.v5;

import evenkeel.pulsar.Private;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.apache.pulsar.client.api.v5.MessageId;
import org.apache.pulsar.client.api.v5.PulsarClientException;
import org.apache.pulsar.client.api.v5.schema.Schema;
import org.apache.pulsar.client.impl.PulsarClientImpl;
import org.apache.pulsar.client.impl.conf.ConsumerConfigurationData;
import org.apache.pulsar.common.api.proto.ScalableConsumerAssignment;
import org.apache.pulsar.common.api.proto.ScalableConsumerType;
import org.apache.pulsar.common.naming.TopicName;

/** The door to {@link ScalableStreamConsumer}, whose session is sent assignments. */
public final class EvenkeelStream {
    private static final TopicName TOPIC = TopicName.get("topic://public/default/topic");

    private final PulsarClientV5 client;
    private final ScalableConsumerClient session;
    private ScalableStreamConsumer<byte[]> consumer;

    public EvenkeelStream(PulsarClientImpl client) {
        this.client = new PulsarClientV5(client, "evenkeel", Duration.ofMinutes(1));
        session = new ScalableConsumerClient(client, TOPIC, "subscription", "consumer", ScalableConsumerType.STREAM);
    }

    /** The first one creates the consumer. */
    public void push(ScalableConsumerAssignment assignment) {
        session.onAssignmentUpdate(assignment);
        if (consumer == null) {
            ConsumerConfigurationData<byte[]> settings = new ConsumerConfigurationData<>();
            settings.setSubscriptionName("subscription");
            settings.setReceiverQueueSize(Integer.MAX_VALUE);
            List<SegmentRouter.ActiveSegment> first = session.currentAssignment();
            consumer = ScalableStreamConsumer.createAsyncImpl(
                    client, Schema.bytes(), settings, session, TOPIC.toString(), first, null).join();
        }
    }

    /** How many messages are in the queue from which the application receives. */
    public int queued() {
        V5ReceiveQueue<?> queue = Private.get(ScalableStreamConsumer.class, consumer, "receiveQueue");
        Collection<?> buffer = Private.get(V5ReceiveQueue.class, queue, "buffer");
        return buffer.size();
    }

    public MessageId receive() throws PulsarClientException {
        return consumer.receive(Duration.ZERO).id();
    }

    public void acknowledge(MessageId id) {
        consumer.acknowledgeCumulative(id);
    }
}
