package evenkeel.pulsar.throttling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.NotHere;
import evenkeel.pulsar.Question;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.util.Collections;
import org.apache.bookkeeper.mledger.Entry;
import org.apache.bookkeeper.mledger.impl.EntryImpl;
import org.apache.pulsar.broker.service.Consumer;
import org.apache.pulsar.broker.service.EntryBatchSizes;
import org.apache.pulsar.broker.service.RedeliveryTrackerDisabled;
import org.apache.pulsar.broker.service.TransportCnx;
import org.apache.pulsar.broker.service.persistent.PersistentSubscription;
import org.apache.pulsar.common.api.proto.CommandSubscribe.SubType;

/**
 * {@code throttling.averages}: a real {@link Consumer} of an exclusive subscription, made by its own constructor, is
 * sent the trial's messages. How many messages the entries hold is what the dispatcher tells it; the entries
 * themselves are only counted, one by one.
 */
public final class AveragesQuestion implements Question {
    /** What is counted in seconds, however Java compiles that. */
    private static final long MOST_ENTRIES = 10_000_000;

    private final PersistentSubscription subscription = Dispatchers.subscription(new ThrottledBroker().topic);
    private final TransportCnx connection = ToldConnection.create(false,
            (entries, messages) -> ImmediateEventExecutor.INSTANCE.newSucceededFuture(null));
    private final Entry entry = EntryImpl.create(0, 0, new byte[0]);
    private final EntryBatchSizes unread = EntryBatchSizes.get(0);

    @Override
    public JsonNode answer(JsonNode trial) {
        long counted = 0;
        for (JsonNode send : Json.list(trial, "sends")) {
            counted += Json.small(send, "entries");
        }
        if (counted > MOST_ENTRIES) {
            throw new NotHere("a consumer counts the entries that it is sent one by one, which takes too long here");
        }
        Consumer consumer = Dispatchers.consumer(subscription, SubType.Exclusive, 0, "consumer", connection);
        ObjectNode answer = Json.object();
        ArrayNode averages = answer.putArray("averages");
        for (JsonNode send : Json.list(trial, "sends")) {
            consumer.sendMessages(Collections.nCopies(Json.small(send, "entries"), entry), unread, null,
                    Json.small(send, "messages"), 0, 0, RedeliveryTrackerDisabled.REDELIVERY_TRACKER_DISABLED);
            averages.add(consumer.getAvgMessagesPerEntry());
        }
        return answer;
    }
}
