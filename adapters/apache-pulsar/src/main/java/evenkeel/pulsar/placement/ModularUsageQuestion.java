package evenkeel.pulsar.placement;

import com.fasterxml.jackson.databind.JsonNode;
import evenkeel.pulsar.CommandList;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Question;
import evenkeel.pulsar.Settings;
import java.util.HashSet;
import java.util.Set;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.LoadData;
import org.apache.pulsar.broker.loadbalance.impl.LeastResourceUsageWithWeight;
import org.apache.pulsar.policies.data.loadbalancer.BrokerData;
import org.apache.pulsar.policies.data.loadbalancer.BundleData;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;

/** {@code placement.least_resource_usage_modular}: one {@link LeastResourceUsageWithWeight} for each trial. */
public final class ModularUsageQuestion implements Question {
    private final ServiceConfiguration config = new ServiceConfiguration();
    private final BundleData bundle = new BundleData(10, 1000);

    @Override
    public JsonNode answer(JsonNode trial) throws Throwable {
        JsonNode told = Json.field(trial, "config");
        config.setLoadBalancerAverageResourceUsageDifferenceThresholdPercentage(Json.small(told, "difference"));
        config.setLoadBalancerHistoryResourcePercentage(Json.number(told, "history"));
        Settings.weights(config, Json.field(told, "weights"));
        LoadData loadData = new LoadData();
        LeastResourceUsageWithWeight strategy = new LeastResourceUsageWithWeight();
        return CommandList.answer(trial, (command, arguments) -> perform(strategy, loadData, command, arguments));
    }

    private JsonNode perform(LeastResourceUsageWithWeight strategy, LoadData loadData, String command,
                             JsonNode arguments) throws Exception {
        switch (command) {
            case "report":
                loadData.getBrokerData().put(Json.text(arguments, "broker"),
                        new BrokerData(report(Json.field(arguments, "report"))));
                return CommandList.done();
            case "active":
                strategy.onActiveBrokersChange(Reports.candidates(arguments, "brokers"));
                return CommandList.done();
            case "ask":
                Set<String> candidates = Reports.candidates(arguments, "candidates");
                return Json.object().put("do", "chosen")
                        .set("choices", Reports.choices(Json.small(arguments, "times"),
                                () -> strategy.selectBroker(candidates, bundle, loadData, config)));
            default:
                throw CommandList.unknown(command);
        }
    }

    private static LocalBrokerData report(JsonNode told) {
        LocalBrokerData report = new LocalBrokerData();
        Reports.resources(report, Json.field(told, "resources"));
        Set<String> bundles = new HashSet<>();
        for (int i = 0; i < Json.small(told, "bundles"); i++) {
            bundles.add("tenant/namespace/" + i);
        }
        report.setBundles(bundles);
        report.setMsgRateIn(Json.number(told, "rate_in"));
        report.setMsgRateOut(Json.number(told, "rate_out"));
        return report;
    }
}
