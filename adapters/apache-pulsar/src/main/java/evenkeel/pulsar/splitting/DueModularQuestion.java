package evenkeel.pulsar.splitting;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Private;
import evenkeel.pulsar.Question;
import evenkeel.pulsar.load.ServedRanges;
import evenkeel.pulsar.standin.SplitRequests;
import evenkeel.pulsar.standin.World;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.pulsar.broker.loadbalance.LoadData;
import org.apache.pulsar.broker.loadbalance.impl.ModularLoadManagerImpl;
import org.apache.pulsar.policies.data.loadbalancer.BrokerData;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;
import org.apache.pulsar.policies.data.loadbalancer.NamespaceBundleStats;

/**
 * {@code splitting.due_modular}: a real {@link ModularLoadManagerImpl}, initialised by its own code. In every round
 * its brokers' reports are replaced, then it runs {@code updateBundleData} (the running means) and
 * {@link ModularLoadManagerImpl#checkNamespaceBundleSplit}, which asks the admin client for splits.
 */
public final class DueModularQuestion implements Question {
    private static final int MOST_BROKERS = 1000;

    private final World world;
    private final ToldNamespaces namespaces;
    private final SplitRequests requests = new SplitRequests();
    private final ModularLoadManagerImpl manager = new ModularLoadManagerImpl();
    private final LoadData loadData;
    private final Set<String> knownBrokers;
    private final ServedRanges rangesOfBrokers;
    private final Method updateBundleData;

    public DueModularQuestion(World world) {
        this.world = world;
        namespaces = ToldNamespaces.create(world.pulsar, new ReportedBundles(world.pulsar));
        world.pulsar.use(namespaces);
        world.pulsar.use(requests.admin());
        world.config.setLoadBalancerAutoUnloadSplitBundlesEnabled(false);
        manager.initialize(world.pulsar);
        world.store.findCaches();
        Private.set(ModularLoadManagerImpl.class, manager, "localData", new LocalBrokerData());
        loadData = Private.get(ModularLoadManagerImpl.class, manager, "loadData");
        knownBrokers = Private.get(ModularLoadManagerImpl.class, manager, "knownBrokers");
        rangesOfBrokers = new ServedRanges(manager);
        updateBundleData = Private.method(ModularLoadManagerImpl.class, "updateBundleData");
    }

    @Override
    public JsonNode answer(JsonNode trial) throws Exception {
        forget();
        Splits.configureDue(world.config, Json.field(trial, "config"));
        world.leader.setLeading(Json.flag(trial, "leader"));
        // Pulsar asks no more than whether there are two: of a thousand million not all are made.
        int known = Math.min(Json.small(trial, "known_brokers"), MOST_BROKERS);
        for (int i = 0; i < known; i++) {
            knownBrokers.add("known-" + i);
        }
        ObjectNode answer = Json.object();
        ArrayNode rounds = answer.putArray("rounds");
        for (JsonNode round : Json.list(trial, "rounds")) {
            rounds.add(run(round));
        }
        return answer;
    }

    private void forget() {
        world.clear();
        loadData.getBrokerData().clear();
        loadData.getBundleData().clear();
        knownBrokers.clear();
        rangesOfBrokers.clear();
    }

    private ArrayNode run(JsonNode round) throws Exception {
        Map<String, String> brokers = report(Json.list(round, "loads"));
        namespaces.setCounts(Splits.counts(Json.list(round, "counts")));
        requests.clear();
        updateBundleData.invoke(manager);
        manager.checkNamespaceBundleSplit();
        ArrayNode due = Json.array();
        for (String bundle : requests.bundles()) {
            due.add(Json.object().put("bundle", bundle).put("broker", brokers.get(bundle)));
        }
        return due;
    }

    /** Replaces every broker's report, and says which broker reported which bundle. */
    private Map<String, String> report(JsonNode loads) {
        Map<String, String> brokers = new HashMap<>();
        Map<String, Map<String, NamespaceBundleStats>> reports = new LinkedHashMap<>();
        for (JsonNode load : loads) {
            String bundle = Json.text(load, "bundle");
            String broker = Json.text(load, "broker");
            brokers.put(bundle, broker);
            reports.computeIfAbsent(broker, any -> new ConcurrentHashMap<>()).put(bundle, Splits.bundleStats(load));
        }
        loadData.getBrokerData().clear();
        reports.forEach((broker, stats) -> {
            LocalBrokerData local = new LocalBrokerData();
            local.setLastStats(stats);
            loadData.getBrokerData().put(broker, new BrokerData(local));
        });
        return brokers;
    }
}
