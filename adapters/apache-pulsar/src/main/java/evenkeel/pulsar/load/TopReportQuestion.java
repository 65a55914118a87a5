package evenkeel.pulsar.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.CommandList;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Private;
import evenkeel.pulsar.Question;
import evenkeel.pulsar.standin.StandInPulsar;
import evenkeel.pulsar.standin.World;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.pulsar.broker.loadbalance.extensions.data.TopBundlesLoadData;
import org.apache.pulsar.broker.loadbalance.extensions.reporter.TopBundleLoadDataReporter;
import org.apache.pulsar.broker.service.BrokerService;
import org.apache.pulsar.broker.service.PulsarStats;
import org.apache.pulsar.policies.data.loadbalancer.NamespaceBundleStats;

/**
 * {@code load.top_report}: a real {@link TopBundleLoadDataReporter} checks, and hears of bundles. The statistics of the
 * broker and the time of their renewal are told to it; the store counts, and fails where it is told to.
 */
public final class TopReportQuestion implements Question {
    private static final Class<?> REPORTER = TopBundleLoadDataReporter.class;
    private static final int MOST = 10;

    private final World world;
    private final ToldStore store = new ToldStore();
    private final PulsarStats renewals = Private.allocate(PulsarStats.class);

    public TopReportQuestion(World world) {
        this.world = world;
        Private.set(BrokerService.class, world.brokerService, "pulsarStats", renewals);
        world.config.setLoadBalancerMaxNumberOfBundlesInBundleLoadReport(MOST);
    }

    @Override
    public JsonNode answer(JsonNode trial) {
        world.clear();
        Broker broker = new Broker();
        ObjectNode answer = Json.object();
        ArrayNode results = answer.putArray("results");
        for (JsonNode command : Json.list(trial, "commands")) {
            results.add(broker.perform(Json.text(command, "do"), command));
        }
        return answer;
    }

    /** A reporter with the virtual time of what it remembers. */
    private final class Broker {
        private final TopBundleLoadDataReporter reporter =
                new TopBundleLoadDataReporter(world.pulsar, StandInPulsar.BROKER_ID, store.proxy());
        private final PassingTime time = new PassingTime();
        private Long removedAt;

        ObjectNode perform(String command, JsonNode arguments) {
            time.pass(Json.small(arguments, "after"));
            store.tell(Json.flag(arguments, "store_fails"));
            return switch (command) {
                case "check" -> check(arguments);
                case "heard" -> hear(arguments);
                default -> throw CommandList.unknown(command);
            };
        }

        private ObjectNode check(JsonNode check) {
            Map<String, NamespaceBundleStats> stats = new LinkedHashMap<>();
            for (JsonNode bundle : Json.list(check, "bundles")) {
                stats.put(Json.text(bundle, "bundle"), Loads.statistics(bundle));
            }
            world.brokerService.setBundleStats(stats);
            Private.set(PulsarStats.class, renewals, "updatedAt", (long) Json.small(check, "statistics"));
            reporter.reportAsync(Json.flag(check, "force"));
            ObjectNode result = Json.object().put("do", "checked").put("sent", store.wasPushed());
            ArrayNode bundles = result.putArray("bundles");
            if (store.wasPushed()) {
                TopBundlesLoadData data = (TopBundlesLoadData) store.pushed();
                data.getTopBundlesLoadData().forEach(bundle -> bundles.add(bundle.bundleName()));
            }
            return result;
        }

        private ObjectNode hear(JsonNode heard) {
            long moment = removedAt == null ? 0 : time.early(removedAt);
            Private.set(REPORTER, reporter, "lastTombstonedAt", moment);
            reporter.handleEvent(Changes.BUNDLE, Changes.of(heard), Changes.failure(heard));
            if (Private.<Long>get(REPORTER, reporter, "lastTombstonedAt") != moment) {
                removedAt = time.now();
            }
            return Json.object().put("do", "cleared").put("removed", store.wasRemoved());
        }
    }
}
