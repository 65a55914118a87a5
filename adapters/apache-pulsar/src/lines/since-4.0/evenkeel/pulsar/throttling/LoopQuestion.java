package evenkeel.pulsar.throttling;

import com.fasterxml.jackson.databind.JsonNode;
import evenkeel.pulsar.CommandList;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Question;
import evenkeel.pulsar.Settings;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * {@code throttling.loop}: Pulsar's dispatchers of shared and of exclusive subscriptions, with its consumers and
 * limiters, on a virtual clock. They read when a command says so, or when a look that they scheduled is due.
 */
public final class LoopQuestion implements Question {
    private static final long MILLI = 1_000_000;

    private final ThrottledBroker broker = new ThrottledBroker();
    private final Looks looks = new Looks();
    private final LoopEvents events = new LoopEvents();
    private final List<StoredTopic> topics = new ArrayList<>();
    private final List<LoopSubscription> subscriptions = new ArrayList<>();
    private final List<NotedLimiter> ofTopics = new ArrayList<>();
    private final String dispatcher;
    private NotedLimiter ofBroker;

    /** {@code dispatcher} reads for shared subscriptions. */
    public LoopQuestion(String dispatcher) {
        this.dispatcher = dispatcher;
        broker.runDispatchers(looks.group());
    }

    /** The dispatchers that this line has for shared subscriptions, the default first. */
    public static List<String> dispatchers() {
        return Readers.NAMES;
    }

    @Override
    public JsonNode answer(JsonNode trial) throws Throwable {
        start(trial);
        return CommandList.answer(trial, this::perform);
    }

    private void start(JsonNode trial) throws Exception {
        broker.forget();
        topics.clear();
        subscriptions.clear();
        ofTopics.clear();
        JsonNode settings = Json.field(trial, "settings");
        Settings.read(broker.config, settings, List.of("dispatcherMaxReadBatchSize", "dispatcherMaxReadSizeBytes",
                "dispatcherMaxRoundRobinBatchSize", "dispatchThrottlingOnBatchMessageEnabled",
                "dispatchThrottlingOnNonBacklogConsumerEnabled"));
        JsonNode rates = Json.field(trial, "rates");
        ofBroker = limiter("broker", settings, rates);
        for (JsonNode stored : Json.list(trial, "topics")) {
            StoredTopic topic = new StoredTopic(broker, stored);
            NotedLimiter ofTopic = limiter("topic", settings, rates);
            topic.topic.tell(Optional.of(ofBroker), Optional.of(ofTopic));
            topics.add(topic);
            ofTopics.add(ofTopic);
            for (JsonNode sort : Json.list(stored, "subscriptions")) {
                subscriptions.add(new LoopSubscription(subscriptions.size(), topic,
                        sort.textValue().equals("shared") ? dispatcher : null,
                        Json.flag(settings, "preciseDispatcherFlowControl"), looks, events,
                        limiter("subscription", settings, rates)));
            }
        }
    }

    /** A limiter of this level, which is there even where its rate is no limit: so all charges are seen. */
    private NotedLimiter limiter(String level, JsonNode settings, JsonNode rates) {
        TopicValue.set(broker.topic.getHierarchyTopicPolicies().getDispatchRate(),
                Rates.rate(Json.field(rates, level)));
        return new NotedLimiter(broker.service, Limiters.of(broker.topic, settings),
                (units, bytes) -> events.charged(level, units, bytes));
    }

    private JsonNode perform(String command, JsonNode arguments) throws Throwable {
        events.begin();
        switch (command) {
            case "advance" -> advance(Json.integer(arguments, "millis"));
            case "publish" -> named(topics, arguments, "topic").publish(arguments);
            case "configure" -> configure(Json.text(arguments, "level"), Json.field(arguments, "rate"));
            default -> named(subscriptions, arguments, "subscription").perform(command, arguments, now());
        }
        return events.seen();
    }

    private static <T> T named(List<T> all, JsonNode arguments, String name) {
        return all.get((int) (Json.integer(arguments, name) % all.size()));
    }

    private void configure(String level, JsonNode rate) {
        List<NotedLimiter> changed = switch (level) {
            case "broker" -> List.of(ofBroker);
            case "topic" -> ofTopics;
            default -> subscriptions.stream().map(subscription -> subscription.limiter).toList();
        };
        changed.forEach(limiter -> limiter.updateDispatchRate(Rates.rate(rate)));
    }

    private long now() {
        return broker.time.getTickNanos() / MILLI;
    }

    /** Looks run at their time, after the periods that end then. */
    private void advance(long millis) {
        long until = now() + millis;
        for (LoopSubscription due = next(until); due != null; due = next(until)) {
            broker.time.advance((due.lookAt() - now()) * MILLI);
            due.look(now());
        }
        broker.time.advance((until - now()) * MILLI);
    }

    private LoopSubscription next(long until) {
        return subscriptions.stream()
                .filter(subscription -> subscription.lookAt() != null && subscription.lookAt() <= until)
                .min(Comparator.comparing(LoopSubscription::lookAt)).orElse(null);
    }
}
