package evenkeel.pulsar.throttling;

import com.fasterxml.jackson.databind.JsonNode;
import evenkeel.pulsar.CommandList;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.NotHere;
import evenkeel.pulsar.Private;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ImmediateEventExecutor;
import io.netty.util.concurrent.Promise;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.apache.bookkeeper.mledger.Entry;
import org.apache.bookkeeper.mledger.Position;
import org.apache.pulsar.broker.service.BrokerServiceException;
import org.apache.pulsar.broker.service.Consumer;
import org.apache.pulsar.broker.service.Dispatcher;
import org.apache.pulsar.broker.service.EntryBatchSizes;
import org.apache.pulsar.broker.service.persistent.AbstractPersistentDispatcherMultipleConsumers;
import org.apache.pulsar.broker.service.persistent.MessageRedeliveryController;
import org.apache.pulsar.broker.service.persistent.PersistentDispatcherSingleActiveConsumer;
import org.apache.pulsar.broker.service.persistent.PersistentSubscription;
import org.apache.pulsar.broker.service.persistent.SteppedSingleActiveConsumer;
import org.apache.pulsar.common.api.proto.MessageIdData;

/** One of Pulsar's dispatchers with its consumer, its limiter and a cursor in memory, step by step. */
final class LoopSubscription {
    final NotedLimiter limiter;
    final LoopCursor cursor;
    private final int number;
    private final boolean precise;
    private final LoopEvents events;
    private final Looks looks;
    private final StoredTopic stored;
    private final PersistentSubscription subscription;
    private final Dispatcher dispatcher;
    /** What a shared dispatcher is to deliver again; null for an exclusive one. */
    private final MessageRedeliveryController waiting;
    private final Runnable step;
    private final Deque<Promise<Void>> writing = new ArrayDeque<>();
    private Consumer consumer;
    private long consumers;
    private boolean noQuota;
    private Runnable look;
    private long lookAt;

    LoopSubscription(int number, StoredTopic stored, String shared, boolean precise,
                     Looks looks, LoopEvents events, NotedLimiter limiter)
            throws BrokerServiceException {
        this.number = number;
        this.precise = precise;
        this.looks = looks;
        this.events = events;
        this.limiter = limiter;
        this.stored = stored;
        cursor = new LoopCursor(stored);
        subscription = Dispatchers.subscription(stored.topic);
        if (shared != null) {
            AbstractPersistentDispatcherMultipleConsumers ofMany = Readers.named(shared, stored.topic, cursor,
                    subscription, () -> noQuota = true);
            Private.set(rootOf(ofMany), ofMany, "dispatchRateLimiter", Optional.of(limiter));
            waiting = Private.get(rootOf(ofMany), ofMany, "redeliveryMessages");
            step = ofMany::readMoreEntriesAsync;
            dispatcher = ofMany;
        } else {
            SteppedSingleActiveConsumer exclusive = new SteppedSingleActiveConsumer(cursor.asManagedCursor, stored.topic,
                    subscription, () -> noQuota = true);
            Private.set(PersistentDispatcherSingleActiveConsumer.class, exclusive, "dispatchRateLimiter",
                    Optional.of(limiter));
            waiting = null;
            step = exclusive::step;
            dispatcher = exclusive;
        }
        Private.set(PersistentSubscription.class, subscription, "dispatcher", dispatcher);
        connect();
    }

    /** The class of Pulsar's that a dispatcher of many consumers goes back to. */
    private static Class<?> rootOf(AbstractPersistentDispatcherMultipleConsumers dispatcher) {
        Class<?> type = dispatcher.getClass();
        while (type.getSuperclass() != AbstractPersistentDispatcherMultipleConsumers.class) {
            type = type.getSuperclass();
        }
        return type;
    }

    private void connect() throws BrokerServiceException {
        consumer = Dispatchers.consumer(subscription, dispatcher.getType(), consumers++, "consumer",
                ToldConnection.create(precise, this::send));
        dispatcher.addConsumer(consumer);
    }

