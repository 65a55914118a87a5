package evenkeel.pulsar.placement;

import com.fasterxml.jackson.databind.JsonNode;
import evenkeel.pulsar.BadTrial;
import evenkeel.pulsar.CommandList;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Question;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.LoadData;
import org.apache.pulsar.broker.loadbalance.impl.AvgShedder;
import org.apache.pulsar.policies.data.loadbalancer.BrokerData;
import org.apache.pulsar.policies.data.loadbalancer.BundleData;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;
import org.apache.pulsar.policies.data.loadbalancer.ResourceUsage;

/**
 * {@code placement.avg_shedder}: the placement of one {@link AvgShedder} for each trial. What the trial says was
 * planned is put into the shedder's own map, as its shedding does; statistics change in place, as the load
 * manager changes them.
 */
public final class AvgShedderQuestion implements Question {
    private final ServiceConfiguration config = new ServiceConfiguration();

    @Override
    public JsonNode answer(JsonNode trial) throws Throwable {
        AvgShedder shedder = new AvgShedder();
        Plans plans = new Plans(shedder);
        Map<String, BundleData> bundles = new HashMap<>();
        for (JsonNode bundle : Json.list(trial, "bundles")) {
            BundleData data = new BundleData(10, 1000);
            update(data, Json.field(bundle, "statistics"));
            bundles.put(Json.text(bundle, "name"), data);
        }
        return CommandList.answer(trial, (command, arguments) -> {
            String name = Json.text(arguments, "bundle");
            BundleData bundle = bundles.get(name);
            if (bundle == null) {
                throw new BadTrial("there is no such bundle");
            }
            return perform(plans, name, bundle, command, arguments);
        });
    }

    private JsonNode perform(Plans plans, String name, BundleData bundle, String command, JsonNode arguments)
            throws Exception {
        switch (command) {
            case "plan":
                plans.put(name, bundle, Json.text(arguments, "broker"), Json.text(arguments, "source"));
                return CommandList.done();
            case "update":
                update(bundle, Json.field(arguments, "statistics"));
                return CommandList.done();
            case "place":
                if (Json.flag(arguments, "looked_up")) {
                    plans.end();
                }
                Set<String> candidates = Reports.candidates(arguments, "candidates");
                LoadData load = reported(candidates, Json.texts(arguments, "full"));
                return Json.object().put("do", "chosen").set("choices", Reports.choices(1,
                        () -> plans.place(candidates, name, bundle, load, config)));
            default:
                throw CommandList.unknown(command);
        }
    }

    /** Reports of the candidates: no usage, or all of it. */
    private static LoadData reported(Set<String> candidates, List<String> full) {
        LoadData load = new LoadData();
        for (String broker : candidates) {
            LocalBrokerData report = new LocalBrokerData();
            report.setCpu(new ResourceUsage(full.contains(broker) ? 100.0 : 0.0, 100.0));
            load.getBrokerData().put(broker, new BrokerData(report));
        }
        return load;
    }

    private static void update(BundleData bundle, JsonNode statistics) {
        bundle.getShortTermData().setMsgRateIn(Json.integer(statistics, "rate"));
        bundle.getShortTermData().setMsgThroughputIn(Json.integer(statistics, "throughput"));
        bundle.setTopics(Json.small(statistics, "topics"));
    }
}
