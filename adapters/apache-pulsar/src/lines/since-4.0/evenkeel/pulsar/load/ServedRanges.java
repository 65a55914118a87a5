package evenkeel.pulsar.load;

import evenkeel.pulsar.Private;
import java.util.Collection;
import java.util.Map;
import org.apache.pulsar.broker.loadbalance.impl.BundleRangeCache;
import org.apache.pulsar.broker.loadbalance.impl.ModularLoadManagerImpl;

/** Which bundles the modular manager believes each broker to serve: a class of its own since 4.0. */
public final class ServedRanges {
    private final BundleRangeCache ranges;
    private final Map<?, ?> byBroker;

    public ServedRanges(ModularLoadManagerImpl manager) {
        ranges = Private.get(ModularLoadManagerImpl.class, manager, "brokerToNamespaceToBundleRange");
        byBroker = Private.get(BundleRangeCache.class, ranges, "data");
    }

    public void clear() {
        byBroker.clear();
    }

    /** The bundles of one broker, by full name. */
    public void put(String broker, Collection<String> bundles) {
        ranges.reloadFromBundles(broker, bundles.stream());
    }
}
