package evenkeel.pulsar.throttling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Private;
import evenkeel.pulsar.standin.StandInTopic;
import evenkeel.pulsar.standin.Told;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledHeapByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.bookkeeper.mledger.Entry;
import org.apache.pulsar.broker.service.persistent.PersistentTopic;
import org.apache.pulsar.broker.transaction.buffer.TransactionBuffer;
import org.apache.pulsar.common.api.proto.MessageMetadata;

/** A topic and what is stored of it: one ledger, which is still written to. */
class StoredTopic {
    final StandInTopic topic;
    final Estimates estimates = new Estimates();
    private final List<JsonNode> entries = new ArrayList<>();
    private long bytes;

    StoredTopic(ThrottledBroker broker, JsonNode stored) {
        topic = StandInTopic.create(broker.service);
        Private.set(PersistentTopic.class, topic, "transactionBuffer",
                Told.only(TransactionBuffer.class, Map.of("getMaxReadPosition", none -> null)));
        topic.getHierarchyTopicPolicies().getDelayedDeliveryEnabled().updateBrokerValue(true);
        // Pulsar's limits of unacknowledged messages are no part of the loop.
        topic.getHierarchyTopicPolicies().getMaxUnackedMessagesOnConsumer().updateBrokerValue(0);
        topic.getHierarchyTopicPolicies().getMaxUnackedMessagesOnSubscription().updateBrokerValue(0);
        publish(stored);
    }

    /** So many entries of one message, as trials store them. */
    static JsonNode singles(long count) {
        ObjectNode stored = Json.object();
        ArrayNode list = stored.putArray("entries");
        for (long i = 0; i < count; i++) {
            list.addObject().put("messages", 1).put("bytes", 1);
        }
        return stored;
    }

    void publish(JsonNode stored) {
        for (JsonNode entry : Json.list(stored, "entries")) {
            entries.add(entry);
            bytes += Json.integer(entry, "bytes");
        }
        estimates.ledgers.clear();
        estimates.ledgers.addWritten(0, entries.size(), bytes);
    }

    int size() {
        return entries.size();
    }

    /** Entries as storage returns them, in a list that dispatchers change. */
    List<Entry> read(List<Long> numbers) {
        List<Entry> read = new ArrayList<>();
        for (long number : numbers) {
            JsonNode entry = entries.get(Math.toIntExact(number));
            MessageMetadata metadata = new MessageMetadata().setProducerName("producer").setSequenceId(number)
                    .setPublishTime(1).setNumMessagesInBatch(Json.small(entry, "messages"));
            if (entry.has("key")) {
                metadata.setPartitionKey(entry.get("key").asText());
            }
            if (entry.has("deliverAt")) {
                metadata.setDeliverAtTime(Json.integer(entry, "deliverAt"));
            }
            stamp(metadata, entry);
            read.add(entry(number, new SizedBuffer(metadata, Json.small(entry, "bytes"))));
        }
        return read;
    }

    /** What lines that have it store besides. */
    void stamp(MessageMetadata metadata, JsonNode entry) {
    }

    private static Entry entry(long number, SizedBuffer data) {
        return Told.only(Entry.class, Map.<String, Function<Object[], ?>>of(
                "getLedgerId", none -> 0L,
                "getEntryId", none -> number,
                "getPosition", none -> Positions.of(0, number),
                "getLength", none -> data.readableBytes(),
                "getDataBuffer", none -> data,
                // Since 5.0 an entry may remember what was parsed, and count its readers.
                "getMessageMetadata", none -> null,
                "getReadCountHandler", none -> null,
                "release", none -> true));
    }

    /** The metadata of an entry's messages, and of all that follows only how large it makes the entry. */
    private static final class SizedBuffer extends UnpooledHeapByteBuf {
        private final int size;

        SizedBuffer(MessageMetadata metadata, int size) {
            super(UnpooledByteBufAllocator.DEFAULT, 64, Integer.MAX_VALUE);
            this.size = size;
            writeInt(metadata.getSerializedSize());
            metadata.writeTo(this);
        }

        @Override
        public int readableBytes() {
            return size;
        }
    }
}
