// Apache-2.0. Needs Apache Pulsar, TestNG and Mockito only.
package org.apache.pulsar.client.impl.v5;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;
import static org.testng.Assert.assertTrue;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.v5.schema.Schema;
import org.apache.pulsar.client.impl.MessageIdImpl;
import org.apache.pulsar.client.impl.PulsarClientImpl;
import org.apache.pulsar.client.impl.conf.ClientConfigurationData;
import org.apache.pulsar.client.impl.conf.ConsumerConfigurationData;
import org.apache.pulsar.client.util.ExecutorProvider;
import org.apache.pulsar.client.util.ScheduledExecutorProvider;
import org.apache.pulsar.common.api.proto.ScalableConsumerAssignment;
import org.apache.pulsar.common.api.proto.ScalableConsumerType;
import org.apache.pulsar.common.naming.TopicName;
import org.testng.annotations.Test;

public class AStreamConsumerThatDrainedForAMinuteNeverLetsItsSegmentGoTest {
    private static final TopicName TOPIC = TopicName.get("topic://public/default/topic");

    /**
     * A stream consumer that drained for a minute never lets its segment go: segment 0 leaves the assignment while the
     * application works on a message of it, which it acknowledges after 4,000 looks. Each look is 1 ms after the one
     * before it, and not 50 ms, on the thread that a client has for this.
     */
    @Test
    @SuppressWarnings("unchecked")
    public void testAStreamConsumerThatDrainedForAMinuteNeverLetsItsSegmentGo() throws Exception {
        int most = 4000;
        CountDownLatch looks = new CountDownLatch(most);
        CountDownLatch closed = new CountDownLatch(1);
        Message<byte[]> message = mock(Message.class);
        when(message.getMessageId()).thenReturn(new MessageIdImpl(0, 0, -1));
        Consumer<byte[]> segment = mock(Consumer.class);
        when(segment.receiveAsync()).thenReturn(CompletableFuture.completedFuture(message), new CompletableFuture<>());
        when(segment.acknowledgeCumulativeAsync(any(MessageIdImpl.class)))
                .thenReturn(CompletableFuture.completedFuture(null));
        when(segment.closeAsync()).then(called -> {
            closed.countDown();
            return CompletableFuture.completedFuture(null);
        });
        PulsarClientImpl client = mock(PulsarClientImpl.class);
        ScheduledExecutorProvider scheduled = scheduled(looks);
        when(client.getConfiguration()).thenReturn(new ClientConfigurationData());
        when(client.externalExecutorProvider()).thenReturn(new ExecutorProvider(1, "external", true));
        when(client.getScheduledExecutorProvider()).thenReturn(scheduled);
        when(client.<byte[]>subscribeSegmentAsync(any(), any())).thenReturn(CompletableFuture.completedFuture(segment));
        ScalableConsumerClient session =
                new ScalableConsumerClient(client, TOPIC, "subscription", "consumer", ScalableConsumerType.STREAM);
        ScalableConsumerAssignment assigned = new ScalableConsumerAssignment().setLayoutEpoch(0);
        assigned.addSegment().setSegmentId(0).setHashStart(0).setHashEnd(0xffff)
                .setSegmentTopic("segment://public/default/topic/0000-ffff-0");
        session.onAssignmentUpdate(assigned);
        ConsumerConfigurationData<byte[]> settings = new ConsumerConfigurationData<>();
        settings.setSubscriptionName("subscription");
        ScalableStreamConsumer<byte[]> consumer = ScalableStreamConsumer.createAsyncImpl(
                new PulsarClientV5(client, "client", Duration.ofMinutes(1)), Schema.bytes(), settings, session,
                TOPIC.toString(), session.currentAssignment(), null).join();
        var received = consumer.receive(Duration.ofSeconds(10));
        session.onAssignmentUpdate(new ScalableConsumerAssignment().setLayoutEpoch(1));
        assertTrue(looks.await(60, TimeUnit.SECONDS), "the consumer looks no more;");
        consumer.acknowledgeCumulative(received.id());
        assertTrue(closed.await(10, TimeUnit.SECONDS), "all is acknowledged, and segment 0 has its consumer;");
    }

    /** A client's, but that it waits a fiftieth of the time. */
    private static ScheduledExecutorProvider scheduled(CountDownLatch looks) {
        return new ScheduledExecutorProvider(1, "pulsar-client-scheduled", true) {
            @Override
            protected ExecutorService createExecutor(ExtendedThreadFactory threads) {
                return new ScheduledThreadPoolExecutor(1, threads) {
                    @Override
                    public <V> ScheduledFuture<V> schedule(Callable<V> look, long delay, TimeUnit unit) {
                        looks.countDown();
                        return super.schedule(look, unit.toMicros(delay) / 50, TimeUnit.MICROSECONDS);
                    }
                };
            }
        };
    }
}
