package evenkeel.pulsar.standin;

import evenkeel.pulsar.NotHere;
import org.apache.pulsar.broker.loadbalance.extensions.ExtensibleLoadManagerImpl;
import org.apache.pulsar.broker.loadbalance.extensions.strategy.BrokerSelectionStrategy;
import org.apache.pulsar.common.naming.NamespaceBundle;

/** The extensible manager of the only broker: its channel reads from a topic until 3.3, and there is none here. */
public final class StandInExtensible extends ExtensibleLoadManagerImpl {
    private StandInExtensible() {
    }

    public static StandInExtensible in(World world) {
        throw new NotHere("until 3.3 the extensible manager's channel reads its records from a topic");
    }

    // Overrides a method of Pulsar's since 3.3. Never called, as the next.
    public BrokerSelectionStrategy createBrokerSelectionStrategy() {
        throw new IllegalStateException("there is no object of this class");
    }

    /** Never called: there is no object of this class. */
    public void reset(Iterable<NamespaceBundle> owned) {
        throw new IllegalStateException("there is no object of this class");
    }
}
