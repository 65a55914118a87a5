package evenkeel.pulsar.throttling;

import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.pulsar.broker.service.Subscription;
import org.apache.pulsar.broker.service.persistent.PersistentDispatcherMultipleConsumers;
import org.apache.pulsar.broker.service.persistent.PersistentTopic;

/** Pulsar's dispatcher of a shared subscription, step by step. */
final class SteppedMultipleConsumers extends PersistentDispatcherMultipleConsumers {
    private final Runnable noQuota;

    /** {@code noQuota} is told when the dispatcher finds a quota used up. */
    SteppedMultipleConsumers(PersistentTopic topic, ManagedCursor cursor, Subscription subscription,
                             Runnable noQuota) {
        super(topic, cursor, subscription);
        this.noQuota = noQuota;
    }

    @Override
    protected void reScheduleRead() {
        noQuota.run();
        super.reScheduleRead();
    }

    @Override
    protected void reScheduleReadWithBackoff() {
        // It would read by itself, after a delivery that found no permits.
    }
}
