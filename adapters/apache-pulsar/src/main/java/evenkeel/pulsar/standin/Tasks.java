package evenkeel.pulsar.standin;

import evenkeel.pulsar.NeverCompletes;
import evenkeel.pulsar.Refused;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Executors without threads. What is executed runs at once on the caller's thread or, on the {@link #queued} side,
 * waits; what is scheduled waits. Of executors that are {@link #timed} it runs when {@link #advance} moves their clock
 * past its time. Of others delays do not count and periodic work is dropped: all runs in the order in which it came,
 * in {@link #settle} or one by one in {@link #runOldest}, so after a call has settled, nothing more can happen, and a
 * future that is still open stays open.
 */
public class Tasks extends AbstractExecutorService implements ScheduledExecutorService, Clock {
    private static final int TOO_MANY = 10_000;

    private final Later later;
    private final boolean atOnce;

    public Tasks() {
        this(new Later(false), true);
    }

    private Tasks(Later later, boolean atOnce) {
        this.later = later;
        this.atOnce = atOnce;
    }

    /** With a clock, which starts at 0. Like the JDK's these executors take no period of 0 or less. */
    public static Tasks timed() {
        return new Tasks(new Later(true), true);
    }

    /**
     * The executor that does nothing until {@link #settle}. Pulsar needs it where it removes a key from a map in
     * a task that it submits while computing the value of that key.
     */
    public Tasks queued() {
        return new Tasks(later, false);
    }

    @Override
    public void execute(Runnable task) {
        if (atOnce) {
            task.run();
        } else {
            defer(task);
        }
    }

    /** Runs what was scheduled, and what that schedules in turn. */
    public void settle() {
        for (int run = 0; isWaiting(); run++) {
            if (run > TOO_MANY) {
                clear();
                throw new NeverCompletes("more than " + TOO_MANY + " tasks were scheduled one after another");
            }
            runOldest();
        }
    }

    /** Settles, then gives the value of the future or throws what it failed with. */
    public <T> T settled(CompletableFuture<T> future) {
        settle();
        if (!future.isDone()) {
            throw new NeverCompletes("everything has run and the future is still open");
        }
        try {
            return future.join();
        } catch (CompletionException failed) {
            throw failed;
        }
    }

    public boolean isWaiting() {
        return !later.works.isEmpty();
    }

    /** Runs what was scheduled first; nothing, if nothing was. */
    public void runOldest() {
        Work<?> oldest = later.works.poll();
        if (oldest != null) {
            oldest.task.run();
        }
    }

    /** Moves the clock; what falls due on the way runs at its time. */
    public void advance(long nanos) {
        advance(nanos, Object::new);
    }

    /**
     * The same where what work does depends on this state alone, and is seen in it: once each work that waits has run
     * without a change, none of its later runs can change anything, and they are passed over.
     */
    public void advance(long nanos, Supplier<?> state) {
        long until = Math.addExact(later.now, nanos);
        Set<Work<?>> idle = new HashSet<>();
        Object before = state.get();
        while (later.isDue(until) && !idle.containsAll(later.works)) {
            Work<?> work = later.works.poll();
            later.now = work.due;
            work.task.run();
            if (work.period > 0 && !work.isCancelled()) {
                work.due += work.period;
                later.works.add(work);
            }
            Object after = state.get();
            if (after.equals(before)) {
                idle.add(work);
            } else {
                idle.clear();
            }
            before = after;
        }
        later.passOver(until);
        later.now = until;
    }

    @Override
    public long getTickNanos() {
        return later.now;
    }

    /** Adds something to what waits. */
    public void defer(Runnable task) {
        schedule(task, 0, TimeUnit.NANOSECONDS);
    }

    /** Forgets what waits, and starts the clock at 0 again. */
    public void clear() {
        later.works.clear();
        later.now = 0;
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
        return later.add(new Work<>(later, command, unit.toNanos(delay), 0));
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
        Work<V> work = new Work<>(later, null, unit.toNanos(delay), 0);
        work.task = () -> work.complete(called(callable));
        return later.add(work);
    }

    private static <V> V called(Callable<V> callable) {
        try {
            return callable.call();
        } catch (Exception failed) {
            throw new IllegalStateException("scheduled work does not fail", failed);
        }
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long first, long period, TimeUnit unit) {
        if (later.timed && period <= 0) {
            throw new Refused("IllegalArgumentException", "a period of " + period);
        }
        Work<?> work = new Work<>(later, command, unit.toNanos(first), unit.toNanos(period));
        return later.timed ? later.add(work) : work;
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable command, long first, long delay, TimeUnit unit) {
        return scheduleAtFixedRate(command, first, delay, unit);
    }

    @Override
    public void shutdown() {
        later.works.clear();
    }

    @Override
    public List<Runnable> shutdownNow() {
        shutdown();
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

    /** What waits, in its order, and the clock. */
    private static final class Later {
        private final PriorityQueue<Work<?>> works = new PriorityQueue<>(
                Comparator.<Work<?>>comparingLong(work -> work.due).thenComparingLong(work -> work.number));
        private final boolean timed;
        private long now;
        private long numbers;

        Later(boolean timed) {
            this.timed = timed;
        }

        <W extends Work<?>> W add(W work) {
            works.add(work);
            return work;
        }

        boolean isDue(long until) {
            return !works.isEmpty() && works.peek().due <= until;
        }

        /** Leaves out the runs of periodic work up to this time. */
        void passOver(long until) {
            while (isDue(until)) {
                Work<?> work = works.poll();
                work.due += ((until - work.due) / work.period + 1) * work.period;
                works.add(work);
            }
        }
    }

    /** Scheduled work; cancelled, it is not run. */
    private static final class Work<V> extends CompletableFuture<V> implements ScheduledFuture<V> {
        private final Later later;
        private final long number;
        private final long period;
        private Runnable task;
        private long due;

        Work(Later later, Runnable task, long delay, long period) {
            this.later = later;
            this.task = task;
            this.period = period;
            number = later.numbers++;
            due = later.timed ? Math.addExact(later.now, delay) : 0;
        }

        @Override
        public boolean cancel(boolean interrupt) {
            later.works.remove(this);
            return super.cancel(interrupt);
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(due - later.now, TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
        }
    }
}
