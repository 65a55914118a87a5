package evenkeel.pulsar.standin;

import io.netty.channel.EventLoopGroup;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.broker.service.BrokerService;
import org.apache.pulsar.broker.service.Topic;
import org.apache.pulsar.common.naming.NamespaceBundle;

/** A broker that serves no topics: its map of them is empty, plain maps since 4.0. */
public abstract class TopiclessService extends BrokerService {
    protected TopiclessService(PulsarService pulsar, EventLoopGroup events) throws Exception {
        super(pulsar, events);
    }

    @Override
    public Map<String, Map<String, Map<String, Topic>>> getMultiLayerTopicsMap() {
        return new HashMap<>();
    }

    // Overrides a method of Pulsar's since 5.0.1: which topics are to be closed.
    public Map<String, CompletableFuture<Optional<Topic>>> getTopicFuturesInBundle(NamespaceBundle bundle) {
        return Map.of();
    }

    // Overrides a method of Pulsar's since 5.0.1.
    public CompletableFuture<Integer> unloadServiceUnit(NamespaceBundle bundle, boolean disconnectClients,
                                                        boolean closeWithoutWaiting, long timeout, TimeUnit unit,
                                                        Map<String, CompletableFuture<Optional<Topic>>> topics) {
        return unloadServiceUnit(bundle, disconnectClients, closeWithoutWaiting, timeout, unit);
    }

    // Overrides a method of Pulsar's since 5.0.1.
    public void cleanUnloadedTopicFromCache(NamespaceBundle bundle,
                                            Map<String, CompletableFuture<Optional<Topic>>> topics) {
        cleanUnloadedTopicFromCache(bundle);
    }
}
