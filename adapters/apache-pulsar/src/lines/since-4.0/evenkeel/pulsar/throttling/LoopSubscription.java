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
import org.apache.pulsar.broker.service.BrokerServiceException;
import org.apache.pulsar.broker.service.Consumer;
import org.apache.pulsar.broker.service.Dispatcher;
import org.apache.pulsar.broker.service.EntryBatchSizes;
import org.apache.pulsar.broker.service.persistent.PersistentDispatcherMultipleConsumers;
import org.apache.pulsar.broker.service.persistent.PersistentDispatcherSingleActiveConsumer;
import org.apache.pulsar.broker.service.persistent.PersistentSubscription;
import org.apache.pulsar.broker.service.persistent.SteppedSingleActiveConsumer;
import org.apache.pulsar.common.api.proto.CommandSubscribe.SubType;
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
    private final Runnable step;
    private final Deque<Promise<Void>> writing = new ArrayDeque<>();
    private Consumer consumer;
    private long consumers;
    private boolean noQuota;
    private Runnable look;
    private long lookAt;

    LoopSubscription(int number, StoredTopic stored, boolean isShared, boolean precise,
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
        if (isShared) {
            SteppedMultipleConsumers shared = new SteppedMultipleConsumers(cursor.asManagedCursor, stored.topic,
                    subscription, () -> noQuota = true);
            Private.set(PersistentDispatcherMultipleConsumers.class, shared, "dispatchRateLimiter",
                    Optional.of(limiter));
            step = shared::step;
            dispatcher = shared;
        } else {
            SteppedSingleActiveConsumer exclusive = new SteppedSingleActiveConsumer(cursor.asManagedCursor, stored.topic,
                    subscription, () -> noQuota = true);
            Private.set(PersistentDispatcherSingleActiveConsumer.class, exclusive, "dispatchRateLimiter",
                    Optional.of(limiter));
            step = exclusive::step;
            dispatcher = exclusive;
        }
        Private.set(PersistentSubscription.class, subscription, "dispatcher", dispatcher);
        connect();
    }

    private void connect() throws BrokerServiceException {
        SubType sort = isShared() ? SubType.Shared : SubType.Exclusive;
        consumer = new Consumer(subscription, sort, stored.topic.getName(), consumers++, 0, "consumer", true,
                ToldConnection.create(precise, this::send), null, null, false, null, null, 0);
        dispatcher.addConsumer(consumer);
    }

    private boolean isShared() {
        return dispatcher instanceof SteppedMultipleConsumers;
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
            case "acknowledge" -> cursor.acknowledge(dispatcher instanceof SteppedMultipleConsumers shared
                    ? shared.firstToReplay(Long.MAX_VALUE) : Long.MAX_VALUE);
            case "change_consumer" -> {
                dispatcher.removeConsumer(consumer);
                connect();
            }
            case "set_active" -> cursor.setActive(Json.flag(arguments, "active"));
            case "seek" -> throw new NotHere("a seek disconnects the consumer");
            default -> throw CommandList.unknown(command);
        }
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
        step.run();
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
            boolean drops = dispatcher instanceof SteppedMultipleConsumers shared && shared.drops();
            boolean rewound = cursor.complete(again);
            if (events.isEmpty()) {
                events.ignored(drops || rewound ? "the consumer changed since the read" : "no permits");
            }
        }
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
