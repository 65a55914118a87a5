package evenkeel.pulsar.throttling;

import com.fasterxml.jackson.databind.JsonNode;
import evenkeel.pulsar.Private;
import org.apache.pulsar.broker.service.BrokerService;
import org.apache.pulsar.broker.service.persistent.DispatchRateLimiter;
import org.apache.pulsar.broker.service.persistent.DispatchRateLimiterFactory;
import org.apache.pulsar.broker.service.persistent.DispatchRateLimiterFactoryAsyncTokenBucket;
import org.apache.pulsar.broker.service.persistent.DispatchRateLimiterFactoryClassic;
import org.apache.pulsar.broker.service.persistent.PersistentTopic;

/** Dispatch limiters of the mechanism that a trial asks for: since 3.3 there are two, each with a factory. */
final class Limiters {
    private Limiters() {
    }

    /** The broker's limiters are of the trial's mechanism from now on. */
    static void use(BrokerService service, JsonNode trial) {
        Private.set(BrokerService.class, service, "dispatchRateLimiterFactory", factory(trial));
    }

    /** The limiter of a topic. */
    static DispatchRateLimiter of(PersistentTopic topic, JsonNode trial) {
        return factory(trial).createTopicDispatchRateLimiter(topic);
    }

    /** The limiter of one of a topic's subscriptions. */
    static DispatchRateLimiter ofSubscription(PersistentTopic topic, String name) {
        return new DispatchRateLimiterFactoryAsyncTokenBucket().createSubscriptionDispatchRateLimiter(topic, name);
    }

    /** The limiter of one of a topic's replicators. */
    static DispatchRateLimiter ofReplicator(PersistentTopic topic, String cluster) {
        return new DispatchRateLimiterFactoryAsyncTokenBucket().createReplicatorDispatchRateLimiter(topic, cluster);
    }

    static void charge(DispatchRateLimiter limiter, long messages, long bytes) {
        limiter.consumeDispatchQuota(messages, bytes);
    }

    private static DispatchRateLimiterFactory factory(JsonNode trial) {
        return Rates.isBucket(trial)
                ? new DispatchRateLimiterFactoryAsyncTokenBucket()
                : new DispatchRateLimiterFactoryClassic();
    }
}
