package evenkeel.pulsar.shedding;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Private;
import evenkeel.pulsar.Question;
import evenkeel.pulsar.Settings;
import evenkeel.pulsar.standin.Told;
import evenkeel.pulsar.standin.World;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.broker.loadbalance.extensions.BrokerRegistry;
import org.apache.pulsar.broker.loadbalance.extensions.LoadManagerContext;
import org.apache.pulsar.broker.loadbalance.extensions.LoadManagerContextImpl;
import org.apache.pulsar.broker.loadbalance.extensions.channel.ServiceUnitStateChannel;
import org.apache.pulsar.broker.loadbalance.extensions.models.Unload;
import org.apache.pulsar.broker.loadbalance.extensions.models.UnloadCounter;
import org.apache.pulsar.broker.loadbalance.extensions.models.UnloadDecision;
import org.apache.pulsar.broker.loadbalance.extensions.scheduler.NamespaceUnloadStrategy;
import org.apache.pulsar.broker.loadbalance.extensions.scheduler.UnloadScheduler;

/**
 * {@code shedding.cycles}: {@code execute} of a real {@link UnloadScheduler}, new for each trial. Strategy, channel
 * and registry say what the trial says; an unload ends, or fails, when it is published. Those of the modular manager:
 * {@link ModularCycles}.
 *
 * <p>The scheduler reads the wall clock. Between cycles the times that it keeps are put back by what has passed in the
 * trial, less half a minute, so that what is a whole number of minutes old is not older by the time that a cycle takes.
 */
public final class CyclesQuestion implements Question {
    private static final long HALF_A_MINUTE = 30_000;
    private static final long MINUTE = 60_000;

    private final World world;
    private ModularCycles modular;
    private JsonNode cycle;
    private ObjectNode result;
    private long clock;
    private final Map<String, Long> bundleTimes = new TreeMap<>();
    private final Map<String, Long> brokerTimes = new TreeMap<>();

    private final ServiceUnitStateChannel channel = Told.only(ServiceUnitStateChannel.class, Map.of(
            "isChannelOwnerAsync", arguments -> orFailed(Json.field(cycle, "leads"), JsonNode::asBoolean),
            "publishUnloadEventAsync", arguments -> published((Unload) arguments[0])));
    private final BrokerRegistry registry = Told.only(BrokerRegistry.class, Map.of(
            "getAvailableBrokersAsync", arguments -> orFailed(Json.field(cycle, "available"),
                    told -> Collections.nCopies(told.asInt(), "broker"))));

    public CyclesQuestion(World world) {
        this.world = world;
    }

    @Override
    public JsonNode answer(JsonNode trial) throws ReflectiveOperationException {
        if (trial.path("modular").asBoolean()) {
            modular = modular == null ? new ModularCycles() : modular;
            return modular.answer(trial);
        }
        Settings.read(world.config, trial, List.of("loadBalancerSheddingGracePeriodMinutes"));
        bundleTimes.clear();
        brokerTimes.clear();
        UnloadScheduler scheduler = new TrialScheduler();
        ObjectNode answer = Json.object();
        ArrayNode results = answer.putArray("cycles");
        for (JsonNode told : Json.list(trial, "cycles")) {
            results.add(run(scheduler, told));
        }
        return answer;
    }

    private ObjectNode run(UnloadScheduler scheduler, JsonNode told) {
        cycle = told;
        result = Json.object().put("asked", false);
        result.putArray("bundles");
        result.putArray("brokers");
        result.putArray("unloaded");
        world.config.setLoadBalancerEnabled(Json.flag(told, "enabled"));
        world.config.setLoadBalancerSheddingEnabled(Json.flag(told, "shedding_enabled"));
        long now = Json.integer(told, "now");
        Map<String, Long> bundles = kept(scheduler, "recentlyUnloadedBundles");
        Map<String, Long> brokers = kept(scheduler, "recentlyUnloadedBrokers");
        clock = System.currentTimeMillis();
        bundles.replaceAll((name, at) -> clock + HALF_A_MINUTE - (now - bundleTimes.get(name)));
        brokers.replaceAll((name, at) -> clock + HALF_A_MINUTE - (now - brokerTimes.get(name)));
        Map<String, Long> bundlesBefore = new TreeMap<>(bundles);
        Map<String, Long> brokersBefore = new TreeMap<>(brokers);
        scheduler.execute();
        bundles.forEach((name, at) -> noteIfNew(bundleTimes, bundlesBefore, name, at, now));
        brokers.forEach((name, at) -> noteIfNew(brokerTimes, brokersBefore, name, at, now));
        return result;
    }

