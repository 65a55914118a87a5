package evenkeel.pulsar.balancing;

import evenkeel.pulsar.Private;
import java.util.List;
import org.apache.pulsar.broker.loadbalance.impl.ModularLoadManagerImpl;

/** The strategy by which a modular manager sheds: the only one of a list until 3.3. */
final class Shedder {
    private Shedder() {
    }

    static Object of(ModularLoadManagerImpl manager) {
        return Private.<List<?>>get(ModularLoadManagerImpl.class, manager, "loadSheddingPipeline").get(0);
    }
}
