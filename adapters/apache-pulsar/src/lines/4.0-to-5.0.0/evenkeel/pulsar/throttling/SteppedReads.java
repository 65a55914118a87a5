package evenkeel.pulsar.throttling;

import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.pulsar.broker.service.Subscription;
import org.apache.pulsar.broker.service.persistent.PersistentDispatcherMultipleConsumers;
import org.apache.pulsar.broker.service.persistent.PersistentTopic;

/** Pulsar's dispatcher of a shared subscription, which does not read by itself. */
abstract class SteppedReads extends PersistentDispatcherMultipleConsumers {
    SteppedReads(ManagedCursor cursor, PersistentTopic topic, Subscription subscription) {
        super(topic, cursor, subscription);
    }

    /** What it would do by itself after each delivery, flow of permits and redelivery. */
    void step() {
        super.readMoreEntries();
    }

    /** Whether what comes back now is dropped, without the cursor being rewound at once. */
    boolean drops() {
        return false;
    }

    @Override
    public void readMoreEntries() {
        // Only in a step.
    }
}
