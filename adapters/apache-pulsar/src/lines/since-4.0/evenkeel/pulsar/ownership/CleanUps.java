package evenkeel.pulsar.ownership;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The load manager's executor of one broker, in which the channel runs its clean-ups. They come through the JDK's
 * timer: those without delay a moment later and from its thread, the others when {@link TimedFutures} runs them.
 */
final class CleanUps extends Inline {
    private static final long PATIENCE_SECONDS = 20;

    private final BlockingQueue<Runnable> arrived = new LinkedBlockingQueue<>();
    private final Map<String, Runnable> ready = new LinkedHashMap<>();
    private final Map<String, Runnable> late = new LinkedHashMap<>();
    private final Map<String, Long> due = new LinkedHashMap<>();

    @Override
    public void execute(Runnable command) {
        arrived.add(command);
    }

    /** The clean-ups after brokers that this broker has in mind now, one of them new perhaps. */
    void note(Map<String, CompletableFuture<Void>> jobs, TimedFutures timers, long now, long delay) {
        due.keySet().retainAll(jobs.keySet());
        ready.keySet().retainAll(jobs.keySet());
        late.keySet().retainAll(jobs.keySet());
        for (String broker : new ArrayList<>(jobs.keySet())) {
            if (!due.containsKey(broker)) {
                due.put(broker, now + delay);
                if (delay == 0) {
                    timers.runDue();
                    ready.put(broker, take());
                } else {
                    late.put(broker, timers.added().get(0));
                }
            }
        }
    }

    private Runnable take() {
        try {
            Runnable task = arrived.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (task == null) {
                throw new IllegalStateException("a clean-up that was due at once has not come");
            }
            return task;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(stopped);
        }
    }

    /** Runs what is due; whether anything was. */
    boolean run(TimedFutures timers, long now, Runnable before) {
        List<String> brokers = new ArrayList<>();
        due.forEach((broker, time) -> {
            if (time <= now) {
                brokers.add(broker);
            }
        });
        for (String broker : brokers) {
            due.remove(broker);
            Runnable task = ready.remove(broker);
            if (task == null) {
                timers.run(late.remove(broker));
                task = take();
            }
            before.run();
            task.run();
        }
        return !brokers.isEmpty();
    }
}
