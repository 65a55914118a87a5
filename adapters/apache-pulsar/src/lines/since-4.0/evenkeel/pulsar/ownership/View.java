package evenkeel.pulsar.ownership;

import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.broker.loadbalance.extensions.channel.ServiceUnitStateData;
import org.apache.pulsar.broker.loadbalance.extensions.channel.ServiceUnitStateTableView;
import org.apache.pulsar.common.naming.NamespaceBundle;

/**
 * A broker's table view in memory. What is written goes to the {@link Cluster}; what the broker has read of it, and
 * nothing else, is seen here.
 */
public final class View implements ServiceUnitStateTableView {
    private static final int FLUSHES_OF_A_CLEAN_UP = 2;

    private final Map<String, Stamped> seen = new HashMap<>();
    private Cluster cluster;
    private Broker broker;
    private BiConsumer<String, ServiceUnitStateData> changed;
    private BiConsumer<String, ServiceUnitStateData> existing;
    private BiConsumer<String, ServiceUnitStateData> outdated;
    private int flushes;

    /** A record and the virtual time at which it was published. */
    record Stamped(ServiceUnitStateData data, long published) {
        boolean same(Stamped other) {
            return other != null && published == other.published && data.equals(other.data);
        }
    }

    @Override
    public void start(PulsarService pulsar, BiConsumer<String, ServiceUnitStateData> tail,
                      BiConsumer<String, ServiceUnitStateData> existingItems,
                      BiConsumer<String, ServiceUnitStateData> outdatedItems) {
        broker = ((ChannelPulsar) pulsar).broker();
        broker.view = this;
        cluster = broker.cluster;
        changed = tail;
        existing = existingItems;
        outdated = outdatedItems;
        cluster.fill(broker, this);
        tellExisting();
    }

    /** The broker learns which bundles were owned before it looked. */
    void tellExisting() {
        for (String key : Ranges.KEYS) {
            if (seen.containsKey(key)) {
                existing.accept(key, get(key));
            }
        }
    }

    /** The record as it was published, or null. */
    Stamped stamped(String key) {
        return seen.get(key);
    }

    /** The broker's knowledge changes; it is not told yet. */
    void see(String key, Stamped record) {
        if (record == null) {
            seen.remove(key);
        } else {
            seen.put(key, record);
        }
    }

    /** The broker is told that its knowledge has changed. Like Pulsar's views this one outlives what it throws. */
    void tell(String key) {
        try {
            changed.accept(key, get(key));
        } catch (RuntimeException logged) {
            return;
        }
    }

    /** Nothing of this can be trusted any more. */
    void distrust() {
        for (String key : Ranges.KEYS) {
            if (seen.containsKey(key)) {
                outdated.accept(key, get(key));
                seen.remove(key);
            }
        }
    }

    void beginCleanUp() {
        flushes = 0;
    }

    @Override
    public ServiceUnitStateData get(String key) {
        Stamped record = seen.get(key);
        return record == null ? null : cluster.aged(record);
    }

    @Override
    public CompletableFuture<Void> put(String key, ServiceUnitStateData value) {
        return cluster.write(broker, key, ordered(value));
    }

    /** The children in the order of their ranges, as they come out of the record's JSON. */
    private static ServiceUnitStateData ordered(ServiceUnitStateData data) {
        if (data.splitServiceUnitToDestBroker() == null) {
            return data;
        }
        return new ServiceUnitStateData(data.state(), data.dstBroker(), data.sourceBroker(),
                new TreeMap<>(data.splitServiceUnitToDestBroker()), data.force(), data.timestamp(),
                data.versionId());
    }

    @Override
    public CompletableFuture<Void> delete(String key) {
        return cluster.remove(broker, key);
    }

    @Override
    public Set<Map.Entry<String, ServiceUnitStateData>> entrySet() {
        Set<Map.Entry<String, ServiceUnitStateData>> entries = new LinkedHashSet<>();
        for (String key : Ranges.KEYS) {
            if (seen.containsKey(key)) {
                entries.add(new SimpleImmutableEntry<>(key, get(key)));
            }
        }
        return entries;
    }

    /**
     * A topic is read to its end; nodes are not, as in Pulsar. A clean-up flushes twice and then, if a bundle is
     * still there, sleeps and looks again for five seconds, in which nothing can happen here: that is cut short.
     * Since 5.0.1 it also overrides the bundle again before each sleep; here once.
     */
    @Override
    public void flush(long waitDurationInMillis) {
        if (!isMetadataStoreBased()) {
            cluster.catchUp(broker);
        }
        if (++flushes > FLUSHES_OF_A_CLEAN_UP) {
            throw new WaitedLongEnough();
        }
    }

    @Override
    public boolean isMetadataStoreBased() {
        return cluster.inNodes();
    }

    @Override
    public Set<NamespaceBundle> ownedServiceUnits() {
        return Set.of();
    }

    @Override
    public void close() {
        // Nothing is open.
    }

    /** Ends a clean-up's waiting. */
    static final class WaitedLongEnough extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }
}
