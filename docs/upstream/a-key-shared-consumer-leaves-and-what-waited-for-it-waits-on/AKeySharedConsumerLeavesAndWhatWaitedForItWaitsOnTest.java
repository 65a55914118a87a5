// Apache-2.0. Needs Apache Pulsar, TestNG and Mockito only.
package org.apache.pulsar.broker.service.persistent;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.mockingDetails;
import static org.mockito.Mockito.when;
import static org.testng.Assert.assertTrue;

import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoopGroup;
import java.util.ArrayList;
import java.util.List;
import org.apache.bookkeeper.mledger.Entry;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.bookkeeper.mledger.impl.EntryImpl;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.service.Consumer;
import org.apache.pulsar.broker.service.TransportCnx;
import org.apache.pulsar.common.api.proto.CommandSubscribe.SubType;
import org.apache.pulsar.common.api.proto.KeySharedMeta;
import org.apache.pulsar.common.api.proto.KeySharedMode;
import org.apache.pulsar.common.api.proto.MessageMetadata;
import org.apache.pulsar.common.protocol.Commands;
import org.testng.annotations.Test;

public class AKeySharedConsumerLeavesAndWhatWaitedForItWaitsOnTest {

    /**
     * A Key_Shared consumer leaves, and what waited for it waits on. Nobody reads it again for the
     * consumer that has its keys now, and has permits.
     */
    @Test
    public void testAKeySharedConsumerLeavesAndWhatWaitedForItWaitsOn() throws Exception {
        int room = 0;
        PersistentTopic topic = mock(PersistentTopic.class, RETURNS_DEEP_STUBS);
        when(topic.getName()).thenReturn("persistent://public/default/topic");
        ServiceConfiguration config = new ServiceConfiguration();
        when(topic.getBrokerService().getPulsar().getConfiguration()).thenReturn(config);
        when(topic.getBrokerService().pulsar().getConfiguration()).thenReturn(config);
        EventLoopGroup executor = mock(EventLoopGroup.class);
        doAnswer(called -> {
            called.<Runnable>getArgument(0).run();
            return null;
        }).when(executor).execute(any());
        when(topic.getBrokerService().executor()).thenReturn(executor);
        ManagedCursor cursor = mock(ManagedCursor.class);
        when(cursor.getName()).thenReturn("subscription");
        PersistentSubscription subscription = mock(PersistentSubscription.class, RETURNS_DEEP_STUBS);
        when(subscription.getTopic()).thenReturn(topic);
        PersistentStickyKeyDispatcherMultipleConsumers dispatcher = new PersistentStickyKeyDispatcherMultipleConsumers(
                topic, cursor, subscription, config, new KeySharedMeta().setKeySharedMode(KeySharedMode.AUTO_SPLIT));
        TransportCnx connection = mock(TransportCnx.class, RETURNS_DEEP_STUBS);
        when(connection.isActive()).thenReturn(true);
        when(connection.isWritable()).thenReturn(true);
        List<Consumer> consumers = new ArrayList<>();
        for (int permits : new int[] {30, room}) {
            Consumer consumer = new Consumer(subscription, SubType.Key_Shared, topic.getName(), consumers.size(), 0,
                    "consumer " + consumers.size(), true, connection, null, null, false, null, null, 0);
            dispatcher.addConsumer(consumer).join();
            if (permits > 0) {
                consumer.flowPermits(permits);
            }
            consumers.add(consumer);
        }

        List<Entry> entries = new ArrayList<>();
        for (int key = 0; key < 30; key++) {
            MessageMetadata metadata = new MessageMetadata().setProducerName("producer").setSequenceId(key)
                    .setPublishTime(1).setPartitionKey("key " + key);
            entries.add(EntryImpl.create(1, key, Commands.serializeMetadataAndPayload(
                    Commands.ChecksumType.Crc32c, metadata, Unpooled.wrappedBuffer(new byte[1]))));
        }
        dispatcher.trySendMessagesToConsumers(PersistentDispatcherMultipleConsumers.ReadType.Normal, entries);
        int waiting = dispatcher.redeliveryMessages.size();
        assertTrue(waiting > 0 && consumers.get(0).getAvailablePermits() > 0);

        dispatcher.removeConsumer(consumers.get(1));
        assertTrue(mockingDetails(cursor).getInvocations().stream()
                        .anyMatch(called -> called.getMethod().getName().equals("asyncReplayEntries")),
                "the " + waiting + " entries that waited for who left are read for the other");
    }
}