    private boolean isShared() {
        return waiting != null;
    }

    private Future<Void> send(List<? extends Entry> entries, EntryBatchSizes messages) {
        events.delivered(entries, messages);
        Promise<Void> written = ImmediateEventExecutor.INSTANCE.newPromise();
        if (isShared()) {
            return written.setSuccess(null);
        }
        writing.add(written);
        return written;
    }

    void perform(String command, JsonNode arguments, long now) throws BrokerServiceException {
        events.of(number, false);
        switch (command) {
            case "flow" -> consumer.flowPermits(Json.small(arguments, "permits"));
            case "read" -> read(now);
            case "complete" -> complete(Json.flag(arguments, "replay"));
            case "written" -> written(Json.flag(arguments, "succeeded"));
            case "redeliver" -> redeliver(Json.integer(arguments, "entry") % Math.max(1, stored.size()));
            case "acknowledge" -> cursor.acknowledge(firstToReplay());
            case "change_consumer" -> {
                dispatcher.removeConsumer(consumer);
                connect();
            }
            case "set_active" -> cursor.setActive(Json.flag(arguments, "active"));
            case "seek" -> throw new NotHere("a seek disconnects the consumer");
            default -> throw CommandList.unknown(command);
        }
    }

    /** The first entry that waits to be delivered again, or that is being read for it. */
    private long firstToReplay() {
        return waiting == null ? Long.MAX_VALUE
                : waiting.getFirstPositionInReplay().map(Position::getEntryId).orElse(Long.MAX_VALUE);
    }

    private boolean isWaiting(long entry) {
        return waiting != null && !waiting.getMessagesToReplayNow(1, one -> one.getEntryId() == entry).isEmpty();
    }

    /** As Pulsar's connection does: an exclusive consumer cannot ask for single messages. */
    private void redeliver(long entry) {
        if (isShared()) {
            consumer.redeliverUnacknowledgedMessages(
                    List.of(new MessageIdData().setLedgerId(0).setEntryId(entry)));
        } else if (cursor.outstanding(false) != null) {
            throw new NotHere("an exclusive consumer that asks for redelivery during a read is read for at once");
        } else {
            consumer.redeliverUnacknowledgedMessages(consumer.getConsumerEpoch());
        }
    }

    private void read(long now) {
        looks.clear();
        noQuota = false;
        cursor.during(step);
        if (looks.scheduled() != null) {
            look = looks.look();
            lookAt = now + looks.scheduled();
        }
        LoopCursor.Asked asked = cursor.takeAsked();
        if (asked != null) {
            events.issued(asked);
        } else if (noQuota) {
            events.blocked(lookAt);
        } else {
            events.ignored(consumer.getAvailablePermits() > 0 ? "a read is outstanding" : "no permits");
        }
    }

    /** When a look is due; null if none is. */
    Long lookAt() {
        return look == null ? null : lookAt;
    }

    /** The look that is due; it only asks to read. */
    void look(long now) {
        Runnable due = look;
        look = null;
        due.run();
        events.of(number, false);
        read(now);
    }

    private void complete(boolean again) {
        LoopCursor.Asked read = cursor.outstanding(again);
        if (read == null) {
            events.ignored("no such read is outstanding");
        } else if (cursor.waits(read)) {
            events.ignored("there is nothing to deliver");
        } else {
            events.of(number, again);
            Long came = cursor.complete(again);
            if (events.isEmpty()) {
                events.ignored(why(came));
            }
        }
    }

    /** Why nothing of a read is delivered, of which this entry came first. */
    private String why(Long came) {
        if (came == null || !isWaiting(came)) {
            return "the consumer changed since the read";
        }
        return consumer.getAvailablePermits() > 0 ? "an earlier entry is to be delivered again" : "no permits";
    }

    private void written(boolean succeeded) {
        if (writing.isEmpty()) {
            events.ignored("nothing was being written");
        } else if (succeeded) {
            writing.remove().setSuccess(null);
        } else {
            writing.remove().setFailure(new IOException("the connection failed"));
        }
    }
}
