package evenkeel.pulsar.scaling;

import evenkeel.pulsar.Private;
import evenkeel.pulsar.standin.Tasks;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.impl.PulsarClientImpl;
import org.apache.pulsar.client.impl.conf.ClientConfigurationData;
import org.apache.pulsar.client.impl.conf.ConsumerConfigurationData;
import org.apache.pulsar.client.util.ExecutorProvider;
import org.apache.pulsar.client.util.ScheduledExecutorProvider;

/** A client without a connection: its consumers of segments are told, and its work is done by {@link Tasks}. */
final class SegmentClient extends PulsarClientImpl {
    private Function<ConsumerConfigurationData<?>, Consumer<?>> subscribe;
    private Provider provider;

    private SegmentClient() throws PulsarClientException {
        super(new ClientConfigurationData());
    }

    static SegmentClient of(Tasks tasks, Function<ConsumerConfigurationData<?>, Consumer<?>> subscribe) {
        SegmentClient client = Private.allocate(SegmentClient.class);
        Private.set(PulsarClientImpl.class, client, "consumerIdGenerator", new AtomicLong());
        Private.set(PulsarClientImpl.class, client, "conf", new ClientConfigurationData());
        client.subscribe = subscribe;
        client.provider = Private.allocate(Provider.class);
        client.provider.tasks = tasks;
        return client;
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> CompletableFuture<Consumer<T>> subscribeSegmentAsync(
            ConsumerConfigurationData<T> settings, Schema<T> schema) {
        return CompletableFuture.completedFuture((Consumer<T>) subscribe.apply(settings));
    }

    @Override
    public ExecutorProvider externalExecutorProvider() {
        return provider;
    }

    @Override
    public ScheduledExecutorProvider getScheduledExecutorProvider() {
        return provider;
    }

    private static final class Provider extends ScheduledExecutorProvider {
        private Tasks tasks;

        private Provider() {
            super(1, "never called");
        }

        @Override
        public ExecutorService getExecutor() {
            return tasks;
        }
    }
}
