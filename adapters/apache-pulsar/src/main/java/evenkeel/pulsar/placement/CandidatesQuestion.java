package evenkeel.pulsar.placement;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Private;
import evenkeel.pulsar.Question;
import evenkeel.pulsar.load.ServedRanges;
import evenkeel.pulsar.standin.World;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import org.apache.pulsar.broker.loadbalance.LoadData;
import org.apache.pulsar.broker.loadbalance.LoadManager;
import org.apache.pulsar.broker.loadbalance.impl.ModularLoadManagerImpl;
import org.apache.pulsar.common.naming.ServiceUnitId;
import org.apache.pulsar.policies.data.loadbalancer.BrokerData;
import org.apache.pulsar.policies.data.loadbalancer.BundleData;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;
import org.apache.pulsar.policies.data.loadbalancer.ResourceUsage;

/**
 * {@code placement.candidates}: {@code selectBroker} of a real {@link ModularLoadManagerImpl}, initialised by its
 * own code. Available brokers, policies and groups are in the metadata store; reports, bundles and domains are put
 * where the manager keeps them. Its strategy is the trial's.
 */
public final class CandidatesQuestion implements Question {
    private final World world;
    private final NotingStrategy strategy = new NotingStrategy();
    private final ModularLoadManagerImpl manager = new ModularLoadManagerImpl();
    private final LoadData loadData;
    private final ServedRanges served;
    private final Map<String, String> domains;
    private final Method selectBroker;

    public CandidatesQuestion(World world) {
        this.world = world;
        manager.initialize(world.pulsar);
        world.store.findCaches();
        world.configurationStore.findCaches();
        // What it would do on its own thread when a broker appears; reports are the trial's.
        Private.<ExecutorService>get(ModularLoadManagerImpl.class, manager, "executors").shutdown();
        Private.set(ModularLoadManagerImpl.class, manager, "placementStrategy", strategy);
        loadData = Private.get(ModularLoadManagerImpl.class, manager, "loadData");
        served = new ServedRanges(manager);
        domains = Private.get(ModularLoadManagerImpl.class, manager, "brokerToFailureDomainMap");
        selectBroker = Private.method(ModularLoadManagerImpl.class, "selectBroker", ServiceUnitId.class);
    }

    @Override
    @SuppressWarnings("unchecked")
    public JsonNode answer(JsonNode trial) throws Exception {
        forget();
        Cluster.configure(world.config, trial);
        Cluster.store(world, trial);
        domains.putAll(Cluster.domains(trial));
        for (JsonNode broker : Json.list(trial, "brokers")) {
            tell(broker);
        }
        strategy.prefer(Json.texts(trial, "prefers"), Json.texts(trial, "prefers_then"));
        Optional<String> chosen = (Optional<String>) selectBroker.invoke(manager, Cluster.bundle(world, trial));
        ObjectNode answer = Json.object();
        answer.set("offers", strategy.offers());
        return answer.put("chosen", chosen.orElse(null));
    }

    private void forget() {
        world.clear();
        loadData.getBrokerData().clear();
        loadData.getBundleData().clear();
        served.clear();
        domains.clear();
    }

    private void tell(JsonNode broker) {
        String name = Json.text(broker, "name");
        world.store.put(LoadManager.LOADBALANCE_BROKERS_ROOT + "/" + name, new byte[0], Optional.empty());
        served.put(name, Json.texts(broker, "bundles"));
        JsonNode report = Json.field(broker, "report");
        if (!report.isNull()) {
            loadData.getBrokerData().put(name, reported(report));
        }
    }

    private static BrokerData reported(JsonNode told) {
        LocalBrokerData local = new LocalBrokerData();
        local.setCpu(new ResourceUsage(Json.number(told, "cpu"), 100));
        local.setNumTopics(Json.small(told, "topics"));
        local.setPersistentTopicsEnabled(Json.flag(told, "persistent"));
        local.setNonPersistentTopicsEnabled(Json.flag(told, "non_persistent"));
        local.setBrokerVersionString(Cluster.textOrNull(told, "version"));
        local.setLoadManagerClassName(Cluster.textOrNull(told, "manager"));
        BrokerData broker = new BrokerData(local);
        Map<String, BundleData> preallocated = broker.getPreallocatedBundleData();
        for (long topics : Json.integers(told, "preallocated")) {
            BundleData bundle = new BundleData(10, 1000);
            bundle.setTopics((int) topics);
            preallocated.put("bundle-" + preallocated.size(), bundle);
        }
        return broker;
    }
}
