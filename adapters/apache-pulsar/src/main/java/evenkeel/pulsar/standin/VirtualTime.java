package evenkeel.pulsar.standin;

import evenkeel.pulsar.Refused;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.broker.qos.MonotonicClock;

/**
 * A clock that moves only when it is told to, and an executor that lives by it: scheduled work runs when the clock
 * passes its time, in the order of these times. Like the JDK's it takes no period of 0 or less.
 */
public final class VirtualTime extends AbstractExecutorService implements ScheduledExecutorService, MonotonicClock {
    private final PriorityQueue<Work> queue = new PriorityQueue<>(
            Comparator.<Work>comparingLong(work -> work.due).thenComparingLong(work -> work.number));
    private long now;
    private long numbers;

    /** Forgets all work and starts at 0 again. */
    public void reset() {
        queue.clear();
        now = 0;
    }

    /** Moves the clock; what falls due on the way runs at its time. */
    public void advance(long nanos) {
        long until = Math.addExact(now, nanos);
        while (!queue.isEmpty() && queue.peek().due <= until) {
            Work work = queue.poll();
            now = work.due;
            if (!work.isCancelled()) {
                work.task.run();
                if (work.period > 0 && !work.isCancelled()) {
                    work.due += work.period;
                    queue.add(work);
                }
            }
        }
        now = until;
    }

    @Override
    public long getTickNanos() {
        return now;
    }

    @Override
    public void execute(Runnable task) {
        task.run();
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
        return add(new Work(command, unit.toNanos(delay), 0));
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long first, long period, TimeUnit unit) {
        if (period <= 0) {
            throw new Refused("IllegalArgumentException", "a period of " + period);
        }
        return add(new Work(command, unit.toNanos(first), unit.toNanos(period)));
    }

    private Work add(Work work) {
        queue.add(work);
        return work;
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable command, long first, long delay, TimeUnit unit) {
        return scheduleAtFixedRate(command, first, delay, unit);
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
        throw new UnsupportedOperationException("nothing that is asked schedules a value");
    }

    @Override
    public void shutdown() {
        queue.clear();
    }

    @Override
    public List<Runnable> shutdownNow() {
        queue.clear();
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return false;
    }

    @Override
    public boolean isTerminated() {
        return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return true;
    }

    /** Scheduled work; cancelling it is all that anybody does with the handle. */
    private final class Work extends CompletableFuture<Object> implements ScheduledFuture<Object> {
        private final Runnable task;
        private final long period;
        private final long number = numbers++;
        private long due;

        Work(Runnable task, long delay, long period) {
            this.task = task;
            this.period = period;
            this.due = Math.addExact(now, delay);
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(due - now, TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
        }
    }
}
