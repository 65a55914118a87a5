package evenkeel.pulsar.standin;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.broker.loadbalance.extensions.channel.ServiceUnitState;
import org.apache.pulsar.broker.loadbalance.extensions.channel.ServiceUnitStateData;
import org.apache.pulsar.broker.loadbalance.extensions.channel.ServiceUnitStateDataConflictResolver;
import org.apache.pulsar.broker.loadbalance.extensions.channel.ServiceUnitStateTableView;
import org.apache.pulsar.common.naming.NamespaceBundle;

/**
 * The extensible load manager's channel storage in memory. Which records it takes is decided by Pulsar's own
 * resolver of conflicts; as in Pulsar's storage, writers hear of a record only after their write has returned.
 * Pulsar makes the object itself, from the class name in the configuration.
 */
public final class ListedOwners implements ServiceUnitStateTableView {
    /** Pulsar's timeouts read it from their own thread. */
    private final Map<String, ServiceUnitStateData> records = new ConcurrentHashMap<>();
    private final ServiceUnitStateDataConflictResolver resolver = new ServiceUnitStateDataConflictResolver();
    private BiConsumer<String, ServiceUnitStateData> listener;
    private Executor later;

    @Override
    public void start(PulsarService pulsar, BiConsumer<String, ServiceUnitStateData> tailItemListener,
                      BiConsumer<String, ServiceUnitStateData> existingItemListener,
                      BiConsumer<String, ServiceUnitStateData> itemOutdatedListeners) {
        resolver.setStorageType(ServiceUnitState.StorageType.MetadataStore);
        listener = tailItemListener;
        later = pulsar.getExecutor();
    }

    /** Forgets all records, and starts with this broker as the owner of these bundles. */
    public void reset(Iterable<NamespaceBundle> owned) {
        records.clear();
        for (NamespaceBundle bundle : owned) {
            records.put(bundle.toString(),
                    new ServiceUnitStateData(ServiceUnitState.Owned, StandInPulsar.BROKER_ID, 1));
        }
    }

    @Override
    public ServiceUnitStateData get(String key) {
        return records.get(key);
    }

    @Override
    public CompletableFuture<Void> put(String key, ServiceUnitStateData value) {
        if (!resolver.shouldKeepLeft(records.get(key), value)) {
            records.put(key, value);
            later.execute(() -> listener.accept(key, value));
        }
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Void> delete(String key) {
        if (records.remove(key) != null) {
            later.execute(() -> listener.accept(key, null));
        }
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public Set<Map.Entry<String, ServiceUnitStateData>> entrySet() {
        return records.entrySet();
    }

    @Override
    public Set<NamespaceBundle> ownedServiceUnits() {
        throw new UnsupportedOperationException("no question asks for all owned bundles");
    }

    @Override
    public void flush(long waitDurationInMillis) {
        // Nothing is buffered.
    }

    @Override
    public boolean isMetadataStoreBased() {
        return true;
    }

    @Override
    public void close() {
        // Nothing to close.
    }
}
