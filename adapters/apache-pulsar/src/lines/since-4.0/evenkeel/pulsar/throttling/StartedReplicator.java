package evenkeel.pulsar.throttling;

import java.util.Optional;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.pulsar.broker.PulsarServerException;
import org.apache.pulsar.broker.service.BrokerService;
import org.apache.pulsar.broker.service.persistent.DispatchRateLimiter;
import org.apache.pulsar.broker.service.persistent.PersistentTopic;
import org.apache.pulsar.client.impl.ProducerImpl;
import org.apache.pulsar.client.impl.PulsarClientImpl;

/** Pulsar's replicator of a topic, whose producer is given. */
final class StartedReplicator extends ReplicatorOfLine {
    StartedReplicator(PersistentTopic topic, ManagedCursor cursor, BrokerService service, PulsarClientImpl client)
            throws PulsarServerException {
        super(topic, cursor, service, client);
    }

    @Override
    public void startProducer() {
        // It is given.
    }

    /** It has this producer and this limiter, and begins to read. */
    void begin(ProducerImpl<byte[]> given, DispatchRateLimiter limiter) {
        dispatchRateLimiter = Optional.of(limiter);
        STATE_UPDATER.set(this, State.Starting);
        setProducerAndTriggerReadEntries(given);
    }
}
