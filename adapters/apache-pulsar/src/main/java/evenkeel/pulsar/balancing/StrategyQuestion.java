package evenkeel.pulsar.balancing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.BadTrial;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Private;
import evenkeel.pulsar.Question;
import evenkeel.pulsar.standin.StandInExtensible;
import evenkeel.pulsar.standin.World;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.LoadManager;
import org.apache.pulsar.broker.loadbalance.extensions.scheduler.UnloadScheduler;
import org.apache.pulsar.broker.loadbalance.impl.ModularLoadManagerImpl;
import org.apache.pulsar.broker.loadbalance.impl.ModularLoadManagerWrapper;
import org.apache.pulsar.common.configuration.PulsarConfigurationLoader;

/**
 * {@code balancing.strategy}: what each manager makes of {@code loadBalancerLoadSheddingStrategy} and
 * {@code loadBalancerLoadPlacementStrategy}. A modular manager is made once for each configuration, as when a broker
 * starts: each listens to the store for ever.
 */
public final class StrategyQuestion implements Question {
    private static final String MODULAR = "org.apache.pulsar.broker.loadbalance.impl.";
    private static final String EXTENSIBLE = "org.apache.pulsar.broker.loadbalance.extensions.scheduler.";

    private final World modularWorld = new World();
    private final Map<String, ModularLoadManagerImpl> managers = new HashMap<>();
    private final Map<String, IllegalArgumentException> failures = new HashMap<>();
    private final Map<String, Started> running = new HashMap<>();
    private final World extensibleWorld = new World();
    private StandInExtensible extensible;
    private final ServiceConfiguration defaults = new ServiceConfiguration();
    private final Method createExtensible =
            Private.method(UnloadScheduler.class, "createNamespaceUnloadStrategy", PulsarService.class);

    @Override
    public JsonNode answer(JsonNode trial) throws Exception {
        switch (Json.text(trial, "manager")) {
            case "modular":
                return trial.path("broker").asBoolean() ? broker(trial) : modular(trial);
            case "extensible":
                return extensible(trial);
            default:
                throw new BadTrial("unknown manager " + trial.get("manager"));
        }
    }

    private JsonNode modular(JsonNode trial) {
        String configured = trial.get("strategy") + " " + trial.get("placement");
        if (failures.containsKey(configured)) {
            throw failures.get(configured);
        }
        ModularLoadManagerImpl manager = managers.get(configured);
        if (manager == null) {
            configure(modularWorld.config, trial);
            manager = new ModularLoadManagerImpl();
            try {
                manager.initialize(modularWorld.pulsar);
            } catch (IllegalArgumentException refused) {
                failures.put(configured, refused);
                throw refused;
            }
            managers.put(configured, manager);
        }
        return answer(manager);
    }

    private static ObjectNode answer(ModularLoadManagerImpl manager) {
        return answer(
                Shedder.of(manager),
                Private.get(ModularLoadManagerImpl.class, manager, "placementStrategy"));
    }

    /** What a broker does that is to run a manager: it may take another one instead. */
    private JsonNode broker(JsonNode trial) throws Exception {
        String configured = trial.get("strategy") + " " + trial.get("placement") + " " + trial.get("name");
        Started started = running.get(configured);
        if (started == null) {
            configure(modularWorld.config, trial);
            modularWorld.config.setLoadManagerClassName(className(trial.path("name")));
            started = Started.by(() -> LoadManager.create(modularWorld.pulsar));
            running.put(configured, started);
        }
        ObjectNode answer = Json.object().putNull("sheds").put("runs", started.runs());
        if (started.manager() instanceof ModularLoadManagerWrapper wrapper
                && wrapper.getLoadManager() instanceof ModularLoadManagerImpl manager) {
            answer = answer(manager).put("runs", started.runs());
        }
        return trial.hasNonNull("name") ? answer.put("caught", started.caught()) : answer;
    }

    /** The manager's class as a broker gets it, from its file or from a program. */
    private String className(JsonNode name) throws Exception {
        if (!name.isObject()) {
            return ModularLoadManagerImpl.class.getName();
        }
        String text = name.path("text").textValue();
        if (name.path("by_program").asBoolean()) {
            return text;
        }
        Properties file = new Properties();
        if (text != null) {
            file.setProperty("loadManagerClassName", text);
        }
        ServiceConfiguration read = PulsarConfigurationLoader.create(file, ServiceConfiguration.class);
        return read.getLoadManagerClassName();
    }

    private JsonNode extensible(JsonNode trial) throws Exception {
        if (extensible == null) {
            extensible = StandInExtensible.in(extensibleWorld);
        }
        configure(extensibleWorld.config, trial);
        return answer(
                createExtensible.invoke(null, extensibleWorld.pulsar),
                extensible.createBrokerSelectionStrategy());
    }

    private static ObjectNode answer(Object sheds, Object places) {
        return Json.object()
                .put("sheds", sheds.getClass().getSimpleName())
                .put("places", places.getClass().getSimpleName());
    }

    private void configure(ServiceConfiguration config, JsonNode trial) {
        JsonNode shedding = Json.field(trial, "strategy");
        config.setLoadBalancerLoadSheddingStrategy(
                shedding.isNull() ? defaults.getLoadBalancerLoadSheddingStrategy() : className(shedding.textValue()));
        JsonNode placement = trial.path("placement");
        config.setLoadBalancerLoadPlacementStrategy(placement.isTextual()
                ? className(placement.textValue())
                : defaults.getLoadBalancerLoadPlacementStrategy());
    }

    /** The name in full, as it stands in broker.conf. */
    private static String className(String name) {
        return (name.equals("TransferShedder") ? EXTENSIBLE : MODULAR) + name;
    }
}
