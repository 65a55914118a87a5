package evenkeel.pulsar.ownership;

import evenkeel.pulsar.Private;
import evenkeel.pulsar.standin.TopiclessService;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.common.naming.NamespaceBundle;

/** The topics of a broker: closing them takes until the trial says that it is done. */
final class BrokerTopics extends TopiclessService {
    private Broker broker;

    private BrokerTopics() throws Exception {
        super(null, null);
    }

    static BrokerTopics create(Broker broker) {
        BrokerTopics topics = Private.allocate(BrokerTopics.class);
        topics.broker = broker;
        return topics;
    }

    @Override
    public CompletableFuture<Integer> unloadServiceUnit(NamespaceBundle bundle, boolean disconnectClients,
                                                        boolean closeWithoutWaiting, long timeout, TimeUnit unit) {
        return broker.beginClosing(bundle);
    }

    @Override
    public void cleanUnloadedTopicFromCache(NamespaceBundle bundle) {
        // What is closed is gone.
    }

    @Override
    public void refreshTopicToStatsMaps(NamespaceBundle oldBundle) {
        // No statistics.
    }
}
