package evenkeel.pulsar.throttling;

import com.fasterxml.jackson.databind.JsonNode;
import evenkeel.pulsar.CommandList;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.NotHere;
import evenkeel.pulsar.Question;
import org.apache.pulsar.broker.service.persistent.SubscribeRateLimiter;
import org.apache.pulsar.broker.service.persistent.SubscribeRateLimiter.ConsumerIdentifier;
import org.apache.pulsar.common.policies.data.SubscribeRate;

/** {@code throttling.subscribing}: a real {@link SubscribeRateLimiter} on a virtual clock. */
public final class SubscribingQuestion implements Question {
    private static final long MILLI = 1_000_000;

    private final ThrottledBroker broker = new ThrottledBroker();

    @Override
    public JsonNode answer(JsonNode trial) throws Throwable {
        broker.forget();
        TopicValue.set(broker.topic.getHierarchyTopicPolicies().getSubscribeRate(),
                rate(Json.field(trial, "rate")));
        SubscribeRateLimiter limiter = new SubscribeRateLimiter(broker.topic);
        return CommandList.answer(trial, (command, arguments) -> perform(limiter, command, arguments));
    }

    private JsonNode perform(SubscribeRateLimiter limiter, String command, JsonNode arguments) {
        switch (command) {
            case "attempt":
                if (arguments.path("compacts").asBoolean()) {
                    throw new NotHere("a compaction is told by its subscription, which a limiter does not see");
                }
                ConsumerIdentifier consumer =
                        new ConsumerIdentifier("host", "consumer", Json.small(arguments, "consumer"));
                return Json.object().put("do", "allowed").put("allowed", limiter.tryAcquire(consumer));
            case "advance":
                broker.time.advance(Json.integer(arguments, "millis") * MILLI);
                return CommandList.done();
            case "reconfigure":
                limiter.onSubscribeRateUpdate(rate(Json.field(arguments, "rate")));
                return CommandList.done();
            default:
                throw CommandList.unknown(command);
        }
    }

    private static SubscribeRate rate(JsonNode rate) {
        return new SubscribeRate(Json.small(rate, "attempts"), Json.small(rate, "period"));
    }
}
