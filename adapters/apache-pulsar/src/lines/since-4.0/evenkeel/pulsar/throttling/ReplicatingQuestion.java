package evenkeel.pulsar.throttling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.CommandList;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Private;
import evenkeel.pulsar.Question;
import evenkeel.pulsar.Settings;
import evenkeel.pulsar.standin.Told;
import io.netty.channel.EventLoopGroup;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.client.api.PulsarClientException;

/**
 * {@code throttling.replicating}: Pulsar's replicator of a topic, with a cursor, a producer and a limiter that do what
 * the commands say. What it executes runs once it has returned, as in a broker; what it schedules waits for a second
 * to pass.
 */
public final class ReplicatingQuestion implements Question {
    private final ThrottledBroker broker = new ThrottledBroker();
    private final Deque<Runnable> work = new ArrayDeque<>();
    private final List<Runnable> later = new ArrayList<>();
    private final ReplicatingClient client = ReplicatingClient.create();
    private StoredTopic stored;
    private ReplicatedCursor cursor;
    private ReplicatingClient.Producer producer;
    private QuotaLimiter limiter;

    public ReplicatingQuestion() {
        broker.service.setExecutor(Told.only(EventLoopGroup.class, Map.<String, Function<Object[], ?>>of(
                "execute", task -> {
                    work.add((Runnable) task[0]);
                    return null;
                },
                "schedule", task -> {
                    later.add((Runnable) task[0]);
                    return null;
                })));
        Private.set(PulsarService.class, broker.service.pulsar(), "client", client);
    }

    @Override
    public JsonNode answer(JsonNode trial) throws Throwable {
        broker.forget();
        work.clear();
        later.clear();
        Settings.read(broker.config, trial, List.of("replicationProducerQueueSize", "dispatcherMaxReadBatchSize"));
        broker.config.setDispatcherMinReadBatchSize(1);
        stored = new StoredTopic(broker, StoredTopic.singles(0));
        cursor = new ReplicatedCursor(stored);
        producer = ReplicatingClient.Producer.create();
        limiter = new QuotaLimiter(broker.service);
        new StartedReplicator(stored.topic, cursor.asManagedCursor, broker.service, client).begin(producer, limiter);
        settle();
        return CommandList.answer(trial, this::perform);
    }

    private void settle() {
        while (!work.isEmpty()) {
            work.remove().run();
        }
    }

    private JsonNode perform(String command, JsonNode arguments) {
        cursor.reads.clear();
        producer.sent.clear();
        switch (command) {
            case "publish" -> stored.publish(StoredTopic.singles(Json.integer(arguments, "entries")));
            case "complete" -> complete();
            case "fail" -> {
                if (cursor.finds()) {
                    cursor.fail();
                }
            }
            case "store" -> store(Json.integer(arguments, "entries"));
            case "reject" -> producer.end(new PulsarClientException.TopicTerminatedException("it takes no more"));
            case "limit" -> limiter.limit(Json.integer(arguments, "messages"));
            case "second" -> second();
            case "rest" -> {
                rest();
                cursor.reads.clear();
            }
            default -> throw CommandList.unknown(command);
        }
        settle();
        ObjectNode happened = Json.object().put("do", "happened");
        ArrayNode asked = happened.putArray("asked");
        cursor.reads.forEach(asked::add);
        ArrayNode sent = happened.putArray("sent");
        producer.sent.forEach(sent::add);
        return happened;
    }

    private void complete() {
        if (cursor.finds()) {
            cursor.complete();
            settle();
        }
    }

    private void store(long entries) {
        for (long i = 0; i < entries && producer.end(null); i++) {
            settle();
        }
    }

    private void second() {
        limiter.refill();
        List<Runnable> due = List.copyOf(later);
        later.clear();
        due.forEach(Runnable::run);
        settle();
    }

    private void rest() {
        int before;
        do {
            before = producer.sent.size() + cursor.reads.size();
            complete();
            store(Long.MAX_VALUE);
            second();
        } while (before != producer.sent.size() + cursor.reads.size());
    }
}
