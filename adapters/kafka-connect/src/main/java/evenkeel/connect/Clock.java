package evenkeel.connect;

import java.util.function.Supplier;
import org.apache.kafka.common.utils.Time;

/** The time that the rounds tell. */
final class Clock implements Time {
    private long now;

    void set(long milliseconds) {
        now = milliseconds;
    }

    @Override
    public long milliseconds() {
        return now;
    }

    @Override
    public long nanoseconds() {
        return now * 1_000_000;
    }

    @Override
    public void sleep(long milliseconds) {
        throw new UnsupportedOperationException("nothing sleeps here");
    }

    @Override
    public void waitObject(Object object, Supplier<Boolean> condition, long deadline) {
        throw new UnsupportedOperationException("nothing waits here");
    }
}
