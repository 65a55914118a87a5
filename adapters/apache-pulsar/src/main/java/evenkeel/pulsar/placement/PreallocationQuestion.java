package evenkeel.pulsar.placement;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.util.concurrent.MoreExecutors;
import evenkeel.pulsar.BadTrial;
import evenkeel.pulsar.CommandList;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Private;
import evenkeel.pulsar.Question;
import evenkeel.pulsar.load.ServedRanges;
import evenkeel.pulsar.standin.StandInAdmin;
import evenkeel.pulsar.standin.World;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import org.apache.pulsar.broker.loadbalance.LoadData;
import org.apache.pulsar.broker.loadbalance.LoadManager;
import org.apache.pulsar.broker.loadbalance.ResourceUnit;
import org.apache.pulsar.broker.loadbalance.impl.LeastLongTermMessageRate;
import org.apache.pulsar.broker.loadbalance.impl.ModularLoadManagerImpl;
import org.apache.pulsar.broker.loadbalance.impl.ModularLoadManagerWrapper;
import org.apache.pulsar.broker.loadbalance.impl.ThresholdShedder;
import org.apache.pulsar.common.naming.NamespaceBundle;
import org.apache.pulsar.common.naming.NamespaceName;
import org.apache.pulsar.common.naming.ServiceUnitId;
import org.apache.pulsar.common.util.ObjectMapperFactory;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;
import org.apache.pulsar.policies.data.loadbalancer.NamespaceBundleStats;

/**
 * {@code placement.preallocation}: a real {@link ModularLoadManagerImpl} with its default strategy. Reports are
 * written to the metadata store and read by the manager, whose reaction to the store's notification runs before the
 * write returns. Lookups are {@code getLeastLoaded} of the manager's wrapper, proposals what shedding calls,
 * {@code selectBroker}; an unload is what the admin API's does first, to tell the leader the destination.
 */
public final class PreallocationQuestion implements Question {
    private final World world;
    private final ModularLoadManagerImpl manager = new ModularLoadManagerImpl();
    private final ModularLoadManagerWrapper wrapper = new ModularLoadManagerWrapper(manager);
    private final StandInAdmin admin;
    private final LoadData loadData;
    private final Map<?, ?> destinations;
    private final Map<?, ?> preallocated;
    private final Set<?> knownBrokers;
    private final ServedRanges served;
    private final Method selectBroker;
    private final Map<String, Long> rates = new HashMap<>();

    public PreallocationQuestion(World world) {
        this.world = world;
        world.config.setLoadBalancerAutoBundleSplitEnabled(false);
        // The trial's rates decide by this strategy, which places by default until 5.0.0.
        world.config.setLoadBalancerLoadSheddingStrategy(ThresholdShedder.class.getName());
        world.config.setLoadBalancerLoadPlacementStrategy(LeastLongTermMessageRate.class.getName());
        Private.<ExecutorService>get(ModularLoadManagerImpl.class, manager, "executors").shutdown();
        Private.set(ModularLoadManagerImpl.class, manager, "executors", MoreExecutors.newDirectExecutorService());
        manager.initialize(world.pulsar);
        world.pulsar.use(wrapper);
        admin = new StandInAdmin(world.pulsar);
        world.store.findCaches();
        loadData = Private.get(ModularLoadManagerImpl.class, manager, "loadData");
        destinations = Private.get(ModularLoadManagerImpl.class, manager, "bundleBrokerAffinityMap");
        preallocated = Private.get(ModularLoadManagerImpl.class, manager, "preallocatedBundleToBroker");
        knownBrokers = Private.get(ModularLoadManagerImpl.class, manager, "knownBrokers");
        served = new ServedRanges(manager);
        selectBroker = Private.method(ModularLoadManagerImpl.class, "selectBroker", ServiceUnitId.class);
    }

    @Override
    public JsonNode answer(JsonNode trial) throws Throwable {
        forget();
        world.config.setLoadBalancerDistributeBundlesEvenlyEnabled(Json.flag(trial, "evenly"));
        for (JsonNode known : Json.list(trial, "bundles")) {
            rates.put(Json.text(known, "bundle"), Json.integer(known, "rate"));
        }
        for (String broker : Json.texts(trial, "brokers")) {
            report(broker, List.of());
        }
        return CommandList.answer(trial, this::perform);
    }

    private void forget() {
        world.clear();
        loadData.getBrokerData().clear();
        loadData.getBundleData().clear();
        destinations.clear();
        preallocated.clear();
        knownBrokers.clear();
        served.clear();
        rates.clear();
    }

    @SuppressWarnings("unchecked")
    private JsonNode perform(String command, JsonNode arguments) throws Exception {
        switch (command) {
            case "look_up":
                return chosen(wrapper.getLeastLoaded(bundle(arguments)).map(ResourceUnit::getResourceId));
            case "propose":
                return chosen((Optional<String>) selectBroker.invoke(manager, bundle(arguments)));
            case "reports":
                report(Json.text(arguments, "broker"), Json.texts(arguments, "bundles"));
                return CommandList.done();
            case "unload":
                NamespaceBundle unloaded = bundle(arguments);
                admin.setNamespace(unloaded.getNamespaceObject());
                world.tasks.settled(admin.setNamespaceBundleAffinityAsync(
                        unloaded.getBundleRange(), Json.text(arguments, "broker")));
                return CommandList.done();
            case "leaves":
                String path = path(Json.text(arguments, "broker"));
                if (world.store.exists(path).get()) {
                    world.store.delete(path, Optional.empty()).get();
                }
                return CommandList.done();
            default:
                throw CommandList.unknown(command);
        }
    }

    private static JsonNode chosen(Optional<String> broker) {
        return Json.object().put("do", "chosen").set("choices", Json.array().add(broker.orElse(null)));
    }

    private NamespaceBundle bundle(JsonNode arguments) {
        String name = Json.text(arguments, "bundle");
        if (!rates.containsKey(name)) {
            throw new BadTrial("there is no bundle " + name);
        }
        int slash = name.lastIndexOf('/');
        String[] ends = name.substring(slash + 1).split("_");
        return world.bundle(NamespaceName.get(name.substring(0, slash)), Long.decode(ends[0]), Long.decode(ends[1]));
    }

    private void report(String broker, List<String> bundles) throws JsonProcessingException {
        LocalBrokerData report = new LocalBrokerData();
        report.setLoadManagerClassName(world.config.getLoadManagerClassName());
        Map<String, NamespaceBundleStats> stats = new HashMap<>();
        for (String bundle : bundles) {
            NamespaceBundleStats of = new NamespaceBundleStats();
            of.msgRateIn = rates.get(bundle);
            of.topics = 1;
            stats.put(bundle, of);
        }
        report.setLastStats(stats);
        report.setBundles(new HashSet<>(bundles));
        world.store.put(path(broker), ObjectMapperFactory.getMapper().writer().writeValueAsBytes(report),
                Optional.empty());
    }

    private static String path(String broker) {
        return LoadManager.LOADBALANCE_BROKERS_ROOT + "/" + broker;
    }
}
