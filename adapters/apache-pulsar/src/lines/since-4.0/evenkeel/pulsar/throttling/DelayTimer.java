package evenkeel.pulsar.throttling;

import evenkeel.pulsar.standin.Told;
import io.netty.util.Timeout;
import io.netty.util.Timer;
import io.netty.util.TimerTask;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/** A timer and its clock; what falls due waits until {@link #fire}. */
final class DelayTimer {
    final Timer asTimer = Told.only(Timer.class, Map.<String, Function<Object[], ?>>of("newTimeout", work -> set(
            (TimerTask) work[0], ((TimeUnit) work[2]).toMillis((Long) work[1]))));
    final Clock clock = new Clock() {
        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return Instant.ofEpochMilli(now);
        }
    };
    private final List<Set> waiting = new ArrayList<>();
    private long now;

    private record Set(long due, TimerTask task, Timeout timeout) {
    }

    private Timeout set(TimerTask task, long millis) {
        AtomicBoolean cancelled = new AtomicBoolean();
        Timeout timeout = Told.only(Timeout.class, Map.of(
                "cancel", none -> !cancelled.getAndSet(true),
                "isCancelled", none -> cancelled.get()));
        waiting.add(new Set(now + millis, task, timeout));
        return timeout;
    }

    void forget() {
        waiting.clear();
        now = 0;
    }

    void advance(long millis) {
        now += millis;
    }

    /** Runs what is due. */
    void fire() {
        List<Set> due = waiting.stream().filter(set -> set.due <= now).toList();
        waiting.removeAll(due);
        for (Set set : due) {
            if (!set.timeout.isCancelled()) {
                try {
                    set.task.run(set.timeout);
                } catch (Exception failed) {
                    throw new IllegalStateException("a timer's task does not fail", failed);
                }
            }
        }
    }
}
