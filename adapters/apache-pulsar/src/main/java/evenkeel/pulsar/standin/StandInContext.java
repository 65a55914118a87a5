package evenkeel.pulsar.standin;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.extensions.BrokerRegistry;
import org.apache.pulsar.broker.loadbalance.extensions.ExtensibleLoadManagerImpl;
import org.apache.pulsar.broker.loadbalance.extensions.LoadManagerContext;
import org.apache.pulsar.broker.loadbalance.extensions.data.BrokerLoadData;
import org.apache.pulsar.broker.loadbalance.extensions.data.BrokerLookupData;
import org.apache.pulsar.broker.loadbalance.extensions.data.TopBundlesLoadData;
import org.apache.pulsar.broker.loadbalance.extensions.store.LoadDataStore;
import org.apache.pulsar.metadata.api.NotificationType;

/** A cluster in which this broker is the only one. */
public final class StandInContext implements LoadManagerContext, BrokerRegistry {
    private final BrokerLookupData self = registration(ExtensibleLoadManagerImpl.class.getName());
    private final ServiceConfiguration configuration;

    public StandInContext(ServiceConfiguration configuration) {
        this.configuration = configuration;
    }

    /** How this broker is registered if it runs the load manager of this class. */
    static BrokerLookupData registration(String loadManagerClass) {
        return Registration.of(StandInPulsar.BROKER_ID, "broker-1:6650", true, true, loadManagerClass, "evenkeel");
    }

    @Override
    public ServiceConfiguration brokerConfiguration() {
        return configuration;
    }

    @Override
    public BrokerRegistry brokerRegistry() {
        return this;
    }

    @Override
    public LoadDataStore<BrokerLoadData> brokerLoadDataStore() {
        throw new UnsupportedOperationException("no question reads the brokers' loads here");
    }

    @Override
    public LoadDataStore<TopBundlesLoadData> topBundleLoadDataStore() {
        throw new UnsupportedOperationException("no question reads the bundles' loads here");
    }

    @Override
    public String getBrokerId() {
        return StandInPulsar.BROKER_ID;
    }

    @Override
    public boolean isStarted() {
        return true;
    }

    // Overrides a method of Pulsar's since 3.3.
    public boolean isRegistered() {
        return true;
    }

    @Override
    public CompletableFuture<List<String>> getAvailableBrokersAsync() {
        return CompletableFuture.completedFuture(List.of(StandInPulsar.BROKER_ID));
    }

    @Override
    public CompletableFuture<Optional<BrokerLookupData>> lookupAsync(String broker) {
        return CompletableFuture.completedFuture(
                StandInPulsar.BROKER_ID.equals(broker) ? Optional.of(self) : Optional.empty());
    }

    @Override
    public CompletableFuture<Map<String, BrokerLookupData>> getAvailableBrokerLookupDataAsync() {
        return CompletableFuture.completedFuture(Map.of(StandInPulsar.BROKER_ID, self));
    }

    @Override
    public void addListener(BiConsumer<String, NotificationType> listener) {
        // No broker comes or goes.
    }

    // Overrides a method of Pulsar's since 3.3.
    public CompletableFuture<Void> registerAsync() {
        return CompletableFuture.completedFuture(null);
    }

    // Overrides a method of Pulsar's until 3.0.
    public void register() {
        // It is.
    }

    @Override
    public void unregister() {
        // Nothing to take back.
    }

    @Override
    public void start() {
        // Nothing to start.
    }

    @Override
    public void close() {
        // Nothing to close.
    }
}
