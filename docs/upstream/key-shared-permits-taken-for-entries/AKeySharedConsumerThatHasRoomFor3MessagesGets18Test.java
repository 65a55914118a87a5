// Apache-2.0. Needs Apache Pulsar, TestNG and Mockito only.
package org.apache.pulsar.broker.service.persistent;

import static org.mockito.Mockito.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.RETURNS_DEFAULTS;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;
import static org.testng.Assert.assertTrue;

import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.bookkeeper.mledger.Entry;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.bookkeeper.mledger.impl.EntryImpl;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.service.Consumer;
import org.apache.pulsar.broker.service.TransportCnx;
import org.apache.pulsar.common.api.proto.KeySharedMeta;
import org.apache.pulsar.common.api.proto.KeySharedMode;
import org.apache.pulsar.common.api.proto.MessageMetadata;
import org.apache.pulsar.common.protocol.Commands;
import org.testng.annotations.Test;

public class AKeySharedConsumerThatHasRoomFor3MessagesGets18Test {

    /**
     * A Key_Shared consumer that has room for 3 messages gets 18. With batches a consumer gets many times what its
     * receiver queue holds.
     */
    @Test
    public void testAKeySharedConsumerThatHasRoomFor3MessagesGets18() throws Exception {
        int permits = 3;
        int batch = 6;
        PersistentTopic topic = mock(PersistentTopic.class, RETURNS_DEEP_STUBS);
        when(topic.getName()).thenReturn("persistent://public/default/topic");
        ServiceConfiguration config = new ServiceConfiguration();
        when(topic.getBrokerService().getPulsar().getConfiguration()).thenReturn(config);
        when(topic.getBrokerService().pulsar().getConfiguration()).thenReturn(config);
        ManagedCursor cursor = mock(ManagedCursor.class);
        when(cursor.getName()).thenReturn("subscription");
        PersistentStickyKeyDispatcherMultipleConsumers dispatcher = new PersistentStickyKeyDispatcherMultipleConsumers(
                topic, cursor, mock(PersistentSubscription.class), config,
                new KeySharedMeta().setKeySharedMode(KeySharedMode.AUTO_SPLIT));

        TransportCnx connection = mock(TransportCnx.class);
        when(connection.isActive()).thenReturn(true);
        AtomicInteger messages = new AtomicInteger();
        Consumer consumer = mock(Consumer.class, called -> switch (called.getMethod().getName()) {
            case "cnx" -> connection;
            case "consumerName" -> "consumer";
            case "isWritable" -> true;
            case "getAvailablePermits" -> permits - messages.get();
            case "getAvgMessagesPerEntry" -> batch;
            case "sendMessages" -> {
                messages.addAndGet(batch * called.<List<?>>getArgument(0).size());
                yield ImmediateEventExecutor.INSTANCE.newSucceededFuture(null);
            }
            default -> RETURNS_DEFAULTS.answer(called);
        });
        dispatcher.addConsumer(consumer).join();

        List<Entry> entries = new ArrayList<>();
        for (int entry = 0; entry < 3; entry++) {
            MessageMetadata metadata = new MessageMetadata().setProducerName("producer").setSequenceId(entry)
                    .setPublishTime(1).setPartitionKey("key").setNumMessagesInBatch(batch);
            entries.add(EntryImpl.create(1, entry, Commands.serializeMetadataAndPayload(
                    Commands.ChecksumType.Crc32c, metadata, Unpooled.wrappedBuffer(new byte[batch]))));
        }
        dispatcher.trySendMessagesToConsumers(
                PersistentDispatcherMultipleConsumers.ReadType.Normal, entries);
        // The last entry may hold more than there is room for.
        assertTrue(messages.get() > 0 && messages.get() < permits + batch,
                messages + " messages were sent to a consumer that has room for " + permits + ",");
    }
}
