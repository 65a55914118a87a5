package evenkeel.pulsar.ownership;

import evenkeel.pulsar.Private;
import java.lang.reflect.Proxy;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.namespace.NamespaceService;
import org.apache.pulsar.broker.resources.PulsarResources;
import org.apache.pulsar.broker.service.BrokerService;
import org.apache.pulsar.metadata.api.extended.MetadataStoreExtended;
import org.apache.pulsar.metadata.api.extended.SessionEvent;

/** What a channel gets to see of its broker: its parts, and nothing that was started. */
final class ChannelPulsar extends PulsarService {
    private Broker broker;
    private PulsarResources resources;
    private BrokerService topics;
    private NamespaceService namespaces;
    private MetadataStoreExtended store;
    private ScheduledExecutorService executor;
    private ScheduledExecutorService loadManagerExecutor;

    private ChannelPulsar() {
        super(new ServiceConfiguration());
    }

    static ChannelPulsar create(Broker broker, PulsarResources resources) {
        ChannelPulsar pulsar = Private.allocate(ChannelPulsar.class);
        pulsar.broker = broker;
        pulsar.resources = resources;
        pulsar.topics = BrokerTopics.create(broker);
        pulsar.namespaces = BrokerNamespaces.create(broker);
        pulsar.store = sessions(broker);
        pulsar.executor = new Inline();
        pulsar.loadManagerExecutor = broker.cleanUps;
        return pulsar;
    }

    /** A metadata store of which only the session's events are of interest. */
    private static MetadataStoreExtended sessions(Broker broker) {
        return (MetadataStoreExtended) Proxy.newProxyInstance(ChannelPulsar.class.getClassLoader(),
                new Class<?>[] {MetadataStoreExtended.class}, (proxy, method, arguments) -> {
                    // Since 5.0.1 it can be cancelled, too.
                    if (!method.getName().endsWith("SessionListener")) {
                        throw new UnsupportedOperationException(method.getName());
                    }
                    @SuppressWarnings("unchecked")
                    Consumer<SessionEvent> listener = (Consumer<SessionEvent>) arguments[0];
                    broker.session = listener;
                    return (Runnable) () -> broker.session = null;
                });
    }

    Broker broker() {
        return broker;
    }

    @Override
    public String getBrokerId() {
        return broker.name;
    }

    @Override
    public ServiceConfiguration getConfig() {
        return broker.cluster.config;
    }

    @Override
    public ServiceConfiguration getConfiguration() {
        return broker.cluster.config;
    }

    @Override
    public ScheduledExecutorService getExecutor() {
        return executor;
    }

    @Override
    public ScheduledExecutorService getLoadManagerExecutor() {
        return loadManagerExecutor;
    }

    @Override
    public NamespaceService getNamespaceService() {
        return namespaces;
    }

    @Override
    public BrokerService getBrokerService() {
        return topics;
    }

    @Override
    public PulsarResources getPulsarResources() {
        return resources;
    }

    @Override
    public MetadataStoreExtended getLocalMetadataStore() {
        return store;
    }
}
