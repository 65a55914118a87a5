package evenkeel.pulsar.standin;

import evenkeel.pulsar.Private;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.broker.PulsarServerException;
import org.apache.pulsar.broker.loadbalance.extensions.ExtensibleLoadManagerImpl;
import org.apache.pulsar.broker.loadbalance.extensions.channel.ServiceUnitStateChannelImpl;
import org.apache.pulsar.broker.loadbalance.extensions.manager.SplitManager;
import org.apache.pulsar.broker.loadbalance.extensions.models.SplitCounter;
import org.apache.pulsar.broker.namespace.LookupOptions;
import org.apache.pulsar.common.naming.NamespaceBundle;
import org.apache.pulsar.common.naming.ServiceUnitId;

/**
 * The extensible load manager of the only broker of a cluster, with Pulsar's own channel and split manager,
 * started by their own code over {@link ListedOwners}. Without reports and schedulers; brokers are not compared,
 * as there is one.
 */
public final class StandInExtensible extends ExtensibleLoadManagerImpl {
    private final ListedOwners owners;

    /** Starts the channel; the world must already use this manager's wrapper when this returns. */
    private StandInExtensible(World world) {
        initialize(world.pulsar);
        world.config.setLoadManagerServiceUnitStateTableViewClassName(ListedOwners.class.getName());
        Private.set(ExtensibleLoadManagerImpl.class, this, "brokerRegistry", new StandInContext(world.config));
        Private.set(ExtensibleLoadManagerImpl.class, this, "leaderElectionService", world.leader);
        SplitManager splits = new SplitManager(new SplitCounter());
        Private.set(ExtensibleLoadManagerImpl.class, this, "splitManager", splits);
        world.pulsar.use(new org.apache.pulsar.broker.loadbalance.extensions.ExtensibleLoadManagerWrapper(this));
        ServiceUnitStateChannelImpl channel = new ServiceUnitStateChannelImpl(world.pulsar);
        Private.set(ExtensibleLoadManagerImpl.class, this, "serviceUnitStateChannel", channel);
        channel.listen(splits);
        try {
            channel.start();
        } catch (PulsarServerException failed) {
            throw new IllegalStateException(failed);
        }
        owners = Private.get(ServiceUnitStateChannelImpl.class, channel, "tableview");
    }

    /** Makes the world's load manager an extensible one. */
    public static StandInExtensible in(World world) {
        return new StandInExtensible(world);
    }

    /** Forgets who owns what; this broker then owns these bundles. */
    public void reset(Iterable<NamespaceBundle> owned) {
        owners.reset(owned);
    }

    @Override
    public CompletableFuture<Optional<String>> selectAsync(ServiceUnitId bundle, Set<String> excluded,
                                                           LookupOptions options) {
        return CompletableFuture.completedFuture(Optional.of(StandInPulsar.BROKER_ID));
    }
}
