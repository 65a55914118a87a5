package evenkeel.pulsar.standin;

import evenkeel.pulsar.NeverCompletes;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * The broker's executors without threads. What is executed runs at once on the caller's thread or, on the
 * {@link #queued} side, waits until {@link #settle}; so does what is scheduled, whatever its delay. Periodic work
 * is dropped. So after a call has settled, nothing more can happen, and a future that is still open stays open.
 */
public final class Tasks extends AbstractExecutorService implements ScheduledExecutorService {
    private static final int TOO_MANY = 10_000;

    private final ArrayDeque<Runnable> later;
    private final boolean atOnce;

    public Tasks() {
        this(new ArrayDeque<>(), true);
    }

    private Tasks(ArrayDeque<Runnable> later, boolean atOnce) {
        this.later = later;
        this.atOnce = atOnce;
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
            later.add(task);
        }
    }

    /** Runs what was scheduled, and what that schedules in turn. */
    public void settle() {
        for (int run = 0; !later.isEmpty(); run++) {
            if (run > TOO_MANY) {
                later.clear();
                throw new NeverCompletes("more than " + TOO_MANY + " tasks were scheduled one after another");
            }
            later.poll().run();
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

    /** Adds something to what {@link #settle} runs. */
    public void defer(Runnable task) {
        later.add(task);
    }

    /** Forgets what was scheduled. */
    public void clear() {
        later.clear();
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
        later.add(command);
        return new Scheduled();
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
        throw new UnsupportedOperationException("nothing that is asked schedules a value");
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long first, long period, TimeUnit unit) {
        return new Scheduled();
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable command, long first, long delay, TimeUnit unit) {
        return new Scheduled();
    }

    @Override
    public void shutdown() {
        later.clear();
    }

    @Override
    public List<Runnable> shutdownNow() {
        later.clear();
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

    /** The handle of scheduled work; nothing that is asked looks into it. */
    private static final class Scheduled extends CompletableFuture<Object> implements ScheduledFuture<Object> {
        @Override
        public long getDelay(TimeUnit unit) {
            return 0;
        }

        @Override
        public int compareTo(Delayed other) {
            return 0;
        }
    }
}
