package evenkeel.pulsar.placement;

import com.fasterxml.jackson.databind.JsonNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Question;
import evenkeel.pulsar.standin.World;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.extensions.LoadManagerContextImpl;
import org.apache.pulsar.broker.loadbalance.extensions.strategy.LeastResourceUsageWithWeight;
import org.apache.pulsar.common.naming.NamespaceBundle;
import org.apache.pulsar.common.naming.NamespaceName;

/** {@code placement.least_resource_usage_extensible}: the extensible manager's only strategy. */
public final class ExtensibleUsageQuestion implements Question {
    private final ServiceConfiguration config = new ServiceConfiguration();
    private final ToldLoad load = new ToldLoad();
    private final LoadManagerContextImpl context = LoadManagerContextImpl.builder()
            .configuration(config).brokerLoadDataStore(load.store()).build();
    private final LeastResourceUsageWithWeight strategy = new LeastResourceUsageWithWeight();
    private final NamespaceBundle bundle;

    public ExtensibleUsageQuestion(World world) {
        NamespaceName namespace = NamespaceName.get("tenant/namespace");
        world.reset(namespace, List.of(0L, 0xffffffffL));
        bundle = world.bundle(namespace, 0, 0xffffffffL);
    }

    @Override
    public JsonNode answer(JsonNode trial) throws Exception {
        config.setLoadBalancerAverageResourceUsageDifferenceThresholdPercentage(Json.small(trial, "difference"));
        load.clear();
        Set<String> candidates = new LinkedHashSet<>();
        for (JsonNode candidate : Json.list(trial, "candidates")) {
            String name = Json.text(candidate, "name");
            candidates.add(name);
            if (!Json.field(candidate, "usage").isNull()) {
                load.tell(name, Json.number(candidate, "usage"), 0);
            }
        }
        return Json.object().set("choices", Reports.choices(Json.small(trial, "times"),
                () -> strategy.select(candidates, bundle, context)));
    }
}
