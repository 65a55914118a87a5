package evenkeel.pulsar.throttling;

import evenkeel.pulsar.Private;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.ProducerBuilder;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.impl.MessageImpl;
import org.apache.pulsar.client.impl.ProducerImpl;
import org.apache.pulsar.client.impl.PulsarClientImpl;
import org.apache.pulsar.client.impl.SendCallback;
import org.apache.pulsar.client.impl.conf.ClientConfigurationData;

/** A client of the other cluster that has no connection: who asks for a producer is given one. */
final class ReplicatingClient extends PulsarClientImpl {
    private ReplicatingClient() throws PulsarClientException {
        super((ClientConfigurationData) null);
    }

    static ReplicatingClient create() {
        return Private.allocate(ReplicatingClient.class);
    }

    /** A builder that takes all that it is told. */
    @Override
    @SuppressWarnings("unchecked")
    public <T> ProducerBuilder<T> newProducer(Schema<T> schema) {
        return (ProducerBuilder<T>) Proxy.newProxyInstance(ReplicatingClient.class.getClassLoader(),
                new Class<?>[] {ProducerBuilder.class}, (self, method, arguments) -> self);
    }

    /** A producer that is connected and can be written to; what it sends ends when it is told so. */
    static final class Producer extends ProducerImpl<byte[]> {
        /** The entries that it was given. */
        List<Long> sent;
        private Deque<SendCallback> queue;

        private Producer() {
            super(null, null, null, null, 0, null, null, Optional.empty());
        }

        static Producer create() {
            Producer producer = Private.allocate(Producer.class);
            producer.sent = new ArrayList<>();
            producer.queue = new ArrayDeque<>();
            return producer;
        }

        @Override
        public void sendAsync(Message<?> message, SendCallback callback) {
            sent.add(((MessageImpl<?>) message).getSequenceId());
            queue.add(callback);
        }

        /** The oldest entry ends with this, or was stored. False: there is none. */
        boolean end(Throwable failure) {
            SendCallback oldest = queue.poll();
            if (oldest != null) {
                oldest.sendComplete(failure, null);
            }
            return oldest != null;
        }

        @Override
        public boolean isWritable() {
            return true;
        }

        @Override
        public boolean isConnected() {
            return true;
        }

        @Override
        public int getPendingQueueSize() {
            return queue.size();
        }
    }
}
