package evenkeel.pulsar.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.CommandList;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Private;
import evenkeel.pulsar.Question;
import evenkeel.pulsar.standin.StandInPulsar;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.extensions.data.BrokerLoadData;
import org.apache.pulsar.broker.loadbalance.extensions.reporter.BrokerLoadDataReporter;

/**
 * {@code load.report_extensible}: a real {@link BrokerLoadDataReporter} checks, and hears of bundles. What the broker
 * measures is told to it; the store counts, and fails where it is told to.
 */
public final class ExtensibleReportQuestion implements Question {
    private static final Class<?> REPORTER = BrokerLoadDataReporter.class;

    private final ServiceConfiguration config = new ServiceConfiguration();
    private final ToldStore store = new ToldStore();
    private final Long removalDelay = Private.get(REPORTER, null, "TOMBSTONE_DELAY_IN_MILLIS");

    @Override
    public JsonNode answer(JsonNode trial) {
        Loads.configureReports(config, Json.field(trial, "rules"));
        Broker broker = new Broker(reporter());
        ObjectNode answer = Json.object();
        ArrayNode results = answer.putArray("results");
        for (JsonNode command : Json.list(trial, "commands")) {
            results.add(broker.perform(Json.text(command, "do"), command));
        }
        return answer;
    }

    private ToldReporter reporter() {
        ToldReporter reporter = Private.allocate(ToldReporter.class);
        reporter.configuration = config;
        Private.set(REPORTER, reporter, "conf", config);
        Private.set(REPORTER, reporter, "brokerId", StandInPulsar.BROKER_ID);
        Private.set(REPORTER, reporter, "brokerLoadDataStore", store.proxy());
        Private.set(REPORTER, reporter, "localData", new BrokerLoadData());
        Private.set(REPORTER, reporter, "lastData", new BrokerLoadData());
        Private.set(REPORTER, reporter, "tombstoneDelayInMillis", removalDelay);
        return reporter;
    }

    /** A reporter with the virtual times of what it remembers. */
    private final class Broker {
        private final ToldReporter reporter;
        private final PassingTime time = new PassingTime();
        private long reportedAt;
        private Long removedAt;

        Broker(ToldReporter reporter) {
            this.reporter = reporter;
        }

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
            BrokerLoadData data = reporter.getLocalData();
            long moment = data.getReportedAt() == 0 ? 0 : time.late(reportedAt);
            data.setReportedAt(moment);
            reporter.told = check;
            reporter.reportAsync(Json.flag(check, "force"));
            if (data.getReportedAt() != moment) {
                reportedAt = time.now();
            }
            return result("checked", "sent", store.wasPushed());
        }

        private ObjectNode hear(JsonNode heard) {
            long moment = removedAt == null ? 0 : time.early(removedAt);
            Private.set(REPORTER, reporter, "lastTombstonedAt", moment);
            reporter.handleEvent(Changes.BUNDLE, Changes.of(heard), Changes.failure(heard));
            if (Private.<Long>get(REPORTER, reporter, "lastTombstonedAt") != moment) {
                removedAt = time.now();
            }
            return result("cleared", "removed", store.wasRemoved());
        }

        private ObjectNode result(String word, String done, boolean isDone) {
            BrokerLoadData data = reporter.getLocalData();
            return Json.object().put("do", word).put(done, isDone)
                    .put("max_usage", data.getMaxResourceUsage())
                    .put("weighted_max", data.getWeightedMaxEMA())
                    .put("throughput", data.getMsgThroughputEMA());
        }
    }

    /** A reporter that is told what its broker measures. */
    private static final class ToldReporter extends BrokerLoadDataReporter {
        private ServiceConfiguration configuration;
        private JsonNode told;

        private ToldReporter() {
            super(null, null, null);
        }

        @Override
        public BrokerLoadData generateLoadData() {
            JsonNode traffic = Json.field(told, "traffic");
            getLocalData().update(Loads.resources(Json.field(told, "resources")),
                    Json.number(traffic, "throughput_in"), Json.number(traffic, "throughput_out"),
                    Json.number(traffic, "msg_rate_in"), Json.number(traffic, "msg_rate_out"),
                    Json.small(told, "bundles"), 0, configuration);
            return getLocalData();
        }
    }
}
