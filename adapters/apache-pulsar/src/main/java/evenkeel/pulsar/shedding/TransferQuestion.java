package evenkeel.pulsar.shedding;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Private;
import evenkeel.pulsar.Question;
import evenkeel.pulsar.Settings;
import evenkeel.pulsar.standin.World;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.extensions.models.Unload;
import org.apache.pulsar.broker.loadbalance.extensions.models.UnloadCounter;
import org.apache.pulsar.broker.loadbalance.extensions.models.UnloadDecision;
import org.apache.pulsar.broker.loadbalance.extensions.scheduler.TransferShedder;

/**
 * {@code shedding.transfer} and {@code shedding.transfer_debug}: a real {@link TransferShedder}, new for each trial
 * (and mode), asked once a round over a {@link ToldCluster}.
 *
 * <p>It compares reports with the wall clock, which it reads once, just before it reads them. Times are told relative to
 * a moment; a round in which a report is about to become too old is asked again, from the count before, until the clock
 * has stood still meanwhile. A round of many brokers lasts too long for that: there it is enough that the reports were
 * read at that very moment, and as telling takes its time as well, the moment is later and later.
 */
public final class TransferQuestion {
    private static final long NEAR = 60_000;
    private static final int MOST_TRIES = 100;

    private static final List<String> KEYS = List.of("loadBalancerBrokerLoadTargetStd",
            "loadBalancerBrokerOverloadedThresholdPercentage", "loadBalancerSheddingConditionHitCountThreshold",
            "loadBalancerTransferEnabled", "loadBalancerMaxNumberOfBrokerSheddingPerCycle",
            "loadBalanceSheddingDelayInSeconds", "loadBalancerBrokerLoadDataTTLInSeconds",
            "loadBalancerSheddingBundlesWithPoliciesEnabled");

    private final ServiceConfiguration config;
    private final World world;
    private final ToldCluster cluster;

    public TransferQuestion(World world) {
        this.world = world;
        config = world.config;
        cluster = new ToldCluster(config);
    }

    /** What is moved, in the trial's mode. */
    public static Question once(World world) {
        TransferQuestion question = new TransferQuestion(world);
        return trial -> question.rounds(trial, Json.flag(Json.field(trial, "config"), "loadBalancerDebugModeEnabled"));
    }

    /** What is moved without debug mode, and with it. */
    public static Question twice(World world) {
        TransferQuestion question = new TransferQuestion(world);
        return trial -> {
            ObjectNode answer = Json.object();
            answer.set("quiet", question.rounds(trial, false));
            answer.set("debug", question.rounds(trial, true));
            return answer;
        };
    }

    private ObjectNode rounds(JsonNode trial, boolean debug) {
        Settings.read(config, Json.field(trial, "config"), KEYS);
        config.setLoadBalancerDebugModeEnabled(debug);
        TransferShedder shedder = new TransferShedder(new UnloadCounter());
        set(shedder, "pulsar", world.pulsar);
        set(shedder, "channel", cluster.channel);
        set(shedder, "isolationPoliciesHelper", cluster.isolation);
        set(shedder, "antiAffinityGroupPolicyHelper", cluster.antiAffinity);
        set(shedder, "brokerFilterPipeline", List.of(cluster));
        ObjectNode answer = Json.object();
        ArrayNode rounds = answer.putArray("rounds");
        for (JsonNode view : Json.list(trial, "rounds")) {
            rounds.add(round(shedder, view));
        }
        return answer;
    }

    private ObjectNode round(TransferShedder shedder, JsonNode view) {
        boolean near = hangsOnTheClock(view);
        int hits = Private.<Integer>get(TransferShedder.class, shedder, "unloadConditionHitCount");
        long ahead = 0;
        for (int tries = 1; true; tries++) {
            ToldCounter counter = new ToldCounter();
            set(shedder, "counter", counter);
            set(shedder, "unloadConditionHitCount", hits);
            long now = System.currentTimeMillis() + ahead;
            cluster.tell(view, now);
            Map<String, Long> bundles = bundles(view);
            Map<String, Long> brokers = brokers(view, now);
            while (System.currentTimeMillis() < now) {
                Thread.onSpinWait();
            }
            Set<UnloadDecision> decisions = shedder.findBundlesForUnloading(cluster, bundles, brokers);
            boolean stoodStill = System.currentTimeMillis() == now;
            if (!near || stoodStill || (tries > MOST_TRIES && cluster.readAt() <= now)) {
                return written(decisions, counter);
            }
            ahead = tries < MOST_TRIES ? 1 : 2 * ahead + 1;
        }
    }

    /** Whether a report is still young enough, but not for long. */
    private boolean hangsOnTheClock(JsonNode view) {
        long now = Json.integer(view, "now");
        long most = config.getLoadBalancerBrokerLoadDataTTLInSeconds() * 1000;
        for (JsonNode report : Json.list(view, "reports")) {
            long age = now - Json.integer(report, "updated_at");
            if (age <= most && age > most - NEAR) {
                return true;
            }
        }
        return false;
    }

    private static Map<String, Long> bundles(JsonNode view) {
        Map<String, Long> recent = new HashMap<>();
        Json.texts(view, "recent_bundles").forEach(bundle -> recent.put(bundle, 0L));
        return recent;
    }

    private static Map<String, Long> brokers(JsonNode view, long now) {
        long shift = now - Json.integer(view, "now");
        Map<String, Long> recent = new HashMap<>();
        for (JsonNode unload : Json.list(view, "recent_brokers")) {
            recent.put(Json.text(unload, "broker"), Json.integer(unload, "at") + shift);
        }
        return recent;
    }

    private static ObjectNode written(Set<UnloadDecision> decisions, ToldCounter counter) {
        ObjectNode result = Json.object();
        boolean failed = counter.label == UnloadDecision.Label.Failure;
        boolean moved = !decisions.isEmpty() && !failed;
        result.put("label", moved ? "Success" : String.valueOf(counter.label));
        result.put("reason", moved ? null : String.valueOf(counter.reason));
        ArrayNode moves = result.putArray("moves");
        for (UnloadDecision decision : decisions) {
            Unload unload = decision.getUnload();
            moves.addObject().put("source", unload.sourceBroker()).put("bundle", unload.serviceUnit())
                    .put("destination", unload.destBroker().orElse(null)).put("reason", decision.getReason().name());
        }
        result.put("average", counter.average);
        result.put("deviation", counter.deviation == null || counter.deviation.isNaN() ? null : counter.deviation);
        return result;
    }

    private static void set(TransferShedder shedder, String name, Object value) {
        Private.set(TransferShedder.class, shedder, name, value);
    }

    /** Keeps what a round is told to have been. */
    private static final class ToldCounter extends UnloadCounter {
        private UnloadDecision.Label label;
        private UnloadDecision.Reason reason;
        private Double average;
        private Double deviation;

        @Override
        public void update(UnloadDecision.Label label, UnloadDecision.Reason reason) {
            super.update(label, reason);
            this.label = label;
            this.reason = reason;
        }

        @Override
        public void updateLoadData(double loadAvg, double loadStd) {
            super.updateLoadData(loadAvg, loadStd);
            average = loadAvg;
            deviation = loadStd;
        }
    }
}
