package evenkeel.pulsar.splitting;

import com.fasterxml.jackson.databind.JsonNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.standin.StandInContext;
import evenkeel.pulsar.standin.World;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pulsar.broker.loadbalance.extensions.models.SplitCounter;
import org.apache.pulsar.broker.loadbalance.extensions.models.SplitDecision;
import org.apache.pulsar.broker.loadbalance.extensions.scheduler.SplitScheduler;
import org.apache.pulsar.policies.data.loadbalancer.NamespaceBundleStats;

/**
 * The owner under the extensible manager: a {@link SplitScheduler} decides about bundles with more topics than there
 * may be. A child that its decision gives a destination leaves the owner; the others stay.
 */
final class ExtensibleUnloads {
    private final World world;
    private final ToldNamespaces namespaces;
    private final ToldChannel channel = new ToldChannel();
    private final RequestedSplits requested = new RequestedSplits();
    private final StandInContext context;

    ExtensibleUnloads(World world) {
        this.world = world;
        namespaces = ToldNamespaces.create(world.pulsar, world.factory);
        world.pulsar.use(namespaces);
        context = new StandInContext(world.config);
        world.pulsar.use(channel.manager());
        world.config.setLoadBalancerNamespaceBundleMaxTopics(1);
        world.config.setLoadBalancerNamespaceBundleSplitConditionHitCountThreshold(0);
    }

    /** The bundles of which the decision sends a child away. */
    Set<String> unloading(JsonNode splits, boolean unload) {
        world.clear();
        requested.clear();
        world.config.setLoadBalancerAutoUnloadSplitBundlesEnabled(unload);
        world.config.setLoadBalancerNamespaceMaximumBundles(splits.size() + 1);
        world.config.setLoadBalancerMaxNumberOfBundlesToSplitPerCycle(splits.size());
        Map<String, NamespaceBundleStats> stats = new HashMap<>();
        Map<String, List<Long>> positions = new HashMap<>();
        Map<String, Integer> counts = new HashMap<>();
        for (JsonNode split : splits) {
            String bundle = Json.text(split, "bundle");
            NamespaceBundleStats hot = new NamespaceBundleStats();
            hot.topics = 2;
            stats.put(bundle, hot);
            positions.put(bundle, List.of(lower(bundle) + 1));
            counts.put(bundle.substring(0, bundle.lastIndexOf('/')), 1);
        }
        world.brokerService.setBundleStats(stats);
        namespaces.setPositions(positions);
        namespaces.setCounts(counts);
        channel.set(stats.keySet(), List.of());
        new SplitScheduler(world.pulsar, channel.channel(), requested, new SplitCounter(),
                new AtomicReference<>(), context).execute();
        Set<String> unloading = new HashSet<>();
        for (SplitDecision decision : requested.decisions()) {
            boolean leaves = decision.getSplit().splitServiceUnitToDestBroker().values().stream()
                    .anyMatch(Optional::isPresent);
            if (leaves) {
                unloading.add(decision.getSplit().serviceUnit());
            }
        }
        if (requested.decisions().size() != splits.size()) {
            throw new IllegalStateException("of " + splits + " these are split: " + requested.decisions());
        }
        return unloading;
    }

    private static long lower(String bundle) {
        return Long.decode(bundle.substring(bundle.lastIndexOf('/') + 1, bundle.lastIndexOf('_')));
    }
}
