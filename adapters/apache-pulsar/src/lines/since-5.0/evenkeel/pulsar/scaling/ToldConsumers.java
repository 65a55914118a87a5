package evenkeel.pulsar.scaling;

import evenkeel.pulsar.Private;
import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.broker.resources.ScalableTopicResources;
import org.apache.pulsar.common.naming.TopicName;

/** The records of a subscription's consumers, which are stored at once; nobody reads them here. */
final class ToldConsumers extends ScalableTopicResources {
    private ToldConsumers() {
        super(null, 0);
    }

    static ToldConsumers create() {
        return Private.allocate(ToldConsumers.class);
    }

    @Override
    public CompletableFuture<Void> registerConsumerAsync(TopicName topic, String subscription, String consumer) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Void> unregisterConsumerAsync(TopicName topic, String subscription, String consumer) {
        return CompletableFuture.completedFuture(null);
    }
}
