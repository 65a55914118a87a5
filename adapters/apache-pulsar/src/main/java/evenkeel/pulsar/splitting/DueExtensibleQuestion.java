package evenkeel.pulsar.splitting;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.BadTrial;
import evenkeel.pulsar.Failure;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Question;
import evenkeel.pulsar.bundles.Bundles;
import evenkeel.pulsar.standin.StandInContext;
import evenkeel.pulsar.standin.World;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pulsar.broker.loadbalance.extensions.ExtensibleLoadManagerWrapper;
import org.apache.pulsar.broker.loadbalance.extensions.models.SplitCounter;
import org.apache.pulsar.broker.loadbalance.extensions.models.SplitDecision;
import org.apache.pulsar.broker.loadbalance.extensions.scheduler.SplitScheduler;
import org.apache.pulsar.common.naming.NamespaceBundle;
import org.apache.pulsar.policies.data.loadbalancer.NamespaceBundleStats;

/**
 * {@code splitting.due_extensible}: one {@link SplitScheduler} for each trial, with the strategy that it makes for
 * itself ({@code DefaultNamespaceBundleSplitStrategyImpl}), executed once for each cycle. What it has split are
 * the answers. A cycle that throws is reported as broken, and the next one goes on with the same object, as in
 * the scheduler's own periodic task.
 */
public final class DueExtensibleQuestion implements Question {
    private final World world;
    private final ToldNamespaces namespaces;
    private final ToldChannel channel = new ToldChannel();
    private final RequestedSplits splits = new RequestedSplits();
    private final StandInContext context;
    private final ExtensibleLoadManagerWrapper wrapper;

    public DueExtensibleQuestion(World world) {
        this.world = world;
        namespaces = ToldNamespaces.create(world.pulsar, world.factory);
        world.pulsar.use(namespaces);
        context = new StandInContext(world.config);
        wrapper = channel.manager();
    }

    @Override
    public JsonNode answer(JsonNode trial) {
        world.clear();
        world.pulsar.use(wrapper);
        Splits.configureDue(world.config, Json.field(trial, "config"));
        SplitScheduler scheduler = new SplitScheduler(world.pulsar, channel.channel(), splits, new SplitCounter(),
                new AtomicReference<>(), context);
        ObjectNode answer = Json.object();
        ArrayNode cycles = answer.putArray("cycles");
        for (JsonNode cycle : Json.list(trial, "cycles")) {
            tell(cycle);
            cycles.add(run(scheduler));
        }
        return answer;
    }

    /** Puts what the broker knows in this cycle where Pulsar looks for it. */
    private void tell(JsonNode cycle) {
        Map<String, NamespaceBundleStats> stats = new LinkedHashMap<>();
        Map<String, List<Long>> positions = new HashMap<>();
        Set<String> owned = new HashSet<>();
        for (JsonNode own : Json.list(cycle, "loads")) {
            JsonNode load = Json.field(own, "load");
            String bundle = Json.text(load, "bundle");
            stats.put(bundle, Splits.bundleStats(load));
            List<Long> cuts = Json.integers(own, "positions");
            if (!cuts.isEmpty()) {
                positions.put(bundle, cuts);
            }
            if (Json.flag(own, "owned")) {
                owned.add(bundle);
            }
        }
        world.brokerService.setBundleStats(stats);
        namespaces.setPositions(positions);
        namespaces.setCounts(Splits.counts(Json.list(cycle, "counts")));
        channel.set(owned, Json.texts(cycle, "splitting"));
    }

    private JsonNode run(SplitScheduler scheduler) {
        ObjectNode result = Json.object();
        ArrayNode decisions = result.putArray("decisions");
        splits.clear();
        try {
            scheduler.execute();
            splits.decisions().forEach(decision -> decisions.add(decision(decision)));
            result.putNull("broke");
        } catch (BadTrial bad) {
            throw bad;
        } catch (RuntimeException thrown) {
            Failure failure = Failure.of(thrown);
            if (failure.kind() == Failure.Kind.ADAPTER) {
                throw thrown;
            }
            result.put("broke", failure.reason());
        }
        return result;
    }

    private ObjectNode decision(SplitDecision decision) {
        String bundle = decision.getSplit().serviceUnit();
        String namespace = NamespaceBundle.getBundleNamespace(bundle);
        List<NamespaceBundle> children = new ArrayList<>();
        for (String range : decision.getSplit().splitServiceUnitToDestBroker().keySet()) {
            children.add(world.factory.getBundle(namespace, range));
        }
        ObjectNode result = Json.object().put("bundle", bundle).put("reason", decision.getReason().name());
        result.set("children", Bundles.ascending(children));
        return result;
    }
}
