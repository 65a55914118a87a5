package evenkeel.pulsar.placement;

import com.fasterxml.jackson.databind.JsonNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Question;
import java.util.Map;
import org.apache.pulsar.common.policies.data.AutoFailoverPolicyData;
import org.apache.pulsar.common.policies.data.AutoFailoverPolicyType;
import org.apache.pulsar.common.policies.data.NamespaceIsolationDataImpl;

/**
 * {@code placement.policy}: what {@code ClustersBase.setNamespaceIsolationPolicy} asks a policy before it stores it,
 * {@link NamespaceIsolationDataImpl#validate}. An {@link IllegalArgumentException} refuses it.
 */
public final class IsolationPolicyQuestion implements Question {
    private static final Map<String, String> FAILOVER = Map.of("min_limit", "1", "usage_threshold", "100");

    @Override
    public JsonNode answer(JsonNode trial) {
        NamespaceIsolationDataImpl policy = NamespaceIsolationDataImpl.builder()
                .namespaces(Json.texts(trial, "namespaces"))
                .primary(Json.texts(trial, "primary"))
                .secondary(Json.texts(trial, "secondary"))
                .autoFailoverPolicy(AutoFailoverPolicyData.builder()
                        .policyType(AutoFailoverPolicyType.min_available).parameters(FAILOVER).build())
                .build();
        return Json.object().put("stored", stored(policy));
    }

    private static boolean stored(NamespaceIsolationDataImpl policy) {
        try {
            policy.validate();
            return true;
        } catch (IllegalArgumentException refused) {
            return false;
        }
    }
}
