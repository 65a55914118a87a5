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
import io.netty.util.concurrent.Promise;
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
import org.apache.pulsar.broker.service.persistent.AbstractPersistentDispatcherMultipleConsumers;
import org.apache.pulsar.broker.service.persistent.PersistentSubscription;

/**
 * {@code throttling.keys}: Pulsar's dispatcher of a Key_Shared subscription with its consumers and its tracker of
 * delayed entries. All that it executes or schedules waits for a look, where it runs in its order until there is
 * nothing more; so do reads, but one that finds nothing stays open, as in a broker. A dispatcher that may read nothing
 * asks again and again: once that changes nothing, the next look does it.
 */
public class KeysQuestion implements Question {
    /** The tick of delayed entries, as by default; what is delayed falls due much later. */
    private static final long TICK_MILLIS = 1000;
    private static final long DELAY_MILLIS = 1000 * TICK_MILLIS;
    /** How often in a row the dispatcher may put itself off in one look before it is taken to be idle. */
    private static final int IDLE = 100;

    final ThrottledBroker broker = new ThrottledBroker();
    private final Tasks work = new Tasks();
    /** What waits for the next look. */
    private final List<Runnable> idle = new ArrayList<>();
    private int putOff;
    private final DelayTimer timer = new DelayTimer();
    /** As they came; null for one that has gone. */
    final List<Consumer> consumers = new ArrayList<>();
    /** Who has what was delivered. */
    private final TreeMap<Long, Integer> unacknowledged = new TreeMap<>();
    /** What nobody has. */
    private final TreeSet<Long> waiting = new TreeSet<>();
    /** What a look delivers, by consumer: of one read, who comes first hangs on hash codes of the process. */
    private final Map<Integer, List<Long>> sent = new TreeMap<>();
    StoredTopic stored;
    LoopCursor cursor;
    PersistentSubscription subscription;
    AbstractPersistentDispatcherMultipleConsumers dispatcher;
    private boolean isClassic;

    public KeysQuestion() {
        broker.runDispatchers(Told.only(EventLoopGroup.class, Map.<String, Function<Object[], ?>>of(
                "execute", task -> {
                    work.defer((Runnable) task[0]);
                    return null;
                },
                "schedule", task -> {
                    if (putOff++ < IDLE) {
                        work.schedule((Runnable) task[0], (Long) task[1], (TimeUnit) task[2]);
                    } else {
                        idle.add((Runnable) task[0]);
                    }
                    return null;
                })));
    }

    @Override
    public JsonNode answer(JsonNode trial) throws Throwable {
        broker.forget();
        work.clear();
        idle.clear();
        timer.forget();
        consumers.clear();
        unacknowledged.clear();
        waiting.clear();
        configure(trial);
        stored = store();
        stored.topic.getHierarchyTopicPolicies().getDelayedDeliveryTickTimeMillis().updateBrokerValue(TICK_MILLIS);
        cursor = new LoopCursor(stored);
        subscription = Dispatchers.subscription(stored.topic);
        isClassic = trial.path("subscriptionKeySharedUseClassicPersistentImplementation").asBoolean();
        if (isClassic) {
            // It asks for a read when something happens, and does not put it off to a look.
            cursor.open();
        }
        dispatcher = dispatcher(trial);
        Private.set(keepsDelayed(), dispatcher, "delayedDeliveryTracker",
                Optional.of(new InMemoryDelayedDeliveryTracker(dispatcher, timer.asTimer, TICK_MILLIS, timer.clock,
                        broker.config.isDelayedDeliveryDeliverAtTimeStrict(),
                        broker.config.getDelayedDeliveryFixedDelayDetectionLookahead())));
        Private.set(PersistentSubscription.class, subscription, "dispatcher", dispatcher);
        return CommandList.answer(trial, this::perform);
    }

    void configure(JsonNode trial) throws Exception {
        Settings.read(broker.config, trial, List.of("dispatcherMaxReadBatchSize"));
        broker.config.setKeySharedLookAheadMsgInReplayThresholdPerConsumer(limit(trial, "PerConsumer", 2000));
        broker.config.setKeySharedLookAheadMsgInReplayThresholdPerSubscription(limit(trial, "PerSubscription", 20_000));
    }

    StoredTopic store() {
        return new StoredTopic(broker, entries());
    }

    AbstractPersistentDispatcherMultipleConsumers dispatcher(JsonNode trial) {
        return Readers.keyShared(isClassic, trial.path("out_of_order").asBoolean(), stored.topic, cursor, subscription);
    }

