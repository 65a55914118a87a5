package evenkeel.pulsar.throttling;

import com.fasterxml.jackson.databind.JsonNode;
import org.apache.pulsar.broker.service.BrokerService;
import org.apache.pulsar.broker.service.persistent.DispatchRateLimiter;
import org.apache.pulsar.broker.service.persistent.PersistentTopic;

/** Dispatch limiters: until 3.0 they are period counters, later called classic, whatever the trial asks for. */
final class Limiters {
    private Limiters() {
    }

    /** Nothing to choose; an unknown mechanism is still an error. */
    static void use(BrokerService service, JsonNode trial) {
        Rates.isBucket(trial);
    }

    /** The limiter of a topic. */
    static DispatchRateLimiter of(PersistentTopic topic, JsonNode trial) {
        Rates.isBucket(trial);
        return new DispatchRateLimiter(topic, DispatchRateLimiter.Type.TOPIC);
    }

    /** The limiter of one of a topic's subscriptions. */
    static DispatchRateLimiter ofSubscription(PersistentTopic topic, String name) {
        return new DispatchRateLimiter(topic, name, DispatchRateLimiter.Type.SUBSCRIPTION);
    }

    /** The limiter of a topic's replicators. */
    static DispatchRateLimiter ofReplicator(PersistentTopic topic, String cluster) {
        return new DispatchRateLimiter(topic, DispatchRateLimiter.Type.REPLICATOR);
    }

    static void charge(DispatchRateLimiter limiter, long messages, long bytes) {
        limiter.tryDispatchPermit(messages, bytes);
    }
}
