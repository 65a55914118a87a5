package evenkeel.pulsar.throttling;

import evenkeel.pulsar.standin.Told;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.pulsar.broker.systopic.NamespaceEventsSystemTopicFactory;
import org.apache.pulsar.broker.systopic.TopicPoliciesSystemTopicClient;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.impl.MessageIdImpl;
import org.apache.pulsar.common.events.PulsarEvent;
import org.apache.pulsar.common.naming.NamespaceName;
import org.apache.pulsar.common.naming.SystemTopicNames;
import org.apache.pulsar.common.naming.TopicName;

/** A namespace's topic of policies in memory: its one reader has read all of it, and waits for more. */
final class PoliciesTopic extends TopicPoliciesSystemTopicClient {
    private final List<Message<PulsarEvent>> events = new ArrayList<>();
    private long written;
    private int read;
    private CompletableFuture<Message<PulsarEvent>> waiting;

    PoliciesTopic(NamespaceName namespace) {
        super(null, TopicName.get("persistent", namespace, SystemTopicNames.NAMESPACE_EVENTS_LOCAL_NAME));
    }

    /** What makes clients of topics of policies: this is the only one. */
    NamespaceEventsSystemTopicFactory factory() {
        return new NamespaceEventsSystemTopicFactory(null) {
            @Override
            public TopicPoliciesSystemTopicClient createTopicPoliciesSystemTopicClient(NamespaceName namespace) {
                return PoliciesTopic.this;
            }
        };
    }

    void clear() {
        events.clear();
        rewind();
    }

    /** The reader is gone; the next one begins at the beginning. */
    void rewind() {
        read = 0;
        waiting = null;
    }

    /** As Pulsar's compaction: of each key the last message stays, and none if it has no value. */
    void compact() {
        Map<String, Message<PulsarEvent>> last = new LinkedHashMap<>();
        for (Message<PulsarEvent> event : events) {
            last.remove(event.getKey());
            last.put(event.getKey(), event);
        }
        events.clear();
        last.values().stream().filter(event -> event.getValue() != null).forEach(events::add);
        read = events.size();
    }

    @SuppressWarnings("unchecked")
    private CompletableFuture<MessageId> add(String key, PulsarEvent value) {
        MessageId id = new MessageIdImpl(0, written++, -1);
        events.add(Told.only(Message.class, Map.<String, Function<Object[], ?>>of(
                "getKey", none -> key,
                "getValue", none -> value,
                "getMessageId", none -> id,
                "release", none -> null)));
        if (waiting != null) {
            CompletableFuture<Message<PulsarEvent>> waited = waiting;
            waiting = null;
            waited.complete(events.get(read++));
        }
        return CompletableFuture.completedFuture(id);
    }

    private CompletableFuture<Message<PulsarEvent>> next() {
        if (read < events.size()) {
            return CompletableFuture.completedFuture(events.get(read++));
        }
        waiting = new CompletableFuture<>();
        return waiting;
    }

    @Override
    @SuppressWarnings("unchecked")
    public CompletableFuture<Reader<PulsarEvent>> newReaderAsync() {
        return CompletableFuture.completedFuture(Told.only(Reader.class, Map.<String, Function<Object[], ?>>of(
                "hasMoreEventsAsync", none -> CompletableFuture.completedFuture(read < events.size()),
                "readNextAsync", none -> next(),
                "getSystemTopic", none -> this)));
    }

    @Override
    @SuppressWarnings("unchecked")
    public CompletableFuture<Writer<PulsarEvent>> newWriterAsync() {
        return CompletableFuture.completedFuture(Told.only(Writer.class, Map.<String, Function<Object[], ?>>of(
                "writeAsync", given -> add((String) given[0], (PulsarEvent) given[1]),
                "deleteAsync", given -> add((String) given[0], null))));
    }
}
