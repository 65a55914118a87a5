package evenkeel.pulsar.ownership;

import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** The executor of a broker's locks: what is executed runs at once, what is scheduled when it is told to. */
final class LockTasks extends AbstractExecutorService implements ScheduledExecutorService {
    private final ArrayDeque<Later<?>> later = new ArrayDeque<>();

    boolean waiting() {
        return !later.isEmpty();
    }

    /** Runs what was scheduled first. */
    void runOldest() {
        Later<?> oldest = later.poll();
        if (oldest != null) {
            oldest.run();
        }
    }

    @Override
    public void execute(Runnable task) {
        task.run();
    }

    /** Locks give the executor a task with a value that nobody looks at. */
    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
        Later<V> scheduled = new Later<>(task);
        later.add(scheduled);
        return scheduled;
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
        throw new UnsupportedOperationException("locks schedule tasks with values only");
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, long first, long period, TimeUnit unit) {
        throw new UnsupportedOperationException("locks do nothing periodically");
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long first, long delay, TimeUnit unit) {
        throw new UnsupportedOperationException("locks do nothing periodically");
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

    /** Scheduled work; cancelled, it is not run. */
    private final class Later<V> extends CompletableFuture<V> implements ScheduledFuture<V> {
        private final Callable<V> task;

        Later(Callable<V> task) {
            this.task = task;
        }

        void run() {
            try {
                complete(task.call());
            } catch (Exception failed) {
                throw new IllegalStateException("a re-validation does not fail at once", failed);
            }
        }

        @Override
        public boolean cancel(boolean interrupt) {
            later.remove(this);
            return super.cancel(interrupt);
        }

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
