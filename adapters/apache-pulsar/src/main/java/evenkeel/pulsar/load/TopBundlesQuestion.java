package evenkeel.pulsar.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Question;
import evenkeel.pulsar.standin.World;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.pulsar.broker.loadbalance.extensions.data.TopBundlesLoadData;
import org.apache.pulsar.broker.loadbalance.extensions.models.TopKBundles;
import org.apache.pulsar.common.policies.data.AutoFailoverPolicyData;
import org.apache.pulsar.common.policies.data.AutoFailoverPolicyType;
import org.apache.pulsar.common.policies.data.LocalPolicies;
import org.apache.pulsar.common.policies.data.NamespaceIsolationDataImpl;
import org.apache.pulsar.policies.data.loadbalancer.NamespaceBundleStats;

/** {@code load.top_bundles}: a real {@link TopKBundles}; isolation policies and groups are in the metadata store. */
public final class TopBundlesQuestion implements Question {
    private final World world;

    public TopBundlesQuestion(World world) {
        this.world = world;
    }

    @Override
    public JsonNode answer(JsonNode trial) throws Exception {
        JsonNode rules = Json.field(trial, "rules");
        world.clear();
        isolate(Json.texts(rules, "isolated"));
        for (String namespace : Json.texts(rules, "grouped")) {
            world.create(namespace, new LocalPolicies(null, null, "group"));
        }
        world.config.setLoadBalancerSheddingBundlesWithPoliciesEnabled(Json.flag(rules, "with_policies"));
        Map<String, NamespaceBundleStats> stats = new LinkedHashMap<>();
        for (JsonNode bundle : Json.list(trial, "bundles")) {
            stats.put(Json.text(bundle, "bundle"), Loads.statistics(bundle));
        }
        TopKBundles top = new TopKBundles(world.pulsar);
        try {
            top.update(stats, Json.small(rules, "most"));
        } catch (IllegalArgumentException fromTheList) {
            throw notDeliberate(fromTheList);
        }
        ObjectNode answer = Json.object();
        ArrayNode bundles = answer.putArray("bundles");
        for (TopBundlesLoadData.BundleLoadData bundle : top.getLoadData().getTopBundlesLoadData()) {
            bundles.add(bundle.bundleName());
        }
        return answer;
    }

    /** A policy for these namespaces; it takes expressions, of which a name must be one that matches itself only. */
    private void isolate(List<String> namespaces) throws Exception {
        if (namespaces.isEmpty()) {
            return;
        }
        AutoFailoverPolicyData failover = AutoFailoverPolicyData.builder()
                .policyType(AutoFailoverPolicyType.min_available)
                .parameters(Map.of("min_limit", "1", "usage_threshold", "100"))
                .build();
        NamespaceIsolationDataImpl policy = NamespaceIsolationDataImpl.builder()
                .namespaces(namespaces.stream().map(Pattern::quote).toList())
                .primary(List.of("broker-1.*"))
                .secondary(List.of())
                .autoFailoverPolicy(failover)
                .build();
        world.resources.getNamespaceResources().getIsolationPolicies()
                .createIsolationData(World.CLUSTER, Map.of("policy", policy));
    }

    /** Java's own lists refuse an impossible range with the exception that elsewhere means a refusal of Pulsar's. */
    private static RuntimeException notDeliberate(IllegalArgumentException fromTheList) {
        IndexOutOfBoundsException broke = new IndexOutOfBoundsException(fromTheList.getMessage());
        broke.setStackTrace(fromTheList.getStackTrace());
        return broke;
    }
}
