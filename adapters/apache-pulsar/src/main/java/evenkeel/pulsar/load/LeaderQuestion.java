package evenkeel.pulsar.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.CommandList;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Private;
import evenkeel.pulsar.Question;
import evenkeel.pulsar.standin.World;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.pulsar.broker.loadbalance.LoadData;
import org.apache.pulsar.broker.loadbalance.impl.ModularLoadManagerImpl;
import org.apache.pulsar.policies.data.loadbalancer.BrokerData;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;
import org.apache.pulsar.policies.data.loadbalancer.NamespaceBundleStats;
import org.apache.pulsar.policies.data.loadbalancer.TimeAverageBrokerData;

/**
 * {@code load.leader}: a real {@link ModularLoadManagerImpl} that leads. Its brokers' reports are replaced where it
 * keeps what it has read of them, then its own {@code updateBundleData} runs, as after every notification; or all of
 * {@link ModularLoadManagerImpl#writeBundleDataOnZooKeeper} into a metadata store.
 */
public final class LeaderQuestion implements Question {
    private final World world;
    private final ModularLoadManagerImpl manager = new ModularLoadManagerImpl();
    private final LoadData loadData;
    private final ServedRanges rangesOfBrokers;
    private final Method updateBundleData;

    public LeaderQuestion(World world) {
        this.world = world;
        manager.initialize(world.pulsar);
        world.store.findCaches();
        loadData = Private.get(ModularLoadManagerImpl.class, manager, "loadData");
        rangesOfBrokers = new ServedRanges(manager);
        updateBundleData = Private.method(ModularLoadManagerImpl.class, "updateBundleData");
    }

    @Override
    public JsonNode answer(JsonNode trial) throws Exception {
        world.clear();
        loadData.getBrokerData().clear();
        loadData.getBundleData().clear();
        rangesOfBrokers.clear();
        ObjectNode answer = Json.object();
        ArrayNode results = answer.putArray("results");
        for (JsonNode command : Json.list(trial, "commands")) {
            perform(Json.text(command, "do"), command);
            results.add(knowledge());
        }
        return answer;
    }

    private void perform(String command, JsonNode arguments) throws Exception {
        switch (command) {
            case "publish" -> {
                publish(Json.text(arguments, "broker"), Json.list(arguments, "bundles"));
                updateBundleData.invoke(manager);
            }
            case "leave" -> {
                if (loadData.getBrokerData().remove(Json.text(arguments, "broker")) != null) {
                    updateBundleData.invoke(manager);
                }
            }
            case "write" -> manager.writeBundleDataOnZooKeeper();
            default -> throw CommandList.unknown(command);
        }
    }

    private void publish(String broker, JsonNode bundles) {
        Map<String, NamespaceBundleStats> stats = new ConcurrentHashMap<>();
        for (JsonNode sample : bundles) {
            NamespaceBundleStats bundle = Loads.traffic(new NamespaceBundleStats(), Json.field(sample, "traffic"));
            bundle.topics = Json.small(sample, "topics");
            stats.put(Json.text(sample, "bundle"), bundle);
        }
        LocalBrokerData report = new LocalBrokerData();
        report.setLastStats(stats);
        BrokerData known = loadData.getBrokerData().get(broker);
        if (known == null) {
            loadData.getBrokerData().put(broker, new BrokerData(report));
        } else {
            known.setLocalData(report);
        }
    }

    private ObjectNode knowledge() {
        ObjectNode knowledge = Json.object();
        ArrayNode bundles = knowledge.putArray("bundles");
        new TreeMap<>(loadData.getBundleData()).forEach((bundle, data) -> bundles.addObject()
                .put("bundle", bundle).set("averages", Loads.averages(data)));
        ArrayNode brokers = knowledge.putArray("brokers");
        new TreeMap<>(loadData.getBrokerData()).forEach((broker, data) -> brokers.addObject()
                .put("broker", broker).set("averages", sums(data.getTimeAverageData())));
        return knowledge;
    }

    private static ObjectNode sums(TimeAverageBrokerData data) {
        ObjectNode sums = Json.object();
        sums.set("short_term", Loads.traffic(data.getShortTermMsgRateIn(), data.getShortTermMsgRateOut(),
                data.getShortTermMsgThroughputIn(), data.getShortTermMsgThroughputOut()));
        sums.set("long_term", Loads.traffic(data.getLongTermMsgRateIn(), data.getLongTermMsgRateOut(),
                data.getLongTermMsgThroughputIn(), data.getLongTermMsgThroughputOut()));
        return sums;
    }
}
