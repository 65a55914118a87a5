package evenkeel.pulsar.throttling;

import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.pulsar.broker.service.Subscription;
import org.apache.pulsar.broker.service.persistent.PersistentDispatcherMultipleConsumers;
import org.apache.pulsar.broker.service.persistent.PersistentTopic;

/** Pulsar's dispatcher of a shared subscription, which does not read by itself; since 5.0.1 what asks for reads is final. */
abstract class SteppedReads extends PersistentDispatcherMultipleConsumers {
    SteppedReads(ManagedCursor cursor, PersistentTopic topic, Subscription subscription) {
        super(topic, cursor, subscription);
    }

    /** What it would do by itself after each delivery, flow of permits and redelivery. */
    void step() {
        super.internalReadMoreEntries();
    }

    /** Whether what comes back now is dropped; the cursor is rewound when it reads again. */
    boolean drops() {
        return shouldRewindBeforeReadingOrReplaying;
    }

    @Override
    protected void internalReadMoreEntries() {
        // Only in a step.
    }
}
