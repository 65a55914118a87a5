package evenkeel.pulsar.throttling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Private;
import evenkeel.pulsar.Question;
import java.lang.reflect.Method;
import org.apache.pulsar.broker.service.AbstractTopic;
import org.apache.pulsar.broker.service.persistent.DispatchRateLimiter;
import org.apache.pulsar.common.policies.data.Policies;
import org.apache.pulsar.common.policies.data.SubscriptionPolicies;
import org.apache.pulsar.common.policies.data.TopicPolicies;

/**
 * {@code throttling.named}: {@link AbstractTopic} takes the policies and the configuration over, and a limiter is made
 * for the subscription or the replicator.
 */
public final class NamedQuestion implements Question {
    private final ThrottledBroker broker = new ThrottledBroker();
    private final Method topicPolicies =
            Private.method(AbstractTopic.class, "updateTopicPolicy", TopicPolicies.class);
    private final Method namespaceSubscriptionRate = Private.method(AbstractTopic.class,
            "updateNamespaceSubscriptionDispatchRate", Policies.class, String.class);
    private final Method namespaceReplicatorRate = Private.method(AbstractTopic.class,
            "updateNamespaceReplicatorDispatchRate", Policies.class, String.class);

    @Override
    public JsonNode answer(JsonNode trial) throws ReflectiveOperationException {
        broker.forget();
        boolean replicator = Json.text(trial, "limited").equals("replicator");
        if (replicator) {
            setReplicators(trial);
        } else {
            setSubscriptions(trial);
        }
        String name = Json.text(trial, "name");
        DispatchRateLimiter limiter = replicator
                ? Limiters.ofReplicator(broker.topic, name)
                : Limiters.ofSubscription(broker.topic, name);
        ObjectNode answer = Json.object();
        answer.putObject("limits")
                .put("messages", limiter.getDispatchRateOnMsg())
                .put("bytes", limiter.getDispatchRateOnByte());
        return answer;
    }

    private void setReplicators(JsonNode trial) throws ReflectiveOperationException {
        JsonNode configured = Json.field(trial, "configured");
        broker.config.setDispatchThrottlingRatePerReplicatorInMsg(Json.small(configured, "messages"));
        broker.config.setDispatchThrottlingRatePerReplicatorInByte(Json.integer(configured, "bytes"));
        broker.topic.updateBrokerReplicatorDispatchRate();
        Policies namespace = new Policies();
        PolicyQuestion.put(namespace.replicatorDispatchRate, Rates.rate(Json.field(trial, "namespace")));
        namespaceReplicatorRate.invoke(broker.topic, namespace, PolicyQuestion.CLUSTER);
        TopicPolicies topic = new TopicPolicies();
        topic.setReplicatorDispatchRate(Rates.rate(Json.field(trial, "topic")));
        topicPolicies.invoke(broker.topic, topic);
    }

    private void setSubscriptions(JsonNode trial) throws ReflectiveOperationException {
        JsonNode configured = Json.field(trial, "configured");
        broker.config.setDispatchThrottlingRatePerSubscriptionInMsg(Json.small(configured, "messages"));
        broker.config.setDispatchThrottlingRatePerSubscriptionInByte(Json.integer(configured, "bytes"));
        broker.topic.updateBrokerSubscriptionDispatchRate();
        Policies namespace = new Policies();
        PolicyQuestion.put(namespace.subscriptionDispatchRate, Rates.rate(Json.field(trial, "namespace")));
        namespaceSubscriptionRate.invoke(broker.topic, namespace, PolicyQuestion.CLUSTER);
        TopicPolicies topic = new TopicPolicies();
        topic.setSubscriptionDispatchRate(Rates.rate(Json.field(trial, "topic")));
        for (JsonNode policy : Json.field(trial, "named")) {
            SubscriptionPolicies named = new SubscriptionPolicies();
            named.setDispatchRate(Rates.rate(Json.field(policy, "rate")));
            topic.getSubscriptionPolicies().put(Json.text(policy, "name"), named);
        }
        topicPolicies.invoke(broker.topic, topic);
    }
}
