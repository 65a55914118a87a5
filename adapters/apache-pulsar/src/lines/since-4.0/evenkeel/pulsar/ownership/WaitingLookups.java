package evenkeel.pulsar.ownership;

import evenkeel.pulsar.standin.World;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.extensions.channel.ServiceUnitState;
import org.apache.pulsar.broker.loadbalance.extensions.channel.ServiceUnitState.StorageType;
import org.apache.pulsar.broker.loadbalance.extensions.channel.ServiceUnitStateData;

/** Lookups at Pulsar's channel of a broker, which reads what the trial says. */
final class WaitingLookups implements WaitingDesk {
    private static final List<String> BUNDLES = List.of(Ranges.KEYS.get(0), Ranges.KEYS.get(3));

    private final ServiceConfiguration config = new ServiceConfiguration();
    private final World world = new World();
    private final Map<String, Long> versions = new HashMap<>();
    private Cluster cluster;
    private Broker broker;
    private boolean started;

    WaitingLookups() {
        config.setClusterName(World.CLUSTER);
        config.setLoadManagerServiceUnitStateTableViewClassName(View.class.getName());
    }

    void begin(TimedFutures timers, boolean starts) {
        versions.clear();
        started = starts;
        cluster = new Cluster(StorageType.SystemTopic, 1, config, world.resources, timers,
                RecordQuestions.resolver(StorageType.SystemTopic), starts);
        broker = cluster.all().iterator().next();
    }

    /** Who owns the bundle; if nobody does, it is assigned. */
    @Override
    public CompletableFuture<Boolean> ask(int bundle) {
        String key = BUNDLES.get(bundle);
        CompletableFuture<Optional<String>> lookup = broker.channel.getOwnerAsync(key);
        if (lookup.isDone() && !lookup.isCompletedExceptionally() && lookup.join().isEmpty()) {
            cluster.written.clear();
            lookup = broker.channel.publishAssignEventAsync(key, broker.name).thenApply(Optional::ofNullable);
            see(key, (ServiceUnitStateData) cluster.written.get(0).get("record"));
        }
        return lookup.thenApply(Optional::isPresent);
    }

    private void see(String key, ServiceUnitStateData record) {
        versions.put(key, record.versionId());
        broker.view.see(key, new View.Stamped(record, cluster.now));
    }

    /** The bundle gets its owner, or none; before the channel has started that is written down alone. */
    @Override
    public void end(int bundle, boolean fails) {
        String key = BUNDLES.get(bundle);
        long version = versions.getOrDefault(key, 0L) + 1;
        ServiceUnitStateData record = fails
                ? new ServiceUnitStateData(ServiceUnitState.Free, null, broker.name, !started, version)
                : new ServiceUnitStateData(ServiceUnitState.Owned, broker.name, !started, version);
        if (started) {
            see(key, record);
            broker.view.tell(key);
        } else {
            versions.put(key, version);
            cluster.write(broker, key, record);
        }
    }

    @Override
    public void start() {
        if (!started) {
            started = true;
            broker.start();
        }
    }

    @Override
    public long limit() {
        return config.getLoadBalancerInFlightServiceUnitStateWaitingTimeInMillis();
    }
}
