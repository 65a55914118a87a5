package evenkeel.pulsar.throttling;

import evenkeel.pulsar.Private;
import java.util.Optional;
import org.apache.pulsar.broker.service.persistent.PersistentDispatcherMultipleConsumers;
import org.apache.pulsar.broker.service.persistent.PersistentTopic;

/** Dispatchers that were never started. */
final class Dispatchers {
    private Dispatchers() {
    }

    /** A dispatcher of many consumers with nothing but its topic, and no limiter yet. */
    static PersistentDispatcherMultipleConsumers unstarted(PersistentTopic topic) {
        PersistentDispatcherMultipleConsumers dispatcher =
                Private.allocate(PersistentDispatcherMultipleConsumers.class);
        Private.set(PersistentDispatcherMultipleConsumers.class, dispatcher, "topic", topic);
        Private.set(PersistentDispatcherMultipleConsumers.class, dispatcher, "dispatchRateLimiter", Optional.empty());
        return dispatcher;
    }
}