    /** The class of dispatchers that keeps what is delayed. */
    Class<?> keepsDelayed() {
        return dispatcher.getClass().getSuperclass();
    }

    /** How far the dispatcher may read ahead, which a trial leaves out where it is the default of 4.0. */
    private static int limit(JsonNode trial, String of, int usual) {
        return trial.path("keySharedLookAheadMsgInReplayThreshold" + of).asInt(usual);
    }

    static ObjectNode entries() {
        ObjectNode none = Json.object();
        none.putArray("entries");
        return none;
    }

    JsonNode perform(String command, JsonNode arguments) throws Throwable {
        switch (command) {
            case "join" -> join();
            case "flow" -> {
                int number = numbered(arguments);
                if (number >= 0) {
                    consumers.get(number).flowPermits(Json.small(arguments, "permits"));
                }
            }
            case "leave" -> {
                int number = numbered(arguments);
                if (number >= 0) {
                    leave(number);
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

    /** The consumer of a command, -1 if it has gone, or none has come. */
    private int numbered(JsonNode arguments) {
        int number = consumers.isEmpty() ? -1 : (int) (Json.integer(arguments, "consumer") % consumers.size());
        return number < 0 || consumers.get(number) == null ? -1 : number;
    }

    private void leave(int number) throws BrokerServiceException {
        unacknowledged.forEach((entry, consumer) -> {
            if (consumer == number) {
                waiting.add(entry);
            }
        });
        unacknowledged.values().removeIf(consumer -> consumer == number);
        dispatcher.removeConsumer(consumers.set(number, null));
    }

    private void join() throws BrokerServiceException {
        Consumer consumer = next("consumer " + consumers.size());
        consumers.add(consumer);
        dispatcher.addConsumer(consumer);
    }

    /** One more consumer. */
    Consumer next(String name) {
        int number = consumers.size();
        return Dispatchers.consumer(subscription, dispatcher.getType(), number, name,
                ToldConnection.create(false, (entries, messages) -> send(number, entries)));
    }

    private Future<Void> send(int consumer, List<? extends Entry> entries) {
        putOff = 0;
        for (Entry entry : entries) {
            // Of those that are delayed the list has nothing.
            if (entry != null) {
                sent.computeIfAbsent(consumer, none -> new ArrayList<>()).add(entry.getEntryId());
                unacknowledged.put(entry.getEntryId(), consumer);
                waiting.remove(entry.getEntryId());
            }
        }
        Promise<Void> written = ImmediateEventExecutor.INSTANCE.newPromise();
        if (isClassic) {
            // It reads on at once when it hears of that: as in a broker, after the delivery.
            work.defer(() -> written.setSuccess(null));
            return written;
        }
        return written.setSuccess(null);
    }

    private void publish(long key, boolean isDelayed) {
        ObjectNode one = entries();
        ObjectNode entry = one.withArray("entries").addObject().put("messages", 1).put("bytes", 1).put("key", key);
        if (isDelayed) {
            entry.put("deliverAt", timer.clock.millis() + DELAY_MILLIS);
        }
        publish(one);
    }

    void publish(ObjectNode one) {
        waiting.add((long) stored.size());
        stored.publish(one);
    }

    /** All that was delivered. */
    private void acknowledge() {
        unacknowledged.keySet().forEach(this::acknowledgeOne);
        unacknowledged.clear();
        moveForward();
    }

    private void acknowledgeOne(long entry) {
        cursor.acknowledgeOne(entry);
        consumers.get(unacknowledged.get(entry)).getPendingAcks().remove(0, entry);
    }

    /** One, if it was delivered. */
    void acknowledge(long entry) {
        if (unacknowledged.containsKey(entry)) {
            acknowledgeOne(entry);
            unacknowledged.remove(entry);
            moveForward();
        }
    }

    /** As in a broker, the dispatcher hears of it if all is acknowledged up to an entry. */
    private void moveForward() {
        long first = waiting.isEmpty() ? stored.size() : waiting.first();
        if (!unacknowledged.isEmpty()) {
            first = Math.min(first, unacknowledged.firstKey());
        }
        if (cursor.acknowledge(first)) {
            dispatcher.markDeletePositionMoveForward();
        }
    }

    private JsonNode look() {
        sent.clear();
        putOff = 0;
        idle.forEach(work::defer);
        idle.clear();
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
        if (!again) {
            // Out of order the same entries can be read again and again, and go to nobody.
            putOff = 0;
        }
        cursor.complete(again);
        return true;
    }
}
