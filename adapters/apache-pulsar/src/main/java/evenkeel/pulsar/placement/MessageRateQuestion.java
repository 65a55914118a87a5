package evenkeel.pulsar.placement;

import com.fasterxml.jackson.databind.JsonNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Question;
import evenkeel.pulsar.Settings;
import java.util.Map;
import java.util.Set;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.LoadData;
import org.apache.pulsar.broker.loadbalance.impl.LeastLongTermMessageRate;
import org.apache.pulsar.policies.data.loadbalancer.BrokerData;
import org.apache.pulsar.policies.data.loadbalancer.BundleData;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;

/** {@code placement.least_long_term_message_rate}: {@link LeastLongTermMessageRate} itself. */
public final class MessageRateQuestion implements Question {
    private final ServiceConfiguration config = new ServiceConfiguration();

    @Override
    public JsonNode answer(JsonNode trial) throws Exception {
        config.setLoadBalancerBrokerOverloadedThresholdPercentage(Json.small(trial, "threshold"));
        Settings.weights(config, Json.field(trial, "weights"));
        LoadData loadData = new LoadData();
        for (JsonNode broker : Json.list(trial, "brokers")) {
            loadData.getBrokerData().put(Json.text(broker, "name"), broker(Json.field(broker, "report")));
        }
        LeastLongTermMessageRate strategy = new LeastLongTermMessageRate();
        Set<String> candidates = Reports.candidates(trial, "candidates");
        BundleData bundle = new BundleData(10, 1000);
        return Json.object().set("choices", Reports.choices(Json.small(trial, "times"),
                () -> strategy.selectBroker(candidates, bundle, loadData, config)));
    }

    private static BrokerData broker(JsonNode report) {
        LocalBrokerData local = new LocalBrokerData();
        Reports.resources(local, Json.field(report, "resources"));
        BrokerData broker = new BrokerData(local);
        broker.getTimeAverageData().setLongTermMsgRateIn(Json.number(report, "rate_in"));
        broker.getTimeAverageData().setLongTermMsgRateOut(Json.number(report, "rate_out"));
        Map<String, BundleData> preallocated = broker.getPreallocatedBundleData();
        for (long rate : Json.integers(report, "preallocated")) {
            BundleData bundle = new BundleData(10, 1000);
            bundle.getLongTermData().setMsgRateIn(rate);
            preallocated.put("bundle-" + preallocated.size(), bundle);
        }
        return broker;
    }
}
