package evenkeel.pulsar.load;

import evenkeel.pulsar.Private;
import java.util.Collection;
import java.util.Set;
import org.apache.pulsar.broker.loadbalance.impl.LoadManagerShared;
import org.apache.pulsar.broker.loadbalance.impl.ModularLoadManagerImpl;
import org.apache.pulsar.common.util.collections.ConcurrentOpenHashMap;
import org.apache.pulsar.common.util.collections.ConcurrentOpenHashSet;

/** Which bundles the modular manager believes each broker to serve: a map of maps until 3.3. */
public final class ServedRanges {
    private final ConcurrentOpenHashMap<String, ConcurrentOpenHashMap<String, ConcurrentOpenHashSet<String>>> ranges;

    public ServedRanges(ModularLoadManagerImpl manager) {
        ranges = Private.get(ModularLoadManagerImpl.class, manager, "brokerToNamespaceToBundleRange");
    }

    public void clear() {
        ranges.clear();
    }

    /** The bundles of one broker, by full name. */
    public void put(String broker, Collection<String> bundles) {
        var namespaces = ConcurrentOpenHashMap.<String, ConcurrentOpenHashSet<String>>newBuilder().build();
        LoadManagerShared.fillNamespaceToBundlesMap(Set.copyOf(bundles), namespaces);
        ranges.put(broker, namespaces);
    }
}