    /** A time that the cycle has written is that of the cycle. */
    private static void noteIfNew(Map<String, Long> times, Map<String, Long> before, String name, long at, long now) {
        if (!Long.valueOf(at).equals(before.get(name))) {
            times.put(name, now);
        }
    }

    private static Map<String, Long> kept(UnloadScheduler scheduler, String name) {
        return Private.get(UnloadScheduler.class, scheduler, name);
    }

    private Set<UnloadDecision> decided(Map<String, Long> bundles, Map<String, Long> brokers) {
        result.put("asked", true);
        put(result.withArray("bundles"), bundles);
        put(result.withArray("brokers"), brokers);
        Set<UnloadDecision> decisions = new HashSet<>();
        for (JsonNode told : Json.list(cycle, "decided")) {
            JsonNode destination = Json.field(told, "destination");
            Optional<String> to = destination.isNull() ? Optional.empty() : Optional.of(destination.asText());
            boolean skip = Json.text(told, "outcome").equals("skip");
            decisions.add(new UnloadDecision(new Unload(Json.text(told, "source"), Json.text(told, "bundle"), to),
                    skip ? UnloadDecision.Label.Skip : UnloadDecision.Label.Success,
                    UnloadDecision.Reason.Overloaded));
        }
        return decisions;
    }

    private void put(ArrayNode list, Map<String, Long> times) {
        new TreeMap<>(times).forEach((name, at) -> list.addObject().put("name", name)
                .put("minutes", Math.floorDiv(clock + HALF_A_MINUTE - at, MINUTE)));
    }

    private CompletableFuture<Void> published(Unload unload) {
        result.withArray("unloaded").add(unload.serviceUnit());
        for (JsonNode told : Json.list(cycle, "decided")) {
            boolean fails = Json.text(told, "outcome").equals("fails");
            if (fails && Json.text(told, "bundle").equals(unload.serviceUnit())) {
                return CompletableFuture.failedFuture(new IllegalStateException("the unload fails"));
            }
        }
        return CompletableFuture.completedFuture(null);
    }

    private static <T> CompletableFuture<T> orFailed(JsonNode told, java.util.function.Function<JsonNode, T> value) {
        return told.isNull() ? CompletableFuture.failedFuture(new IllegalStateException("no answer"))
                : CompletableFuture.completedFuture(value.apply(told));
    }

    /** The real scheduler with the trial's strategy, channel and registry; it counts nothing. */
    private final class TrialScheduler extends UnloadScheduler {
        TrialScheduler() {
            super(world.pulsar, null, new AtOnce(),
                    LoadManagerContextImpl.builder().configuration(world.config).brokerRegistry(registry).build(),
                    channel, new TrialStrategy(), new Uncounted(), new AtomicReference<>(new ArrayList<>()));
        }
    }

    private final class TrialStrategy implements NamespaceUnloadStrategy {
        @Override
        public Set<UnloadDecision> findBundlesForUnloading(LoadManagerContext context, Map<String, Long> bundles,
                                                           Map<String, Long> brokers) {
            return decided(bundles, brokers);
        }

        @Override
        public void initialize(PulsarService pulsar) {
        }
    }

    private static final class AtOnce extends Unloads {
        @Override
        public CompletableFuture<Void> waitAsync(CompletableFuture<Void> published, String bundle,
                                                 UnloadDecision decision, long timeout, TimeUnit unit) {
            return published;
        }
    }

    private static final class Uncounted extends UnloadCounter {
        @Override
        public void updateUnloadBrokerCount(int count) {
        }
    }
}
