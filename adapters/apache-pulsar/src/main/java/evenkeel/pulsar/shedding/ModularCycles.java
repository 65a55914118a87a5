package evenkeel.pulsar.shedding;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ArrayListMultimap;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Private;
import evenkeel.pulsar.balancing.Shedder;
import evenkeel.pulsar.standin.Told;
import evenkeel.pulsar.standin.World;
import java.lang.reflect.Constructor;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.bookkeeper.mledger.impl.ManagedLedgerFactoryImpl;
import org.apache.pulsar.broker.loadbalance.LoadManager;
import org.apache.pulsar.broker.loadbalance.LoadSheddingTask;
import org.apache.pulsar.broker.loadbalance.impl.LeastLongTermMessageRate;
import org.apache.pulsar.broker.loadbalance.impl.ModularLoadManagerImpl;
import org.apache.pulsar.broker.loadbalance.impl.ModularLoadManagerWrapper;
import org.apache.pulsar.broker.loadbalance.impl.ThresholdShedder;

/**
 * {@code shedding.cycles} of the modular manager: a real {@link LoadSheddingTask}, new for each trial, runs as often
 * as it has itself run again, and a real manager asks the trial's strategy, which decides nothing.
 */
final class ModularCycles {
    private final World world = new World();
    private final TrialManager manager = new TrialManager();
    private final ManagedLedgerFactoryImpl storage = Private.allocate(ManagedLedgerFactoryImpl.class);
    private final ScheduledExecutorService timer = Told.only(ScheduledExecutorService.class, Map.of(
            "schedule", arguments -> {
                again = true;
                return null;
            }));
    private final Constructor<?> tasks = LoadSheddingTask.class.getConstructors()[0];
    private boolean again;
    private boolean asked;
    private JsonNode available;

    ModularCycles() {
        world.config.setLoadBalancerLoadSheddingStrategy(ThresholdShedder.class.getName());
        world.config.setLoadBalancerLoadPlacementStrategy(LeastLongTermMessageRate.class.getName());
        manager.initialize(world.pulsar);
        // What it would do on its own thread when a broker appears.
        Private.<ExecutorService>get(ModularLoadManagerImpl.class, manager, "executors").shutdown();
        Shedder.set(manager, (data, config) -> {
            asked = true;
            return ArrayListMultimap.create();
        });
    }

    JsonNode answer(JsonNode trial) throws ReflectiveOperationException {
        LoadManager wrapper = new ModularLoadManagerWrapper(manager);
        Object[] given = {new AtomicReference<>(wrapper), timer, world.config, storage};
        LoadSheddingTask task =
                (LoadSheddingTask) tasks.newInstance(Arrays.copyOf(given, tasks.getParameterCount()));
        again = true;
        ObjectNode answer = Json.object();
        ArrayNode results = answer.putArray("cycles");
        for (JsonNode cycle : Json.list(trial, "cycles")) {
            asked = false;
            if (again) {
                again = false;
                tell(cycle);
                task.run();
            }
            ObjectNode result = results.addObject().put("asked", asked);
            result.putArray("bundles");
            result.putArray("brokers");
            result.putArray("unloaded");
        }
        return answer;
    }

    private void tell(JsonNode cycle) {
        world.config.setLoadBalancerEnabled(Json.flag(cycle, "enabled"));
        world.config.setLoadBalancerSheddingEnabled(Json.flag(cycle, "shedding_enabled"));
        available = Json.field(cycle, "available");
        JsonNode leads = Json.field(cycle, "leads");
        world.leader.setLeading(leads.isNull() || leads.asBoolean());
        if (tasks.getParameterCount() == 4) { // since 4.0 the task asks the storage
            Private.set(ManagedLedgerFactoryImpl.class, storage, "metadataServiceAvailable", !leads.isNull());
        }
    }

    /** The real manager of so many brokers. */
    private final class TrialManager extends ModularLoadManagerImpl {
        @Override
        public Set<String> getAvailableBrokers() {
            if (available.isNull()) {
                throw new IllegalStateException("no answer");
            }
            return IntStream.range(0, available.asInt()).mapToObj(number -> "broker-" + number)
                    .collect(Collectors.toSet());
        }
    }
}
