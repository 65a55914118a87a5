package evenkeel.pulsar.throttling;

import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.pulsar.broker.PulsarServerException;
import org.apache.pulsar.broker.service.BrokerService;
import org.apache.pulsar.broker.service.persistent.GeoPersistentReplicator;
import org.apache.pulsar.broker.service.persistent.PersistentTopic;
import org.apache.pulsar.client.impl.PulsarClientImpl;

/** Pulsar's replicator of a topic; since 4.2 it may administer the other cluster. */
class ReplicatorOfLine extends GeoPersistentReplicator {
    ReplicatorOfLine(PersistentTopic topic, ManagedCursor cursor, BrokerService service, PulsarClientImpl client)
            throws PulsarServerException {
        super(topic, cursor, "here", "there", service, client, null);
    }
}
