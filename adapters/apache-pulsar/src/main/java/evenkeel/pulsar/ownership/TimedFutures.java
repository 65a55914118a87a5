package evenkeel.pulsar.ownership;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Delayed;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The JDK's own timer behind {@link CompletableFuture#orTimeout} and delayed executors. What Pulsar puts into it is
 * found here and run when virtual time says so, long before the real time comes.
 */
abstract class TimedFutures {
    private final Set<Object> known = new HashSet<>();

    /** The timer of this JDK: a pool of threads, since Java 25 a part of the common pool. */
    static TimedFutures find() {
        try {
            return Runtime.version().feature() < 25 ? new Pooled() : new Stopped();
        } catch (ReflectiveOperationException missing) {
            throw new IllegalStateException("this JDK keeps its timer elsewhere", missing);
        }
    }

    /** What is in the timer, in the order in which it was put there. */
    abstract Collection<? extends Runnable> queue();

    /** Runs what has no delay, where the JDK's thread does not. */
    abstract void runDue();

    /** Forgets everything, in the timer too. */
    void clear() {
        queue().clear();
        known.clear();
    }

    /** What was put into the timer since this was last asked, in its order. */
    List<Runnable> added() {
        List<Runnable> present = new ArrayList<>(queue());
        // What was cancelled has left the timer by itself.
        known.retainAll(new HashSet<Object>(present));
        return present.stream().filter(known::add).sorted().toList();
    }

    /** Runs one of them now, and takes it out of the timer. */
    void run(Runnable task) {
        queue().remove(task);
        known.remove(task);
        task.run();
    }

    private static Field field(Class<?> type, String name) throws ReflectiveOperationException {
        Field found = type.getDeclaredField(name);
        found.setAccessible(true);
        return found;
    }

    /** Until Java 24: an executor whose queue can be seen. */
    private static final class Pooled extends TimedFutures {
        private final ScheduledThreadPoolExecutor timer;

        Pooled() throws ReflectiveOperationException {
            Class<?> delayer = Class.forName(CompletableFuture.class.getName() + "$Delayer");
            timer = (ScheduledThreadPoolExecutor) field(delayer, "delayer").get(null);
        }

        @Override
        Collection<Runnable> queue() {
            return timer.getQueue();
        }

        @Override
        void runDue() {
            // Its thread does.
        }
    }

    /** Since Java 25: a thread that keeps its queue to itself. In its place is one that was never started. */
    private static final class Stopped extends TimedFutures {
        private final Object scheduler;
        private final Field pending;
        private final Field next;
        private final Deque<Runnable> queue = new ArrayDeque<>();

        Stopped() throws ReflectiveOperationException {
            Class<?> type = Class.forName("java.util.concurrent.DelayScheduler");
            Constructor<?> make = type.getDeclaredConstructor(ForkJoinPool.class, String.class);
            make.setAccessible(true);
            scheduler = make.newInstance(ForkJoinPool.commonPool(), "never started");
            pending = field(type, "pending");
            next = field(Class.forName(type.getName() + "$ScheduledForkJoinTask"), "nextPending");
            field(ForkJoinPool.class, "delayScheduler").set(ForkJoinPool.commonPool(), scheduler);
        }

        @Override
        Collection<Runnable> queue() {
            Deque<Runnable> arrived = new ArrayDeque<>();
            try {
                for (Object task = pending.get(scheduler); task != null; task = next.get(task)) {
                    arrived.addFirst((Runnable) task);
                }
                pending.set(scheduler, null);
            } catch (IllegalAccessException impossible) {
                throw new IllegalStateException(impossible);
            }
            queue.addAll(arrived);
            queue.removeIf(task -> ((Future<?>) task).isDone());
            return queue;
        }

        @Override
        void runDue() {
            new ArrayList<>(queue()).stream()
                    .filter(task -> ((Delayed) task).getDelay(TimeUnit.NANOSECONDS) <= 0)
                    .forEach(this::run);
        }
    }
}
