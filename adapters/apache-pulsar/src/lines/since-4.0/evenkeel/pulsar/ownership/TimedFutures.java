package evenkeel.pulsar.ownership;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/**
 * The JDK's own timer behind {@link CompletableFuture#orTimeout} and delayed executors. What Pulsar puts into it is
 * found here and run when virtual time says so, long before the real time comes.
 */
final class TimedFutures {
    private final ScheduledThreadPoolExecutor timer = find();
    private final Set<Runnable> known = new HashSet<>();

    private static ScheduledThreadPoolExecutor find() {
        try {
            Class<?> delayer = Class.forName(CompletableFuture.class.getName() + "$Delayer");
            Field field = delayer.getDeclaredField("delayer");
            field.setAccessible(true);
            return (ScheduledThreadPoolExecutor) field.get(null);
        } catch (ReflectiveOperationException missing) {
            throw new IllegalStateException("this JDK keeps its timer elsewhere", missing);
        }
    }

    /** Forgets everything, in the timer too. */
    void clear() {
        timer.getQueue().clear();
        known.clear();
    }

    /** What was put into the timer since this was last asked, in its order. */
    List<Runnable> added() {
        List<Runnable> fresh = new ArrayList<>(0);
        if (timer.getQueue().size() != known.size()) {
            Arrays.stream(timer.getQueue().toArray(new Runnable[0]))
                    .filter(known::add)
                    .sorted()
                    .forEach(fresh::add);
        }
        return fresh;
    }

    /** Runs one of them now, and takes it out of the timer. */
    void run(Runnable task) {
        timer.getQueue().remove(task);
        known.remove(task);
        task.run();
    }
}
