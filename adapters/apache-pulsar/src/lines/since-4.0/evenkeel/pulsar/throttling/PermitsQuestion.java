package evenkeel.pulsar.throttling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.CommandList;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.NotHere;
import evenkeel.pulsar.Private;
import evenkeel.pulsar.Question;
import evenkeel.pulsar.Settings;
import evenkeel.pulsar.standin.Told;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.pulsar.broker.service.BrokerServiceException;
import org.apache.pulsar.broker.service.Consumer;
import org.apache.pulsar.broker.service.persistent.PersistentSubscription;

/**
 * {@code throttling.permits}: Pulsar's dispatcher of a shared subscription with several of its consumers. A consumer's
 * request is under way while the broker's executor has it; what is delivered is acknowledged at once.
 */
public final class PermitsQuestion implements Question {
    private final ThrottledBroker broker = new ThrottledBroker();
    private final List<Member> members = new ArrayList<>();
    private final Map<Integer, Integer> sent = new TreeMap<>();
    /** Where requests wait; null while what is executed runs at once. */
    private Deque<Runnable> underWay;
    private StoredTopic stored;
    private LoopCursor cursor;
    private PersistentSubscription subscription;
    private SteppedMultipleConsumers dispatcher;

    /** A consumer, while it is there, and its requests under way. */
    private static final class Member {
        final Deque<Runnable> underWay = new ArrayDeque<>();
        Consumer consumer;
    }

    public PermitsQuestion() {
        broker.runDispatchers(Told.only(EventLoopGroup.class,
                Map.<String, Function<Object[], ?>>of("execute", work -> {
                    if (underWay == null) {
                        ((Runnable) work[0]).run();
                    } else {
                        underWay.add((Runnable) work[0]);
                    }
                    return null;
                })));
    }

    @Override
    public JsonNode answer(JsonNode trial) throws Throwable {
        if (trial.path("chunks").asInt(1) > 1) {
            throw new NotHere("the entries of this adapter's topic are whole messages");
        }
        broker.forget();
        members.clear();
        Settings.read(broker.config, trial, List.of("dispatcherMaxReadBatchSize"));
        // One more than what was read: without any, the storage does not know how large entries are.
        stored = new StoredTopic(broker, StoredTopic.singles(1));
        cursor = new LoopCursor(stored);
        subscription = Dispatchers.subscription(stored.topic);
        dispatcher = new SteppedMultipleConsumers(stored.topic, cursor.asManagedCursor, subscription, () -> { });
        Private.set(PersistentSubscription.class, subscription, "dispatcher", dispatcher);
        return CommandList.answer(trial, this::perform);
    }

    private JsonNode perform(String command, JsonNode arguments) throws Throwable {
        if (command.equals("read")) {
            return read();
        }
        if (command.equals("join")) {
            join();
        } else if (!members.isEmpty()) {
            Member member = members.get((int) (Json.integer(arguments, "consumer") % members.size()));
            perform(command, arguments, member);
        }
        return Json.object().put("do", "done");
    }

    private void perform(String command, JsonNode arguments, Member member) throws BrokerServiceException {
        switch (command) {
            case "flow" -> {
                if (member.consumer != null) {
                    underWay = member.underWay;
                    member.consumer.flowPermits(Json.small(arguments, "permits"));
                    underWay = null;
                }
            }
            case "count" -> {
                if (!member.underWay.isEmpty()) {
                    member.underWay.remove().run();
                }
            }
            case "leave" -> {
                if (member.consumer != null) {
                    dispatcher.removeConsumer(member.consumer);
                    member.consumer = null;
                }
            }
            default -> throw CommandList.unknown(command);
        }
    }

    private void join() throws BrokerServiceException {
        int number = members.size();
        Member member = new Member();
        members.add(member);
        member.consumer = Dispatchers.consumer(subscription, dispatcher.getType(), number, "consumer",
                ToldConnection.create(false, (entries, messages) -> {
                    sent.merge(number, entries.size(), Integer::sum);
                    return ImmediateEventExecutor.INSTANCE.<Void>newPromise().setSuccess(null);
                }));
        dispatcher.addConsumer(member.consumer);
    }

    private JsonNode read() {
        sent.clear();
        cursor.during(dispatcher::readMoreEntriesAsync);
        LoopCursor.Asked asked = cursor.takeAsked();
        int entries = asked == null ? 0 : asked.entries();
        if (asked != null) {
            stored.publish(StoredTopic.singles(entries));
            cursor.complete(false);
            acknowledge(stored.size() - 1 - entries);
        }
        ObjectNode looked = Json.object().put("do", "looked").put("entries", entries);
        ArrayNode list = looked.putArray("sent");
        sent.forEach((consumer, messages) -> list.addObject().put("consumer", consumer).put("messages", messages));
        return looked;
    }

    /** All from this entry on. */
    private void acknowledge(int first) {
        cursor.acknowledge(stored.size());
        for (Member member : members) {
            if (member.consumer != null) {
                for (int entry = first; entry < stored.size(); entry++) {
                    member.consumer.getPendingAcks().remove(0, entry);
                }
            }
        }
    }
}
