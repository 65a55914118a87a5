package evenkeel.pulsar.throttling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.BadTrial;
import evenkeel.pulsar.CommandList;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.NeverCompletes;
import evenkeel.pulsar.NotHere;
import evenkeel.pulsar.Private;
import evenkeel.pulsar.Question;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.commons.lang3.concurrent.ConcurrentInitializer;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.broker.service.AbstractTopic;
import org.apache.pulsar.broker.service.BrokerService;
import org.apache.pulsar.broker.service.SystemTopicBasedTopicPoliciesService;
import org.apache.pulsar.broker.service.persistent.PersistentTopic;
import org.apache.pulsar.broker.systopic.NamespaceEventsSystemTopicFactory;
import org.apache.pulsar.common.naming.NamespaceName;
import org.apache.pulsar.common.naming.TopicName;
import org.apache.pulsar.common.policies.data.Policies;
import org.apache.pulsar.common.policies.data.SubscriptionPolicies;
import org.apache.pulsar.common.policies.data.TopicPolicies;
import org.apache.pulsar.common.policies.data.impl.DispatchRateImpl;

/**
 * {@code throttling.stored}: {@link SystemTopicBasedTopicPoliciesService} writes policies to their topic and reads them
 * back, and a topic takes them over as it does when it is loaded, and when they change.
 */
public final class StoredQuestion implements Question {
    private static final Class<?> SERVICE = SystemTopicBasedTopicPoliciesService.class;
    private static final NamespaceName NAMESPACE = NamespaceName.get("t/ns");
    private static final TopicName TOPIC = TopicName.get("persistent://t/ns/topic");
    private static final String SUBSCRIPTION = "s";
    private static final int SECONDS = 20;

    private final ThrottledBroker broker = new ThrottledBroker();
    private final PoliciesTopic stored = new PoliciesTopic(NAMESPACE);
    private final SystemTopicBasedTopicPoliciesService service;
    private final Method namespaceTopicRate =
            Private.method(AbstractTopic.class, "updateNamespaceDispatchRate", Policies.class, String.class);
    private final Method namespaceSubscriptionRate = Private.method(AbstractTopic.class,
            "updateNamespaceSubscriptionDispatchRate", Policies.class, String.class);
    private final Method read = Private.method(SERVICE, "prepareInitPoliciesCacheAsync", NamespaceName.class);
    private final Method load = loadMethod();
    /** Since 4.0.7 with the change itself, before with the policies that it makes. */
    private final Method update = Arrays.stream(SERVICE.getMethods())
            .filter(method -> method.getName().equals("updateTopicPoliciesAsync")).findFirst().orElseThrow();

    private JsonNode trial;

    public StoredQuestion() {
        PulsarService pulsar = broker.world.pulsar;
        broker.world.tasks.settled(pulsar.getPulsarResources().getNamespaceResources()
                .createPoliciesAsync(NAMESPACE, new Policies()));
        broker.world.store.put("/managed-ledgers/" + stored.getTopicName().getPersistenceNamingEncoding(),
                new byte[0], Optional.empty());
        broker.config.setSystemTopicEnabled(true);
        broker.config.setTopicLevelPoliciesEnabled(true);
        Private.set(BrokerService.class, broker.service, "topicOrderedExecutor", pulsar.getOrderedExecutor());
        service = new SystemTopicBasedTopicPoliciesService(pulsar);
        ConcurrentInitializer<NamespaceEventsSystemTopicFactory> factory = stored::factory;
        Private.set(SERVICE, service, "namespaceEventsSystemTopicFactoryLazyInitializer", factory);
        Private.set(PulsarService.class, pulsar, "topicPoliciesService", service);
    }

    /** Of all topics since 4.2, before of those that are stored. */
    private static Method loadMethod() {
        try {
            return Private.method(PersistentTopic.class, "initTopicPolicy");
        } catch (IllegalStateException elsewhere) {
            return Private.method(AbstractTopic.class, "initTopicPolicy");
        }
    }

    @Override
    public JsonNode answer(JsonNode given) throws Throwable {
        trial = given;
        stored.clear();
        startBroker();
        return CommandList.answer(trial, this::perform);
    }

    private JsonNode perform(String command, JsonNode arguments) throws ReflectiveOperationException {
        switch (command) {
            case "update":
                if (arguments.path("at_once").asBoolean() && update.getParameterCount() != 4) {
                    throw new NotHere("an event is read before the next update is asked for (#24393)");
                }
                update(Json.text(arguments, "scope").equals("global"), Json.text(arguments, "setting"),
                        Rates.rate(Json.field(arguments, "rate")));
                break;
            case "delete":
                if (arguments.path("partition").asBoolean()) {
                    throw new NotHere("the topic has no partitions here");
                }
                settle(service.deleteTopicPoliciesAsync(TOPIC));
                loadTopic();
                break;
            case "compact":
                stored.compact();
                break;
            case "load":
                if (!arguments.path("meanwhile").isMissingNode() && !arguments.path("meanwhile").isNull()) {
                    throw new NotHere("a topic is loaded in one step here");
                }
                startBroker();
                break;
            default:
                throw CommandList.unknown(command);
        }
        return kept();
    }

