package evenkeel.pulsar.throttling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.CommandList;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.NotHere;
import evenkeel.pulsar.Private;
import evenkeel.pulsar.Question;
import java.lang.reflect.Method;
import java.util.Optional;
import org.apache.pulsar.broker.service.AbstractTopic;
import org.apache.pulsar.broker.service.BrokerService;
import org.apache.pulsar.broker.service.persistent.DispatchRateLimiter;
import org.apache.pulsar.broker.service.persistent.PersistentDispatcherMultipleConsumers;
import org.apache.pulsar.common.policies.data.Policies;
import org.apache.pulsar.common.policies.data.TopicPolicies;
import org.apache.pulsar.common.policies.data.impl.DispatchRateImpl;

/**
 * {@code throttling.policy}: Pulsar's own steps when a policy or the configuration changes: {@link AbstractTopic}
 * takes the values over, then topic, dispatcher and broker bring their limiters up to date.
 */
public final class PolicyQuestion implements Question {
    static final String CLUSTER = "c";

    private final ThrottledBroker broker = new ThrottledBroker();
    private final Method topicPolicies =
            Private.method(AbstractTopic.class, "updateTopicPolicy", TopicPolicies.class);
    private final Method namespaceTopicRate =
            Private.method(AbstractTopic.class, "updateNamespaceDispatchRate", Policies.class, String.class);
    private final Method namespaceSubscriptionRate = Private.method(AbstractTopic.class,
            "updateNamespaceSubscriptionDispatchRate", Policies.class, String.class);
    private final Method brokerRate = Private.method(BrokerService.class, "updateBrokerDispatchThrottlingMaxRate");

    private Policies namespace;
    private TopicPolicies topic;
    private PersistentDispatcherMultipleConsumers dispatcher;

    @Override
    public JsonNode answer(JsonNode trial) throws Throwable {
        if (trial.path("system").asBoolean()) {
            throw new NotHere("the topic of this adapter is none of the broker's own");
        }
        broker.forget();
        Limiters.use(broker.service, trial);
        namespace = new Policies();
        topic = new TopicPolicies();
        dispatcher = null;
        configure(Json.field(trial, "start"));
        return CommandList.answer(trial, this::perform);
    }

    private JsonNode perform(String command, JsonNode arguments) throws ReflectiveOperationException {
        switch (command) {
            case "set_broker":
                configure(Json.field(arguments, "config"));
                break;
            case "set_namespace":
                setNamespace(Json.text(arguments, "level"), Rates.rate(Json.field(arguments, "rate")));
                break;
            case "set_topic":
                setTopic(Json.text(arguments, "level"), Rates.rate(Json.field(arguments, "rate")));
                break;
            case "subscribe":
                subscribe();
                break;
            default:
                throw CommandList.unknown(command);
        }
        return inForce();
    }

    private void configure(JsonNode config) throws ReflectiveOperationException {
        JsonNode whole = Json.field(config, "broker");
        broker.config.setDispatchThrottlingRateInMsg(Json.small(whole, "messages"));
        broker.config.setDispatchThrottlingRateInByte(Json.integer(whole, "bytes"));
        JsonNode each = Json.field(config, "topic");
        broker.config.setDispatchThrottlingRatePerTopicInMsg(Json.small(each, "messages"));
        broker.config.setDispatchThrottlingRatePerTopicInByte(Json.integer(each, "bytes"));
        JsonNode part = Json.field(config, "subscription");
        broker.config.setDispatchThrottlingRatePerSubscriptionInMsg(Json.small(part, "messages"));
        broker.config.setDispatchThrottlingRatePerSubscriptionInByte(Json.integer(part, "bytes"));
        brokerRate.invoke(broker.service);
        broker.topic.updateBrokerDispatchRate();
        broker.topic.updateBrokerSubscriptionDispatchRate();
        updateLimiters();
    }

    private void setNamespace(String level, DispatchRateImpl rate) throws ReflectiveOperationException {
        if (level.equals("topic")) {
            put(namespace.topicDispatchRate, rate);
            namespaceTopicRate.invoke(broker.topic, namespace, CLUSTER);
        } else {
            put(namespace.subscriptionDispatchRate, rate);
            namespaceSubscriptionRate.invoke(broker.topic, namespace, CLUSTER);
        }
        updateLimiters();
    }

    /** A namespace's rate; null is none. */
    static void put(java.util.Map<String, DispatchRateImpl> rates, DispatchRateImpl rate) {
        if (rate == null) {
            rates.remove(CLUSTER);
        } else {
            rates.put(CLUSTER, rate);
        }
    }

    private void setTopic(String level, DispatchRateImpl rate) throws ReflectiveOperationException {
        if (level.equals("topic")) {
            topic.setDispatchRate(rate);
        } else {
            topic.setSubscriptionDispatchRate(rate);
        }
        topicPolicies.invoke(broker.topic, topic);
        updateLimiters();
    }

    private void subscribe() {
        if (dispatcher == null) {
            dispatcher = Dispatchers.unstarted(broker.topic);
            dispatcher.initializeDispatchRateLimiterIfNeeded();
        }
    }

    private void updateLimiters() {
        broker.topic.updateDispatchRateLimiter();
        if (dispatcher != null) {
            dispatcher.updateRateLimiter();
        }
    }

    private JsonNode inForce() {
        ObjectNode result = Json.object().put("do", "in_force");
        result.set("broker", limits(broker.topic.getBrokerDispatchRateLimiter()));
        result.set("topic", limits(broker.topic.getDispatchRateLimiter()));
        result.set("subscription", limits(dispatcher == null ? Optional.empty() : dispatcher.getRateLimiter()));
        return result;
    }

    private static ObjectNode limits(Optional<DispatchRateLimiter> limiter) {
        return Json.object()
                .put("messages", limiter.map(DispatchRateLimiter::getDispatchRateOnMsg).orElse(-1L))
                .put("bytes", limiter.map(DispatchRateLimiter::getDispatchRateOnByte).orElse(-1L));
    }
}
