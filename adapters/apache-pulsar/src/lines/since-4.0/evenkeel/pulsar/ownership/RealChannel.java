package evenkeel.pulsar.ownership;

import evenkeel.pulsar.Private;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.broker.loadbalance.LeaderBroker;
import org.apache.pulsar.broker.loadbalance.LeaderElectionService;
import org.apache.pulsar.broker.loadbalance.extensions.BrokerRegistry;
import org.apache.pulsar.broker.loadbalance.extensions.ExtensibleLoadManagerImpl;
import org.apache.pulsar.broker.loadbalance.extensions.LoadManagerContext;
import org.apache.pulsar.broker.loadbalance.extensions.channel.ServiceUnitStateChannelImpl;
import org.apache.pulsar.broker.loadbalance.extensions.store.LoadDataStore;
import org.apache.pulsar.client.admin.Brokers;
import org.apache.pulsar.client.admin.PulsarAdmin;
import org.apache.pulsar.common.naming.ServiceUnitId;
import org.apache.pulsar.metadata.api.NotificationType;
import org.apache.pulsar.broker.namespace.LookupOptions;

/** Pulsar's own channel; only whom it asks about other brokers is ours. */
final class RealChannel extends ServiceUnitStateChannelImpl {
    private final Broker broker;

    RealChannel(PulsarService pulsar, Broker broker) {
        super(pulsar);
        this.broker = broker;
    }

    @Override
    protected BrokerRegistry getBrokerRegistry() {
        return proxy(BrokerRegistry.class, (method, arguments) -> switch (method) {
            case "isRegistered" -> broker.registered;
            case "lookupAsync" -> CompletableFuture.completedFuture(
                    broker.cluster.isRegistered((String) arguments[0])
                            ? Optional.of(Cluster.REGISTRATION) : Optional.empty());
            case "addListener" -> null;
            default -> throw new UnsupportedOperationException(method);
        });
    }

    @Override
    protected LoadManagerContext getContext() {
        LoadDataStore<?> store = proxy(LoadDataStore.class,
                (method, arguments) -> CompletableFuture.completedFuture(null));
        return proxy(LoadManagerContext.class, (method, arguments) -> store);
    }

    @Override
    protected ExtensibleLoadManagerImpl getLoadManager() {
        Selecting manager = Private.allocate(Selecting.class);
        manager.cluster = broker.cluster;
        return manager;
    }

    @Override
    protected LeaderElectionService getLeaderElectionService() {
        Elected elected = Private.allocate(Elected.class);
        elected.cluster = broker.cluster;
        return elected;
    }

    @Override
    protected PulsarAdmin getPulsarAdmin() {
        Brokers brokers = proxy(Brokers.class, (method, arguments) -> {
            if (!method.equals("healthcheckAsync")) {
                throw new UnsupportedOperationException(method);
            }
            String asked = ((Optional<?>) arguments[arguments.length - 1]).orElseThrow().toString();
            return broker.cluster.isHealthy(asked) ? CompletableFuture.completedFuture(null)
                    : CompletableFuture.failedFuture(new IllegalStateException(asked + " does not answer"));
        });
        return proxy(PulsarAdmin.class, (method, arguments) -> brokers);
    }

    void registrationChanged(String other, boolean present) {
        handleBrokerRegistrationEvent(other, present ? NotificationType.Created : NotificationType.Deleted);
    }

    void monitor() {
        monitorOwnerships(broker.cluster.registeredBrokers());
    }

    /** When the session's last event was, in the machine's time. */
    void sessionEventAt(long millis) {
        Private.set(ServiceUnitStateChannelImpl.class, this, "lastMetadataSessionEventTimestamp", millis);
    }

    Map<String, CompletableFuture<Void>> cleanUpJobs() {
        return Private.get(ServiceUnitStateChannelImpl.class, this, "cleanupJobs");
    }

    /** What a stand-in does when a method is called. */
    private interface Answer {
        Object to(String method, Object[] arguments);
    }

    private static <T> T proxy(Class<T> type, Answer answer) {
        return type.cast(Proxy.newProxyInstance(RealChannel.class.getClassLoader(), new Class<?>[] {type},
                (self, method, arguments) -> answer.to(method.getName(), arguments)));
    }

    /** Selects brokers as the protocol says: the first that could take the bundle. */
    private static final class Selecting extends ExtensibleLoadManagerImpl {
        private Cluster cluster;

        @Override
        public CompletableFuture<Optional<String>> selectAsync(ServiceUnitId bundle, Set<String> excluded,
                                                               LookupOptions options) {
            return CompletableFuture.completedFuture(cluster.select(excluded));
        }
    }

    /** The election's outcome. */
    private static final class Elected extends LeaderElectionService {
        private Cluster cluster;

        private Elected() {
            super(null, null, null, null);
        }

        @Override
        public CompletableFuture<Optional<LeaderBroker>> readCurrentLeader() {
            return CompletableFuture.completedFuture(
                    Optional.ofNullable(cluster.leader).map(name -> new LeaderBroker(name, "http://" + name)));
        }
    }
}
