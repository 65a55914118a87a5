package evenkeel.pulsar.balancing;

import evenkeel.pulsar.Private;
import java.util.List;
import org.apache.pulsar.broker.loadbalance.LoadSheddingStrategy;
import org.apache.pulsar.broker.loadbalance.impl.ModularLoadManagerImpl;

/** The strategy by which a modular manager sheds: the only one of a list until 3.3. */
public final class Shedder {
    private Shedder() {
    }

    public static Object of(ModularLoadManagerImpl manager) {
        return Private.<List<?>>get(ModularLoadManagerImpl.class, manager, "loadSheddingPipeline").get(0);
    }

    /** Lets the manager shed by this strategy from now on. */
    public static void set(ModularLoadManagerImpl manager, LoadSheddingStrategy strategy) {
        Private.<List<Object>>get(ModularLoadManagerImpl.class, manager, "loadSheddingPipeline").set(0, strategy);
    }
}
