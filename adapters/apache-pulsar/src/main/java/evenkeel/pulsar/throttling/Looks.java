package evenkeel.pulsar.throttling;

import evenkeel.pulsar.standin.Told;
import io.netty.channel.EventLoopGroup;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The executor at which dispatchers schedule a new look: it notes the look and when, and never runs it. What they
 * execute runs at once.
 */
final class Looks {
    private Runnable look;
    private Long millis;

    EventLoopGroup group() {
        return Told.only(EventLoopGroup.class, Map.<String, Function<Object[], ?>>of(
                "execute", work -> {
                    ((Runnable) work[0]).run();
                    return null;
                },
                "schedule", work -> {
                    look = (Runnable) work[0];
                    millis = ((TimeUnit) work[2]).toMillis((Long) work[1]);
                    return null;
                }));
    }

    void clear() {
        look = null;
        millis = null;
    }

    /** In how many ms a new look was scheduled; null if none was. */
    Long scheduled() {
        return millis;
    }

    /** The look that was scheduled. */
    Runnable look() {
        return look;
    }
}
