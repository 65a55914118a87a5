package evenkeel.pulsar.plugin;

import java.util.HashMap;
import java.util.Map;

/**
 * Moments that Pulsar keeps by the wall clock, in a trial in which a round is a minute: before Pulsar looks, each is
 * moved to where it would lie by now, half a minute late. A unit arrives that much after its unload was ordered.
 */
final class Remembered {
    private static final long MINUTE = 60_000;

    private final Map<String, Long> times;
    private final Map<String, Long> rounds = new HashMap<>();
    private final Map<String, Long> before = new HashMap<>();

    /** Pulsar's own map, which stays Pulsar's. */
    Remembered(Map<String, Long> times) {
        this.times = times;
        times.clear();
    }

    /** Pulsar is about to look in this round. */
    void putBack(long round) {
        long now = System.currentTimeMillis();
        times.replaceAll((name, at) -> now - (round - rounds.get(name)) * MINUTE + MINUTE / 2);
        before.clear();
        before.putAll(times);
    }

    /** Pulsar has looked: what it has written is of this round. */
    void note(long round) {
        times.forEach((name, at) -> {
            if (!at.equals(before.get(name))) {
                rounds.put(name, round);
            }
        });
    }
}
