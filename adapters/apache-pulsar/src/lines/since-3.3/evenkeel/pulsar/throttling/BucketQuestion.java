package evenkeel.pulsar.throttling;

import com.fasterxml.jackson.databind.JsonNode;
import evenkeel.pulsar.CommandList;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Question;
import evenkeel.pulsar.standin.Tasks;
import org.apache.pulsar.broker.qos.AsyncTokenBucket;
import org.apache.pulsar.broker.qos.FinalRateAsyncTokenBucketBuilder;

/** {@code throttling.bucket}: a real {@link AsyncTokenBucket} on a virtual clock. */
public final class BucketQuestion implements Question {
    private final Tasks time = Tasks.timed();
    private long rate;

    @Override
    public JsonNode answer(JsonNode trial) throws Throwable {
        time.clear();
        AsyncTokenBucket bucket = Json.flag(trial, "dynamic") ? dynamic(trial) : fixed(trial);
        return CommandList.answer(trial, (command, arguments) -> perform(bucket, command, arguments));
    }

    private AsyncTokenBucket fixed(JsonNode trial) {
        FinalRateAsyncTokenBucketBuilder builder = AsyncTokenBucket.builder();
        builder.clock(time);
        builder.addTokensResolutionNanos(Json.integer(trial, "resolution"));
        builder.rate(Json.integer(trial, "rate")).ratePeriodNanos(Json.integer(trial, "period"));
        if (!Json.field(trial, "capacity").isNull()) {
            builder.capacity(Json.integer(trial, "capacity"));
        }
        if (!Json.field(trial, "initial").isNull()) {
            builder.initialTokens(Json.integer(trial, "initial"));
        }
        return builder.build();
    }

    private AsyncTokenBucket dynamic(JsonNode trial) {
        rate = Json.integer(trial, "rate");
        long period = Json.integer(trial, "period");
        return AsyncTokenBucket.builderForDynamicRate()
                .clock(time)
                .addTokensResolutionNanos(Json.integer(trial, "resolution"))
                .rateFunction(() -> rate)
                .ratePeriodNanosFunction(() -> period)
                .build();
    }

    private JsonNode perform(AsyncTokenBucket bucket, String command, JsonNode arguments) {
        switch (command) {
            case "tokens":
                return Json.object().put("do", "balance").put("tokens", bucket.getTokens());
            case "spend":
                bucket.consumeTokens(Json.integer(arguments, "tokens"));
                return CommandList.done();
            case "spend_and_check":
                return Json.object().put("do", "checked").put("left",
                        bucket.consumeTokensAndCheckIfContainsTokens(Json.integer(arguments, "tokens")));
            case "wait_for":
                return Json.object().put("do", "wait").put("nanos",
                        bucket.calculateThrottlingDuration(Json.integer(arguments, "tokens")));
            case "pass":
                time.advance(Json.integer(arguments, "nanos"));
                return CommandList.done();
            case "set_rate":
                rate = Json.integer(arguments, "rate");
                return CommandList.done();
            default:
                throw CommandList.unknown(command);
        }
    }
}
