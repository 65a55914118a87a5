package evenkeel.pulsar.balancing;

import evenkeel.pulsar.Private;
import org.apache.pulsar.broker.loadbalance.LoadSheddingStrategy;
import org.apache.pulsar.broker.loadbalance.impl.ModularLoadManagerImpl;

/** The strategy by which a modular manager sheds. */
public final class Shedder {
    private Shedder() {
    }

    public static Object of(ModularLoadManagerImpl manager) {
        return Private.get(ModularLoadManagerImpl.class, manager, "loadSheddingStrategy");
    }

    /** Lets the manager shed by this strategy from now on. */
    public static void set(ModularLoadManagerImpl manager, LoadSheddingStrategy strategy) {
        Private.set(ModularLoadManagerImpl.class, manager, "loadSheddingStrategy", strategy);
    }
}
