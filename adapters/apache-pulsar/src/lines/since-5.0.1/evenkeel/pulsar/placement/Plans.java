package evenkeel.pulsar.placement;

import evenkeel.pulsar.Private;
import java.lang.reflect.Constructor;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.LoadData;
import org.apache.pulsar.broker.loadbalance.impl.AvgShedder;
import org.apache.pulsar.policies.data.loadbalancer.BundleData;

/** Where an {@link AvgShedder} plans bundles to go: since 5.0.1 a map by their names, with the broker that sheds. */
public final class Plans {
    private final AvgShedder shedder;
    private final Map<String, Object> plan;

    public Plans(AvgShedder shedder) {
        this.shedder = shedder;
        plan = Private.get(AvgShedder.class, shedder, "pendingBundleToUnload");
    }

    void put(String bundle, BundleData data, String broker, String source) {
        plan.put(bundle, pending(source, broker));
    }

    private static Object pending(String source, String broker) {
        try {
            Constructor<?> maker = Class.forName(AvgShedder.class.getName() + "$PendingUnload")
                    .getDeclaredConstructor(String.class, String.class);
            maker.setAccessible(true);
            return maker.newInstance(source, broker);
        } catch (ReflectiveOperationException missing) {
            throw new IllegalStateException("this Pulsar plans otherwise", missing);
        }
    }

    /** The round of shedding is over. */
    void end() {
        shedder.onUnloadAttemptCompleted();
    }

    Optional<String> place(Set<String> candidates, String bundle, BundleData data, LoadData load,
                           ServiceConfiguration config) {
        return shedder.selectBrokerForBundle(candidates, bundle, data, load, config);
    }

    /** The broker in the plan; that the bundle goes there is asked by placement. Null: none. */
    public String destination(String bundle, LoadData load, ServiceConfiguration config) {
        Object planned = plan.get(bundle);
        return planned == null ? null : Private.get(planned.getClass(), planned, "destinationBroker");
    }
}
