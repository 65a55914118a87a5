package evenkeel.pulsar.throttling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.CommandList;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Private;
import evenkeel.pulsar.Refused;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.apache.pulsar.broker.service.Consumer;
import org.apache.pulsar.broker.service.persistent.AbstractPersistentDispatcherMultipleConsumers;
import org.apache.pulsar.broker.service.persistent.EntryBuckets;
import org.apache.pulsar.broker.service.persistent.PersistentDispatcherMultipleConsumers;
import org.apache.pulsar.common.api.proto.KeySharedMeta;
import org.apache.pulsar.common.api.proto.KeySharedMode;
import org.apache.pulsar.common.api.proto.MessageMetadata;

/**
 * {@code scaling.sharing}: Pulsar's dispatcher of a segment that consumers share, with as many permits for each as it
 * can use. Their names are in the order in which they come.
 */
public final class SharingQuestion extends KeysQuestion {
    private static final int PERMITS = 1_000_000;
    private KeySharedMeta own;
    /** Why the segment cannot be shared, or null. */
    private IllegalArgumentException unusable;

    @Override
    void configure(JsonNode trial) {
        broker.config.setKeySharedLookAheadMsgInReplayThresholdPerConsumer(0);
        broker.config.setKeySharedLookAheadMsgInReplayThresholdPerSubscription(0);
    }

    @Override
    StoredTopic store() {
        return new StoredTopic(broker, entries()) {
            @Override
            void stamp(MessageMetadata metadata, JsonNode entry) {
                if (entry.has("least")) {
                    metadata.setEntryHashMin(Json.small(entry, "least")).setEntryHashMax(Json.small(entry, "greatest"));
                }
            }
        };
    }

    @Override
    AbstractPersistentDispatcherMultipleConsumers dispatcher(JsonNode trial) {
        own = buckets(Json.integers(trial, "starts"));
        try {
            unusable = null;
            return EntryBuckets.dispatcher(stored.topic, cursor.asManagedCursor, subscription, own);
        } catch (IllegalArgumentException refused) {
            unusable = refused;
            return super.dispatcher(trial);
        }
    }

    @Override
    Class<?> keepsDelayed() {
        return PersistentDispatcherMultipleConsumers.class;
    }

    /** What a consumer declares that has been told of buckets that begin at these hashes. */
    private static KeySharedMeta buckets(List<Long> starts) {
        KeySharedMeta declared = new KeySharedMeta().setKeySharedMode(KeySharedMode.STICKY)
                .setAllowOutOfOrderDelivery(false).setEntryBucketDispatch(true);
        for (int i = 0; i < starts.size(); i++) {
            long end = i + 1 < starts.size() ? starts.get(i + 1) - 1 : 65535;
            declared.addHashRange().setStart(starts.get(i).intValue()).setEnd((int) end);
        }
        return declared;
    }

    @Override
    JsonNode perform(String command, JsonNode arguments) throws Throwable {
        switch (command) {
            case "subscribe" -> subscribe(arguments);
            case "stamped" -> {
                int one = Json.small(arguments, "one");
                int other = Json.small(arguments, "other");
                ObjectNode entry = entries();
                entry.withArray("entries").addObject().put("messages", 2).put("bytes", 1)
                        .put("least", Math.min(one, other)).put("greatest", Math.max(one, other));
                publish(entry);
            }
            case "unstamped" -> {
                ObjectNode entry = entries();
                entry.withArray("entries").addObject().put("messages", 1).put("bytes", 1)
                        .put("key", Json.integer(arguments, "key"));
                publish(entry);
            }
            case "acknowledge_one" -> acknowledge(Json.integer(arguments, "entry") % Math.max(1, stored.size()));
            default -> {
                return super.perform(command, arguments);
            }
        }
        return CommandList.done();
    }

    private void subscribe(JsonNode arguments) throws Exception {
        if (unusable != null) {
            throw unusable;
        }
        Consumer consumer = next(String.format("consumer %03d", consumers.size()));
        Private.set(Consumer.class, consumer, "keySharedMeta",
                arguments.hasNonNull("starts") ? buckets(Json.integers(arguments, "starts")) : own);
        try {
            dispatcher.addConsumer(consumer).join();
        } catch (CompletionException failed) {
            throw new Refused(failed.getCause().getClass().getSimpleName(), failed.getCause().getMessage());
        }
        consumers.add(consumer);
        consumer.flowPermits(PERMITS);
    }
}
