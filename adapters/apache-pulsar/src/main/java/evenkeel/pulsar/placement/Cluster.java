package evenkeel.pulsar.placement;

import com.fasterxml.jackson.databind.JsonNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.standin.Texts;
import evenkeel.pulsar.standin.World;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.common.naming.NamespaceBundle;
import org.apache.pulsar.common.naming.NamespaceName;
import org.apache.pulsar.common.policies.data.AutoFailoverPolicyData;
import org.apache.pulsar.common.policies.data.AutoFailoverPolicyType;
import org.apache.pulsar.common.policies.data.LocalPolicies;
import org.apache.pulsar.common.policies.data.NamespaceIsolationDataImpl;
import org.apache.pulsar.metadata.api.MetadataStoreException;

/** What the trials of both managers say in the same words: configuration, policies, groups, the bundle. */
final class Cluster {
    private static final List<Long> WHOLE = List.of(0L, 0xffffffffL);

    private Cluster() {
    }

    static String textOrNull(JsonNode trial, String name) {
        return Json.field(trial, name).isNull() ? null : Json.text(trial, name);
    }

    static void configure(ServiceConfiguration config, JsonNode trial) {
        JsonNode told = Json.field(trial, "config");
        config.setLoadManagerClassName(Json.text(told, "manager"));
        config.setLoadBalancerBrokerMaxTopics(Json.small(told, "max_topics"));
        config.setLoadBalancerDistributeBundlesEvenlyEnabled(Json.flag(told, "distribute_evenly"));
        config.setPreferLaterVersions(Json.flag(told, "prefer_later_versions"));
        config.setLoadBalancerBrokerOverloadedThresholdPercentage(Json.small(told, "overloaded_threshold"));
        config.setFailureDomainsEnabled(Json.flag(trial, "failure_domains"));
    }

    /** Stores the isolation policies and the anti-affinity groups. */
    static void store(World world, JsonNode trial) throws MetadataStoreException {
        Map<String, NamespaceIsolationDataImpl> policies = new HashMap<>();
        for (JsonNode policy : Json.list(trial, "policies")) {
            policies.put("policy-" + policies.size(), policy(policy));
        }
        if (!policies.isEmpty()) {
            world.resources.getNamespaceResources().getIsolationPolicies()
                    .createIsolationData(World.CLUSTER, policies);
        }
        for (JsonNode grouped : Json.list(trial, "groups")) {
            world.create(Json.text(grouped, "namespace"),
                    new LocalPolicies(Texts.bundles(WHOLE), null, Json.text(grouped, "group")));
        }
    }

    private static NamespaceIsolationDataImpl policy(JsonNode told) {
        Map<String, String> parameters =
                Map.of("min_limit", String.valueOf(Json.small(told, "least")), "usage_threshold", "100");
        return NamespaceIsolationDataImpl.builder()
                .namespaces(Json.texts(told, "namespaces"))
                .primary(Json.texts(told, "primary"))
                .secondary(Json.texts(told, "secondary"))
                .autoFailoverPolicy(AutoFailoverPolicyData.builder()
                        .policyType(AutoFailoverPolicyType.min_available).parameters(parameters).build())
                .build();
    }

    /** The bundle that is to be placed. */
    static NamespaceBundle bundle(World world, JsonNode trial) {
        String name = Json.text(trial, "bundle");
        int slash = name.lastIndexOf('/');
        String[] ends = name.substring(slash + 1).split("_");
        NamespaceBundle bundle = world.bundle(NamespaceName.get(name.substring(0, slash)),
                Long.decode(ends[0]), Long.decode(ends[1]));
        bundle.setHasNonPersistentTopic(!Json.flag(trial, "persistent"));
        return bundle;
    }

    /** The failure domains of brokers that have one. */
    static Map<String, String> domains(JsonNode trial) {
        Map<String, String> domains = new HashMap<>();
        for (JsonNode broker : Json.list(trial, "brokers")) {
            String domain = textOrNull(broker, "domain");
            if (domain != null && Json.flag(trial, "failure_domains")) {
                domains.put(Json.text(broker, "name"), domain);
            }
        }
        return domains;
    }
}
