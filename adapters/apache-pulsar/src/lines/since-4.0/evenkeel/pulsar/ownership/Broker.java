package evenkeel.pulsar.ownership;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.pulsar.broker.PulsarServerException;
import org.apache.pulsar.common.naming.NamespaceBundle;
import org.apache.pulsar.metadata.api.extended.SessionEvent;

/** A broker's process: its channel, and what is under way around it. */
final class Broker {
    final Cluster cluster;
    final String name;
    final RealChannel channel;
    /** Sets itself when the channel starts, which since 4.2 may write at once. */
    View view;
    final CleanUps cleanUps = new CleanUps();
    final Set<String> serves = new HashSet<>();
    final List<Work> works = new ArrayList<>();
    final Deque<String> told = new ArrayDeque<>();
    final Deque<Seen> notices = new ArrayDeque<>();
    final Map<Integer, CompletableFuture<?>> waiting = new LinkedHashMap<>();
    final Map<Runnable, Long> timeouts = new LinkedHashMap<>();
    Consumer<SessionEvent> session;
    boolean alive = true;
    boolean registered = true;
    boolean connected = true;
    boolean disabled;
    long stableFrom = -10 * Cluster.STABLE_AFTER;
    int position;

    /** A registration that came or went. */
    record Seen(String broker, boolean present) {
    }

    /** Topics being closed, or, without a bundle's hashes, a range being divided. */
    static final class Work {
        final String key;
        final boolean divides;
        final long begun;
        final Set<String> closes;
        final CompletableFuture<?> done;
        final Runnable success;

        Work(String key, boolean divides, long begun, Set<String> closes, CompletableFuture<?> done,
             Runnable success) {
            this.key = key;
            this.divides = divides;
            this.begun = begun;
            this.closes = closes;
            this.done = done;
            this.success = success;
        }
    }

    Broker(Cluster cluster, String name) {
        this.cluster = cluster;
        this.name = name;
        channel = new RealChannel(ChannelPulsar.create(this, cluster.resources), this);
        cluster.brokers.put(name, this);
        if (cluster.starts) {
            start();
        }
    }

    /** The channel reads the records. */
    void start() {
        try {
            channel.start();
        } catch (PulsarServerException failed) {
            throw new IllegalStateException(failed);
        }
    }

    CompletableFuture<Integer> beginClosing(NamespaceBundle bundle) {
        CompletableFuture<Integer> done = new CompletableFuture<>();
        works.add(new Work(bundle.toString(), false, cluster.now, new HashSet<>(Ranges.halves(bundle)), done,
                () -> done.complete(0)));
        return done;
    }

    CompletableFuture<Void> beginDividing() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        works.add(new Work(Ranges.KEYS.get(0), true, cluster.now, Set.of(), done, () -> done.complete(null)));
        return done;
    }

    /** The clients of a bundle come; topics that they open now are not among those being closed. */
    void open(NamespaceBundle bundle) {
        List<String> halves = Ranges.halves(bundle);
        serves.addAll(halves);
        for (Work work : works) {
            if (!work.divides) {
                work.closes.removeAll(halves);
            }
        }
    }

    /** A work ends; what follows is the channel's. */
    void end(Work work, boolean fails) {
        works.remove(work);
        serves.removeAll(work.closes);
        if (fails || work.divides && !connected) {
            work.done.completeExceptionally(new IllegalStateException("the work failed"));
        } else {
            if (work.divides) {
                cluster.divided = true;
            }
            work.success.run();
        }
    }

    /** The channel's clock of the session, moved to where virtual time wants it. */
    void settleSessionClock() {
        channel.sessionEventAt(cluster.realTimeOf(stableFrom));
    }

    /** After the channel may have planned clean-ups. */
    void noteCleanUps() {
        boolean stable = cluster.now > stableFrom + Cluster.STABLE_AFTER;
        cleanUps.note(channel.cleanUpJobs(), cluster.timers, cluster.now, stable ? 0 : Cluster.STABLE_AFTER);
    }
}
