package evenkeel.pulsar.splitting;

import com.fasterxml.jackson.databind.JsonNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Private;
import evenkeel.pulsar.standin.SplitRequests;
import evenkeel.pulsar.standin.World;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import org.apache.pulsar.broker.loadbalance.LoadData;
import org.apache.pulsar.broker.loadbalance.LoadManager;
import org.apache.pulsar.broker.loadbalance.impl.ModularLoadManagerImpl;
import org.apache.pulsar.policies.data.loadbalancer.BrokerData;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;
import org.apache.pulsar.policies.data.loadbalancer.NamespaceBundleStats;

/**
 * The leader of the modular manager: every bundle is reported by its owner with more topics than there may be,
 * {@code checkNamespaceBundleSplit} asks the admin client for the splits, and says in the request what is unloaded.
 */
final class ModularUnloads {
    private final World world;
    private final ToldNamespaces namespaces;
    private final SplitRequests requests = new SplitRequests();
    private final ModularLoadManagerImpl manager = new ModularLoadManagerImpl();
    private final LoadData loadData;
    private final Method updateBundleData;

    ModularUnloads(World world) {
        this.world = world;
        namespaces = ToldNamespaces.create(world.pulsar, new ReportedBundles(world.pulsar));
        world.pulsar.use(namespaces);
        world.pulsar.use(requests.admin());
        world.config.setLoadBalancerNamespaceBundleMaxTopics(1);
        manager.initialize(world.pulsar);
        world.store.findCaches();
        world.configurationStore.findCaches();
        // What it would do on its own thread when a broker appears; reports are the trial's.
        Private.<ExecutorService>get(ModularLoadManagerImpl.class, manager, "executors").shutdown();
        Private.set(ModularLoadManagerImpl.class, manager, "localData", new LocalBrokerData());
        loadData = Private.get(ModularLoadManagerImpl.class, manager, "loadData");
        Private.<Set<String>>get(ModularLoadManagerImpl.class, manager, "knownBrokers")
                .addAll(Set.of("known-1", "known-2"));
        updateBundleData = Private.method(ModularLoadManagerImpl.class, "updateBundleData");
    }

    /** The bundles whose split is asked for with the words that their children be unloaded. */
    Set<String> unloading(JsonNode splits, List<String> brokers, boolean unload) throws Exception {
        world.clear();
        requests.clear();
        loadData.getBrokerData().clear();
        loadData.getBundleData().clear();
        world.config.setLoadBalancerAutoUnloadSplitBundlesEnabled(unload);
        Map<String, LocalBrokerData> reports = new HashMap<>();
        for (String broker : brokers) {
            world.store.put(LoadManager.LOADBALANCE_BROKERS_ROOT + "/" + broker, new byte[0], Optional.empty());
            LocalBrokerData report = new LocalBrokerData();
            report.setLastStats(new HashMap<>());
            reports.put(broker, report);
        }
        Map<String, Integer> counts = new HashMap<>();
        for (JsonNode split : splits) {
            String bundle = Json.text(split, "bundle");
            NamespaceBundleStats hot = new NamespaceBundleStats();
            hot.topics = 2;
            reports.get(Json.text(split, "owner")).getLastStats().put(bundle, hot);
            counts.put(bundle.substring(0, bundle.lastIndexOf('/')), 1);
        }
        world.config.setLoadBalancerNamespaceMaximumBundles(splits.size() + 1);
        namespaces.setCounts(counts);
        reports.forEach((broker, report) -> loadData.getBrokerData().put(broker, new BrokerData(report)));
        updateBundleData.invoke(manager);
        manager.checkNamespaceBundleSplit();
        if (requests.bundles().size() != splits.size()) {
            throw new IllegalStateException("of " + splits + " these are split: " + requests.bundles());
        }
        return requests.unloading();
    }
}
