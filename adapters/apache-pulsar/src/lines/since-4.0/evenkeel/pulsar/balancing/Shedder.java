package evenkeel.pulsar.balancing;

import evenkeel.pulsar.Private;
import org.apache.pulsar.broker.loadbalance.impl.ModularLoadManagerImpl;

/** The strategy by which a modular manager sheds. */
final class Shedder {
    private Shedder() {
    }

    static Object of(ModularLoadManagerImpl manager) {
        return Private.get(ModularLoadManagerImpl.class, manager, "loadSheddingStrategy");
    }
}
