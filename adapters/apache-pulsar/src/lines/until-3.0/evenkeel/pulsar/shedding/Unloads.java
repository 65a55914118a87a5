package evenkeel.pulsar.shedding;

import org.apache.pulsar.broker.loadbalance.extensions.manager.UnloadManager;
import org.apache.pulsar.broker.loadbalance.extensions.models.UnloadCounter;

/** Unloads under way; until 3.0 they only count. */
public abstract class Unloads extends UnloadManager {
    protected Unloads() {
        super(new UnloadCounter());
    }
}
