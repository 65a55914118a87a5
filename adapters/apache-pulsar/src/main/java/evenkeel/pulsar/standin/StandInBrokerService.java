package evenkeel.pulsar.standin;

import evenkeel.pulsar.Private;
import io.netty.channel.EventLoopGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.bookkeeper.common.util.OrderedExecutor;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.broker.service.BrokerService;
import org.apache.pulsar.common.naming.NamespaceBundle;
import org.apache.pulsar.common.policies.data.stats.TopicStatsImpl;
import org.apache.pulsar.policies.data.loadbalancer.NamespaceBundleStats;

/** The part of a broker that serves topics: it has the statistics it was told, and notes what it unloads. */
public final class StandInBrokerService extends TopiclessService {
    private Map<String, NamespaceBundleStats> bundleStats;
    private Map<String, TopicStatsImpl> topicStats;
    private List<NamespaceBundle> unloaded;
    private EventLoopGroup executor;

    private StandInBrokerService() throws Exception {
        super(null, null);
    }

    public static StandInBrokerService create(PulsarService pulsar) {
        StandInBrokerService service = Private.allocate(StandInBrokerService.class);
        Private.set(BrokerService.class, service, "pulsar", pulsar);
        service.bundleStats = Map.of();
        service.topicStats = Map.of();
        service.unloaded = new ArrayList<>();
        return service;
    }

    public void setBundleStats(Map<String, NamespaceBundleStats> stats) {
        bundleStats = stats;
    }

    public void setTopicStats(Map<String, TopicStatsImpl> stats) {
        topicStats = stats;
    }

    /** The bundles whose topics were closed since the list was last cleared. */
    public List<NamespaceBundle> unloaded() {
        return unloaded;
    }

    /** What dispatchers schedule goes to this group. */
    public void setExecutor(EventLoopGroup group) {
        executor = group;
    }

    @Override
    public EventLoopGroup executor() {
        return executor;
    }

    @Override
    public OrderedExecutor getTopicOrderedExecutor() {
        return pulsar().getOrderedExecutor();
    }

    @Override
    public Map<String, NamespaceBundleStats> getBundleStats() {
        return bundleStats;
    }

    @Override
    public Map<String, TopicStatsImpl> getTopicStats(NamespaceBundle bundle) {
        return topicStats;
    }

    @Override
    public void refreshTopicToStatsMaps(NamespaceBundle oldBundle) {
        // No topics are loaded.
    }

    // Overrides a method of Pulsar's since 3.3.
    public CompletableFuture<Integer> unloadServiceUnit(NamespaceBundle bundle, boolean disconnectClients,
                                                        boolean closeWithoutWaiting, long timeout, TimeUnit unit) {
        return unloadServiceUnit(bundle, closeWithoutWaiting, timeout, unit);
    }

    // Overrides a method of Pulsar's until 3.0.
    public CompletableFuture<Integer> unloadServiceUnit(NamespaceBundle bundle, boolean closeWithoutWaiting,
                                                        long timeout, TimeUnit unit) {
        unloaded.add(bundle);
        return CompletableFuture.completedFuture(0);
    }

    @Override
    public void cleanUnloadedTopicFromCache(NamespaceBundle bundle) {
        // No topics are loaded.
    }
}
