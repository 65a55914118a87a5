package evenkeel.pulsar.throttling;

import com.fasterxml.jackson.databind.JsonNode;
import evenkeel.pulsar.CommandList;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Question;
import org.apache.pulsar.broker.service.persistent.DispatchRateLimiter;

/**
 * {@code throttling.quota}: a real topic-level {@link DispatchRateLimiter} of the trial's mechanism,
 * which is charged and asked while a virtual clock moves.
 */
public final class QuotaQuestion implements Question {
    private static final long MILLI = 1_000_000;

    private final ThrottledBroker broker = new ThrottledBroker();

    @Override
    public JsonNode answer(JsonNode trial) throws Throwable {
        broker.forget();
        TopicValue.set(broker.topic.getHierarchyTopicPolicies().getDispatchRate(),
                Rates.rate(Json.field(trial, "rate")));
        DispatchRateLimiter limiter = Limiters.of(broker.topic, trial);
        return CommandList.answer(trial, (command, arguments) -> perform(limiter, command, arguments));
    }

    private JsonNode perform(DispatchRateLimiter limiter, String command, JsonNode arguments) {
        switch (command) {
            case "consume":
                Limiters.charge(limiter, Json.integer(arguments, "messages"), Json.integer(arguments, "bytes"));
                return CommandList.done();
            case "advance":
                broker.time.advance(Json.integer(arguments, "millis") * MILLI);
                return CommandList.done();
            case "look":
                return Json.object().put("do", "left")
                        .put("messages", limiter.getAvailableDispatchRateLimitOnMsg())
                        .put("bytes", limiter.getAvailableDispatchRateLimitOnByte());
            case "configure":
                limiter.updateDispatchRate(Rates.rate(Json.field(arguments, "rate")));
                return CommandList.done();
            case "publish":
                broker.topic.publish(Json.integer(arguments, "messages"), Json.integer(arguments, "bytes"));
                return CommandList.done();
            default:
                throw CommandList.unknown(command);
        }
    }
}
