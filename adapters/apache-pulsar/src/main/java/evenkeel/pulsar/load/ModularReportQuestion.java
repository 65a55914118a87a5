package evenkeel.pulsar.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Private;
import evenkeel.pulsar.Question;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.impl.ModularLoadManagerImpl;
import org.apache.pulsar.metadata.api.coordination.ResourceLock;
import org.apache.pulsar.metadata.api.extended.SessionEvent;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;
import org.apache.pulsar.policies.data.loadbalancer.NamespaceBundleStats;
import org.apache.pulsar.policies.data.loadbalancer.SystemResourceUsage;

/**
 * {@code load.report_modular}: {@link ModularLoadManagerImpl#writeBrokerDataOnZooKeeper(boolean)} with Pulsar's own
 * rule. What the broker measures is told to it; the lock that it would write to counts, and fails where it is told to.
 */
public final class ModularReportQuestion implements Question {
    private final ServiceConfiguration config = new ServiceConfiguration();
    private final ToldManager manager = new ToldManager();
    private final ToldLock lock = new ToldLock();

    public ModularReportQuestion() {
        Private.set(ModularLoadManagerImpl.class, manager, "conf", config);
        Private.set(ModularLoadManagerImpl.class, manager, "brokerDataLock", lock);
    }

    @Override
    public JsonNode answer(JsonNode trial) {
        Loads.configureReports(config, Json.field(trial, "rules"));
        manager.start();
        PassingTime time = new PassingTime();
        long writtenAt = 0;
        ObjectNode answer = Json.object();
        ArrayNode results = answer.putArray("results");
        for (JsonNode check : Json.list(trial, "commands")) {
            time.pass(Json.small(check, "after"));
            long moment = time.late(writtenAt);
            manager.tell(check, moment);
            lock.tell(Json.flag(check, "store_fails"));
            manager.writeBrokerDataOnZooKeeper(Json.flag(check, "force"));
            if (manager.report.getLastUpdate() != moment) {
                writtenAt = time.now();
            }
            results.add(manager.result.put("sent", lock.asked));
        }
        return answer;
    }

    /** A load manager that is told what it measures. */
    private static final class ToldManager extends ModularLoadManagerImpl {
        private LocalBrokerData report;
        private ObjectNode result;
        private SystemResourceUsage usage;
        private Map<String, NamespaceBundleStats> stats;

        /** As when a broker starts. */
        @Override
        public void start() {
            report = new LocalBrokerData();
            Private.set(ModularLoadManagerImpl.class, this, "localData", report);
            Private.set(ModularLoadManagerImpl.class, this, "lastData", new LocalBrokerData());
        }

        void tell(JsonNode check, long lastWritten) {
            usage = Loads.resources(Json.field(check, "resources"));
            stats = new LinkedHashMap<>();
            for (JsonNode bundle : Json.list(check, "bundles")) {
                stats.put(Json.text(bundle, "bundle"), Loads.statistics(bundle));
            }
            report.setLastUpdate(lastWritten);
            SessionEvent session =
                    Json.flag(check, "connected") ? SessionEvent.Reconnected : SessionEvent.ConnectionLost;
            Private.set(ModularLoadManagerImpl.class, this, "lastMetadataSessionEvent", session);
        }

        @Override
        public LocalBrokerData updateLocalBrokerData() {
            report.update(usage, stats);
            result = Json.object();
            result.set("traffic", Loads.traffic(report.getMsgRateIn(), report.getMsgRateOut(),
                    report.getMsgThroughputIn(), report.getMsgThroughputOut()));
            result.put("topics", report.getNumTopics()).put("bundles", report.getNumBundles())
                    .put("producers", report.getNumProducers()).put("consumers", report.getNumConsumers());
            result.set("gained", Loads.sorted(report.getLastBundleGains()));
            result.set("lost", Loads.sorted(report.getLastBundleLosses()));
            return report;
        }
    }

    /** The broker's node in the metadata store. */
    private static final class ToldLock implements ResourceLock<LocalBrokerData> {
        private boolean fails;
        private boolean asked;

        void tell(boolean toFail) {
            fails = toFail;
            asked = false;
        }

        @Override
        public CompletableFuture<Void> updateValue(LocalBrokerData value) {
            asked = true;
            return fails ? CompletableFuture.failedFuture(new IOException("the store fails"))
                    : CompletableFuture.completedFuture(null);
        }

        @Override
        public String getPath() {
            return "/loadbalance/brokers/broker-1:8080";
        }

        @Override
        public LocalBrokerData getValue() {
            throw new UnsupportedOperationException("nothing that is asked reads it");
        }

        @Override
        public CompletableFuture<Void> release() {
            throw new UnsupportedOperationException("nothing that is asked releases it");
        }

        @Override
        public CompletableFuture<Void> getLockExpiredFuture() {
            throw new UnsupportedOperationException("nothing that is asked waits for it");
        }
    }
}
