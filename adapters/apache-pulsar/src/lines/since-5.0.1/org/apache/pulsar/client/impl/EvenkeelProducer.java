package org.apache.pulsar.client.impl;

import evenkeel.pulsar.Private;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoopGroup;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.apache.commons.lang3.tuple.Pair;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.impl.conf.ClientConfigurationData;
import org.apache.pulsar.client.impl.conf.ProducerConfigurationData;
import org.apache.pulsar.client.impl.metrics.InstrumentProvider;
import org.apache.pulsar.common.api.proto.MessageMetadata;
import org.apache.pulsar.common.protocol.Commands;

/** A producer that has lost its connection, and none ever comes: what it would publish stays in its queue. */
public final class EvenkeelProducer extends ProducerImpl<byte[]> {
    public EvenkeelProducer(ProducerConfigurationData settings) {
        super(Private.allocate(Unconnected.class), settings.getTopicName(), settings, new CompletableFuture<>(), -1,
                Schema.BYTES, null, Optional.empty());
        setState(State.Ready);
    }

    /** Publishes what waits, and tells each entry: its messages by their sequence ids, and its metadata. */
    public void publish(BiConsumer<List<Long>, MessageMetadata> told) {
        triggerFlush();
        for (OpSendMsg entry : pendingMessages) {
            List<MessageImpl<?>> messages = entry.msg == null ? entry.msgs : List.of(entry.msg);
            ByteBuf command = entry.cmd.getFirst().duplicate().skipBytes(Integer.BYTES);
            command.skipBytes(command.readInt());
            List<Long> places = messages.stream().map(MessageImpl::getSequenceId).toList();
            told.accept(places, Commands.parseMessageMetadata(command));
        }
        failPendingMessages(null, new PulsarClientException("the trial is over"));
    }

    /** A client that nothing was started for. */
    private static final class Unconnected extends PulsarClientImpl {
        private Unconnected() throws PulsarClientException {
            super((ClientConfigurationData) null);
        }

        @Override
        public ClientConfigurationData getConfiguration() {
            ClientConfigurationData settings = new ClientConfigurationData();
            settings.setStatsIntervalSeconds(0);
            return settings;
        }

        /** It never comes to what is to be done later. */
        @Override
        public EventLoopGroup eventLoopGroup() {
            return (EventLoopGroup) Proxy.newProxyInstance(Unconnected.class.getClassLoader(),
                    new Class<?>[] {EventLoopGroup.class}, (self, method, arguments) -> null);
        }

        @Override
        public InstrumentProvider instrumentProvider() {
            return InstrumentProvider.NOOP;
        }

        @Override
        public MemoryLimitController getMemoryLimitController() {
            return new MemoryLimitController(0);
        }

        @Override
        public Clock getClientClock() {
            return Clock.systemUTC();
        }

        @Override
        public ConnectionPool getCnxPool() {
            return Private.allocate(ConnectionPool.class);
        }

        @Override
        long newProducerId() {
            return 1;
        }

        @Override
        public CompletableFuture<ClientCnx> getConnection(String topic) {
            return new CompletableFuture<>();
        }

        @Override
        public CompletableFuture<Pair<ClientCnx, Boolean>> getConnection(String topic, int key) {
            return new CompletableFuture<>();
        }

        @Override
        public CompletableFuture<ClientCnx> getConnection(InetSocketAddress logical, InetSocketAddress physical, int key) {
            return new CompletableFuture<>();
        }
    }
}
