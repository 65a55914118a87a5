package evenkeel.pulsar.placement;

import evenkeel.pulsar.Private;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.LoadData;
import org.apache.pulsar.broker.loadbalance.impl.AvgShedder;
import org.apache.pulsar.policies.data.loadbalancer.BundleData;

/** Where an {@link AvgShedder} plans bundles to go: until 5.0.0 a map by their statistics. */
public final class Plans {
    private final AvgShedder shedder;
    private final Map<BundleData, String> plan;

    public Plans(AvgShedder shedder) {
        this.shedder = shedder;
        plan = Private.get(AvgShedder.class, shedder, "bundleBrokerMap");
    }

    void put(String bundle, BundleData data, String broker, String source) {
        plan.put(data, broker);
    }

    /** The round of shedding is over: the plan stays. */
    void end() {
    }

    Optional<String> place(Set<String> candidates, String bundle, BundleData data, LoadData load,
                           ServiceConfiguration config) {
        return shedder.selectBroker(candidates, data, load, config);
    }

    /** The broker that the shedder, asked as the placement strategy that it also is, has for a bundle; null: none. */
    public String destination(String bundle, LoadData load, ServiceConfiguration config) {
        return shedder.selectBroker(load.getBrokerData().keySet(), load.getBundleData().get(bundle), load, config)
                .orElse(null);
    }
}
