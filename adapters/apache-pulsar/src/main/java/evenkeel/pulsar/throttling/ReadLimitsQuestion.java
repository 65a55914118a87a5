package evenkeel.pulsar.throttling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Private;
import evenkeel.pulsar.Question;
import evenkeel.pulsar.Settings;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.commons.lang3.tuple.Pair;
import org.apache.pulsar.broker.service.AbstractBaseDispatcher;
import org.apache.pulsar.broker.service.AbstractDispatcherSingleActiveConsumer;
import org.apache.pulsar.broker.service.Consumer;
import org.apache.pulsar.broker.service.persistent.DispatchRateLimiter;
import org.apache.pulsar.broker.service.persistent.PersistentDispatcherMultipleConsumers;
import org.apache.pulsar.broker.service.persistent.PersistentDispatcherSingleActiveConsumer;

/**
 * {@code throttling.read_limits}: {@code calculateToRead} of Pulsar's two dispatchers, with one consumer and with
 * limiters that say what the trial tells them. A new look is what they schedule at the broker's executor.
 */
public final class ReadLimitsQuestion implements Question {
    private static final Class<?> SHARED = PersistentDispatcherMultipleConsumers.class;
    private static final Class<?> EXCLUSIVE = PersistentDispatcherSingleActiveConsumer.class;

    private final ThrottledBroker broker = new ThrottledBroker();
    private final Looks looks = new Looks();
    private final ToldConsumer consumer = ToldConsumer.create();
    private final PersistentDispatcherMultipleConsumers shared = Dispatchers.shared(broker, consumer);
    private final PersistentDispatcherSingleActiveConsumer exclusive = Dispatchers.exclusive(broker);
    private final Method sharedLimits = Private.method(SHARED, "calculateToRead", int.class);
    private final Method exclusiveLimits = Private.method(EXCLUSIVE, "calculateToRead", Consumer.class);

    public ReadLimitsQuestion() {
        broker.service.setExecutor(looks.group());
    }

    @Override
    public JsonNode answer(JsonNode trial) throws Throwable {
        broker.forget();
        looks.clear();
        Settings.read(broker.config, trial, List.of("dispatcherMaxReadBatchSize",
                "dispatcherMaxReadSizeBytes", "dispatchThrottlingOnNonBacklogConsumerEnabled"));
        consumer.tell(Json.small(trial, "permits"), Json.flag(trial, "writable"),
                Json.flag(trial, "preciseDispatcherFlowControl"), Json.small(trial, "average_messages"));
        broker.topic.tell(told(trial, "broker"), told(trial, "topic"));
        boolean isShared = isShared(trial);
        prepare(isShared, trial);
        Pair<?, ?> limits = (Pair<?, ?>) (isShared
                ? sharedLimits.invoke(shared, Json.small(trial, "permits"))
                : exclusiveLimits.invoke(exclusive, consumer));
        ObjectNode answer = Json.object()
                .put("entries", (int) limits.getLeft())
                .put("bytes", ((Number) limits.getRight()).longValue());
        return looks.scheduled() == null ? answer.putNull("reread") : answer.put("reread", looks.scheduled());
    }

    /** The dispatcher that is asked. */
    AbstractBaseDispatcher dispatcher(JsonNode trial) {
        return isShared(trial) ? shared : exclusive;
    }

    private static boolean isShared(JsonNode trial) {
        return Json.text(trial, "reader").equals("shared");
    }

    private Optional<DispatchRateLimiter> told(JsonNode trial, String level) {
        JsonNode left = Json.field(trial, level);
        return left.isNull() ? Optional.empty() : Optional.of(new ToldLimiter(broker.service,
                Json.integer(left, "messages"), Json.integer(left, "bytes")));
    }

    private void prepare(boolean isShared, JsonNode trial) {
        Class<?> type = isShared ? SHARED : EXCLUSIVE;
        AbstractBaseDispatcher dispatcher = dispatcher(trial);
        Private.set(type, dispatcher, "readBatchSize", Json.small(trial, "dispatcherMaxReadBatchSize"));
        Private.set(isShared ? SHARED : AbstractDispatcherSingleActiveConsumer.class, dispatcher, "cursor",
                Dispatchers.cursor(Json.flag(trial, "cursor_active")));
        Private.set(type, dispatcher, "dispatchRateLimiter", told(trial, "subscription"));
        Private.set(type, dispatcher, "isRescheduleReadInProgress", new AtomicBoolean());
        if (isShared) {
            Private.set(SHARED, shared, "havePendingReplayRead", Json.flag(trial, "replay_outstanding"));
        }
    }
}
