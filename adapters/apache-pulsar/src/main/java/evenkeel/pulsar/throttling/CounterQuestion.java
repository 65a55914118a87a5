package evenkeel.pulsar.throttling;

import com.fasterxml.jackson.databind.JsonNode;
import evenkeel.pulsar.CommandList;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Private;
import evenkeel.pulsar.Question;
import evenkeel.pulsar.standin.Tasks;
import java.lang.reflect.Field;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.pulsar.common.util.RateLimiter;

/**
 * {@code throttling.counter}: a real {@link RateLimiter} on a virtual clock. What a renewal does depends on the rate
 * and on what was acquired, so one that changes neither is the last that is run until the next command.
 */
public final class CounterQuestion implements Question {
    private static final Field ACQUIRED = Private.field(RateLimiter.class, "acquiredPermits");

    private final Tasks time = Tasks.timed();

    @Override
    public JsonNode answer(JsonNode trial) throws Throwable {
        time.clear();
        RateLimiter limiter = RateLimiter.builder()
                .scheduledExecutorService(time)
                .permits(Json.integer(trial, "rate"))
                .rateTime(Json.integer(trial, "period"))
                .timeUnit(TimeUnit.MILLISECONDS)
                .isDispatchOrPrecisePublishRateLimiter(Json.flag(trial, "carries"))
                .build();
        return CommandList.answer(trial, (command, arguments) -> perform(limiter, command, arguments));
    }

    private JsonNode perform(RateLimiter limiter, String command, JsonNode arguments) {
        switch (command) {
            case "take":
                return Json.object().put("do", "taken")
                        .put("granted", limiter.tryAcquire(Json.integer(arguments, "permits")));
            case "advance":
                time.advance(TimeUnit.MILLISECONDS.toNanos(Json.integer(arguments, "millis")), () -> state(limiter));
                return CommandList.done();
            case "look":
                return Json.object().put("do", "permits").put("available", limiter.getAvailablePermits());
            case "set_rate":
                limiter.setRate(Json.integer(arguments, "rate"));
                return CommandList.done();
            case "restart":
                limiter.setRate(Json.integer(arguments, "rate"), Json.integer(arguments, "period"),
                        TimeUnit.MILLISECONDS, updater(arguments));
                return CommandList.done();
            case "close":
                limiter.close();
                return CommandList.done();
            default:
                throw CommandList.unknown(command);
        }
    }

    private static List<Long> state(RateLimiter limiter) {
        try {
            return List.of(limiter.getRate(), ACQUIRED.getLong(limiter));
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static Supplier<Long> updater(JsonNode restart) {
        if (Json.field(restart, "updated").isNull()) {
            return null;
        }
        long updated = Json.integer(restart, "updated");
        return () -> updated;
    }
}