    /** Policies are looked up on a thread of the JDK's own, which is waited for. */
    private static void settle(Object future) {
        try {
            ((CompletableFuture<?>) future).get(SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException never) {
            throw new NeverCompletes("a future is still open after " + SECONDS + " seconds");
        } catch (InterruptedException | ExecutionException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** A broker that knows nothing yet reads the topic of policies, and loads the topic. */
    private void startBroker() throws ReflectiveOperationException {
        for (Field field : SERVICE.getDeclaredFields()) {
            if (Map.class.isAssignableFrom(field.getType())) {
                Private.<Map<?, ?>>get(SERVICE, service, field.getName()).clear();
            }
        }
        stored.rewind();
        settle(read.invoke(service, NAMESPACE));
        loadTopic();
    }

    private void loadTopic() throws ReflectiveOperationException {
        Private.<Map<?, ?>>get(SERVICE, service, "listeners").clear();
        broker.topic.forget();
        broker.topic.listen(broker.world.pulsar.getOrderedExecutor().chooseThread());
        JsonNode configured = Json.field(trial, "configured");
        broker.config.setDispatchThrottlingRatePerTopicInMsg(Json.small(configured, "messages"));
        broker.config.setDispatchThrottlingRatePerTopicInByte(Json.integer(configured, "bytes"));
        broker.config.setDispatchThrottlingRatePerSubscriptionInMsg(Json.small(configured, "messages"));
        broker.config.setDispatchThrottlingRatePerSubscriptionInByte(Json.integer(configured, "bytes"));
        broker.topic.updateBrokerDispatchRate();
        broker.topic.updateBrokerSubscriptionDispatchRate();
        Policies namespace = new Policies();
        PolicyQuestion.put(namespace.topicDispatchRate, Rates.rate(Json.field(trial, "namespace")));
        PolicyQuestion.put(namespace.subscriptionDispatchRate, Rates.rate(Json.field(trial, "namespace")));
        namespaceTopicRate.invoke(broker.topic, namespace, PolicyQuestion.CLUSTER);
        namespaceSubscriptionRate.invoke(broker.topic, namespace, PolicyQuestion.CLUSTER);
        settle(load.invoke(broker.topic));
    }

    /** What Pulsar's admin resource does when a rate is set or removed. */
    private void update(boolean global, String setting, DispatchRateImpl rate) throws ReflectiveOperationException {
        Consumer<TopicPolicies> change = policies -> change(policies, setting, rate);
        if (update.getParameterCount() == 4) {
            settle(update.invoke(service, TOPIC, global, rate == null, change));
            return;
        }
        TopicPolicies known = known(global);
        if (known == null && rate == null) {
            return;
        }
        TopicPolicies changed = new TopicPolicies();
        changed.setIsGlobal(global);
        if (known != null) {
            changed.setDispatchRate(known.getDispatchRate());
            changed.setSubscriptionDispatchRate(known.getSubscriptionDispatchRate());
            changed.setSubscriptionPolicies(known.getSubscriptionPolicies());
        }
        change.accept(changed);
        settle(update.invoke(service, TOPIC, changed));
    }

    private static void change(TopicPolicies policies, String setting, DispatchRateImpl rate) {
        switch (setting) {
            case "topic":
                policies.setDispatchRate(rate);
                break;
            case "subscription":
                policies.setSubscriptionDispatchRate(rate);
                break;
            case "named":
                Map<String, SubscriptionPolicies> named = new HashMap<>(policies.getSubscriptionPolicies());
                SubscriptionPolicies own = new SubscriptionPolicies();
                own.setDispatchRate(rate);
                named.put(SUBSCRIPTION, own);
                if (rate == null) {
                    named.remove(SUBSCRIPTION);
                }
                policies.setSubscriptionPolicies(named);
                break;
            default:
                throw new BadTrial("unknown setting " + setting);
        }
    }

    private TopicPolicies known(boolean global) {
        return Private.<Map<TopicName, TopicPolicies>>get(SERVICE, service,
                global ? "globalPoliciesCache" : "policiesCache").get(TOPIC);
    }

    private JsonNode kept() {
        ObjectNode result = Json.object().put("do", "kept");
        result.set("topic", limits(broker.topic.getDispatchRate()));
        result.set("subscription", limits(broker.topic.getSubscriptionDispatchRate(SUBSCRIPTION)));
        result.set("local", policy(known(false)));
        result.set("global", policy(known(true)));
        return result;
    }

    private static JsonNode policy(TopicPolicies known) {
        TopicPolicies policies = known == null ? new TopicPolicies() : known;
        SubscriptionPolicies named = policies.getSubscriptionPolicies().get(SUBSCRIPTION);
        ObjectNode policy = Json.object();
        policy.set("topic", rate(policies.getDispatchRate()));
        policy.set("subscription", rate(policies.getSubscriptionDispatchRate()));
        policy.set("named", rate(named == null ? null : named.getDispatchRate()));
        return policy;
    }

    private static JsonNode rate(DispatchRateImpl rate) {
        return rate == null ? Json.object().nullNode() : Json.object()
                .put("messages", rate.getDispatchThrottlingRateInMsg())
                .put("bytes", rate.getDispatchThrottlingRateInByte())
                .put("period", rate.getRatePeriodInSecond())
                .put("relative", rate.isRelativeToPublishRate());
    }

    /** As the limiters that are made of the rate have it. */
    private static JsonNode limits(DispatchRateImpl rate) {
        return Json.object()
                .put("messages", rate.getDispatchThrottlingRateInMsg() > 0 ? rate.getDispatchThrottlingRateInMsg() : -1)
                .put("bytes", rate.getDispatchThrottlingRateInByte() > 0 ? rate.getDispatchThrottlingRateInByte() : -1);
    }
}
