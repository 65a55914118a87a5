package evenkeel.pulsar.shedding;

import org.apache.pulsar.broker.loadbalance.extensions.manager.UnloadManager;
import org.apache.pulsar.broker.loadbalance.extensions.models.UnloadCounter;

/** Unloads under way; since 3.3 they measure themselves, by broker. */
abstract class Unloads extends UnloadManager {
    Unloads() {
        super(new UnloadCounter(), "broker");
    }
}
