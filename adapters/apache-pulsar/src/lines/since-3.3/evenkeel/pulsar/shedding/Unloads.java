package evenkeel.pulsar.shedding;

import org.apache.pulsar.broker.loadbalance.extensions.manager.UnloadManager;
import org.apache.pulsar.broker.loadbalance.extensions.models.UnloadCounter;

/** Unloads under way; since 3.3 they measure themselves, by broker. */
public abstract class Unloads extends UnloadManager {
    protected Unloads() {
        super(new UnloadCounter(), "broker");
    }
}
