package org.apache.bookkeeper.mledger.impl.cache;

import evenkeel.pulsar.Private;
import evenkeel.pulsar.standin.Told;
import io.opentelemetry.api.OpenTelemetry;
import java.lang.reflect.Constructor;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.IntConsumer;

/**
 * Pulsar's limiter of reads under way, on a clock that only {@link #advance} moves. The limiter itself looks at the
 * machine's, so reads that wait are made older instead; its milliseconds are a thousandth, and what a trial really
 * lasts does not count.
 */
public final class SteppedReadsLimiter {
    private static final long SCALE = 1000;

    private final InflightReadsLimiter limiter;
    private final Map<Integer, InflightReadsLimiter.Handle> held = new HashMap<>();
    private final IntConsumer begun;
    private final IntConsumer failed;
    private Runnable check;
    private long due;
    private long now;

    public SteppedReadsLimiter(long limit, int queue, long timeout, IntConsumer begun, IntConsumer failed)
            throws ReflectiveOperationException {
        this.begun = begun;
        this.failed = failed;
        ScheduledExecutorService timer = Told.only(ScheduledExecutorService.class,
                Map.<String, Function<Object[], ?>>of("schedule", work -> {
                    check = (Runnable) work[0];
                    due = now + ((TimeUnit) work[2]).toMillis((Long) work[1]);
                    return null;
                }));
        Object[] arguments = {limit, queue, timeout * SCALE, timer, OpenTelemetry.noop()};
        Constructor<?> constructor = InflightReadsLimiter.class.getConstructors()[0];
        limiter = (InflightReadsLimiter) constructor.newInstance(
                Arrays.copyOf(arguments, constructor.getParameterCount()));
    }

    public void ask(int read, long bytes) {
        Optional<InflightReadsLimiter.Handle> answered = limiter.acquire(bytes, handle -> answer(read, handle));
        answered.ifPresent(handle -> answer(read, handle));
    }

    private void answer(int read, InflightReadsLimiter.Handle handle) {
        if (handle.success()) {
            held.put(read, handle);
            begun.accept(read);
        } else {
            failed.accept(read);
        }
    }

    public void giveBack(int read) {
        InflightReadsLimiter.Handle handle = held.remove(read);
        if (handle != null) {
            limiter.release(handle);
        }
    }

    public void advance(long millis) {
        long until = now + millis * SCALE;
        while (check != null && due <= until) {
            Runnable next = check;
            check = null;
            age(Math.max(now, due));
            next.run();
        }
        age(until);
    }

    private void age(long until) {
        Queue<InflightReadsLimiter.QueuedHandle> waiting =
                Private.get(InflightReadsLimiter.class, limiter, "queuedHandles");
        for (int left = waiting == null ? 0 : waiting.size(); left > 0; left--) {
            InflightReadsLimiter.QueuedHandle one = waiting.poll();
            InflightReadsLimiter.Handle handle = one.handle();
            waiting.add(new InflightReadsLimiter.QueuedHandle(new InflightReadsLimiter.Handle(
                    handle.permits(), handle.creationTime() - (until - now), handle.success()), one.callback()));
        }
        now = until;
    }
}
