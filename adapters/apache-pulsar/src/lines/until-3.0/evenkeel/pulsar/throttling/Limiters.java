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

    static void charge(DispatchRateLimiter limiter, long messages, long bytes) {
        limiter.tryDispatchPermit(messages, bytes);
    }
}
