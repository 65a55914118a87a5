package evenkeel.pulsar.throttling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.CommandList;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Private;
import evenkeel.pulsar.Question;
import evenkeel.pulsar.Settings;
import evenkeel.pulsar.standin.Tasks;
import evenkeel.pulsar.standin.Told;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.bookkeeper.mledger.Entry;
import org.apache.pulsar.broker.delayed.InMemoryDelayedDeliveryTracker;
import org.apache.pulsar.broker.service.BrokerServiceException;
import org.apache.pulsar.broker.service.Consumer;
import org.apache.pulsar.broker.service.persistent.PersistentDispatcherMultipleConsumers;
import org.apache.pulsar.broker.service.persistent.PersistentStickyKeyDispatcherMultipleConsumers;
import org.apache.pulsar.broker.service.persistent.PersistentSubscription;
import org.apache.pulsar.broker.service.persistent.SteppedStickyKey;

/**
 * {@code throttling.keys}: Pulsar's dispatcher of a Key_Shared subscription with its consumers and its tracker of
 * delayed entries. All that it executes or schedules waits for a look, where it runs in its order until there is
 * nothing more; so do reads, but one that finds nothing stays open, as in a broker.
 */
public final class KeysQuestion implements Question {
    /** The tick of delayed entries, as by default; what is delayed falls due much later. */
    private static final long TICK_MILLIS = 1000;
    private static final long DELAY_MILLIS = 1000 * TICK_MILLIS;

    private final ThrottledBroker broker = new ThrottledBroker();
    private final Tasks work = new Tasks();
    private final DelayTimer timer = new DelayTimer();
    private final List<Consumer> consumers = new ArrayList<>();
    private final TreeSet<Long> unacknowledged = new TreeSet<>();
    /** What was never delivered. */
    private final TreeSet<Long> waiting = new TreeSet<>();
    /** What a look delivers, by consumer: of one read, who comes first hangs on hash codes of the process. */
    private final Map<Integer, List<Long>> sent = new TreeMap<>();
    private StoredTopic stored;
    private LoopCursor cursor;
    private PersistentSubscription subscription;
    private PersistentStickyKeyDispatcherMultipleConsumers dispatcher;

    public KeysQuestion() {
        broker.runDispatchers(Told.only(EventLoopGroup.class, Map.<String, Function<Object[], ?>>of(
                "execute", task -> {
                    work.defer((Runnable) task[0]);
                    return null;
                },
                "schedule", task -> {
                    work.schedule((Runnable) task[0], (Long) task[1], (TimeUnit) task[2]);
                    return null;
                })));
    }

    @Override
    public JsonNode answer(JsonNode trial) throws Throwable {
        broker.forget();
        work.clear();
        timer.forget();
        consumers.clear();
        unacknowledged.clear();
        waiting.clear();
        Settings.read(broker.config, trial, List.of("dispatcherMaxReadBatchSize"));
        stored = new StoredTopic(broker, entries());
        stored.topic.getHierarchyTopicPolicies().getDelayedDeliveryTickTimeMillis().updateBrokerValue(TICK_MILLIS);
        cursor = new LoopCursor(stored);
        subscription = Dispatchers.subscription(stored.topic);
        dispatcher = SteppedStickyKey.whole(stored.topic, cursor.asManagedCursor, subscription);
        Private.set(PersistentDispatcherMultipleConsumers.class, dispatcher, "delayedDeliveryTracker",
                Optional.of(new InMemoryDelayedDeliveryTracker(dispatcher, timer.asTimer, TICK_MILLIS, timer.clock,
                        broker.config.isDelayedDeliveryDeliverAtTimeStrict(),
                        broker.config.getDelayedDeliveryFixedDelayDetectionLookahead())));
        Private.set(PersistentSubscription.class, subscription, "dispatcher", dispatcher);
        return CommandList.answer(trial, this::perform);
    }

    private static ObjectNode entries() {
        ObjectNode none = Json.object();
        none.putArray("entries");
        return none;
    }

    private JsonNode perform(String command, JsonNode arguments) throws Throwable {
        switch (command) {
            case "join" -> join();
            case "flow" -> {
                if (!consumers.isEmpty()) {
                    consumers.get((int) (Json.integer(arguments, "consumer") % consumers.size()))
                            .flowPermits(Json.small(arguments, "permits"));
                }
            }
            case "publish" -> publish(Json.integer(arguments, "key"), Json.flag(arguments, "delayed"));
            case "due" -> timer.advance(2 * DELAY_MILLIS);
            case "acknowledge" -> acknowledge();
            case "look" -> {
                return look();
            }
            default -> throw CommandList.unknown(command);
        }
        return CommandList.done();
    }

    private void join() throws BrokerServiceException {
        int number = consumers.size();
        Consumer consumer = Dispatchers.consumer(subscription, dispatcher.getType(), number, "consumer " + number,
                ToldConnection.create(false, (entries, messages) -> send(number, entries)));
        consumers.add(consumer);
        dispatcher.addConsumer(consumer);
    }

    private Future<Void> send(int consumer, List<? extends Entry> entries) {
        for (Entry entry : entries) {
            // Of those that are delayed the list has nothing.
            if (entry != null) {
                sent.computeIfAbsent(consumer, none -> new ArrayList<>()).add(entry.getEntryId());
                unacknowledged.add(entry.getEntryId());
                waiting.remove(entry.getEntryId());
            }
        }
        return ImmediateEventExecutor.INSTANCE.<Void>newPromise().setSuccess(null);
    }

    private void publish(long key, boolean isDelayed) {
        waiting.add((long) stored.size());
        ObjectNode one = entries();
        ObjectNode entry = one.withArray("entries").addObject().put("messages", 1).put("bytes", 1).put("key", key);
        if (isDelayed) {
            entry.put("deliverAt", timer.clock.millis() + DELAY_MILLIS);
        }
        stored.publish(one);
    }

    /** All that was delivered; as in a broker, the dispatcher hears of it if it is all up to an entry. */
    private void acknowledge() {
        for (long entry : unacknowledged) {
            consumers.forEach(consumer -> consumer.getPendingAcks().remove(0, entry));
        }
        unacknowledged.clear();
        if (cursor.acknowledge(waiting.isEmpty() ? stored.size() : waiting.first())) {
            dispatcher.markDeletePositionMoveForward();
        }
    }

    private JsonNode look() {
        sent.clear();
        cursor.during(() -> {
            timer.fire();
            do {
                work.settle();
            } while (readComes());
        });
        ObjectNode looked = Json.object().put("do", "looked");
        ArrayNode list = looked.putArray("sent");
        sent.forEach((consumer, entries) ->
                entries.forEach(entry -> list.addObject().put("entry", entry).put("consumer", consumer)));
        return looked;
    }

    private boolean readComes() {
        boolean again = cursor.outstanding(true) != null;
        LoopCursor.Asked read = cursor.outstanding(again);
        if (read == null || cursor.waits(read)) {
            return false;
        }
        cursor.complete(again);
        return true;
    }
}
