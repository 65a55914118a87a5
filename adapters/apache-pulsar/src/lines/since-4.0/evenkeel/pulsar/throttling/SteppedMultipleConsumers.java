package evenkeel.pulsar.throttling;

import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.bookkeeper.mledger.Position;
import org.apache.pulsar.broker.service.Subscription;
import org.apache.pulsar.broker.service.persistent.PersistentDispatcherMultipleConsumers;
import org.apache.pulsar.broker.service.persistent.PersistentTopic;

/** Pulsar's dispatcher of a shared subscription, which does not read by itself. */
final class SteppedMultipleConsumers extends PersistentDispatcherMultipleConsumers {
    private final Runnable noQuota;

    /** {@code noQuota} is told when the dispatcher finds a quota used up. */
    SteppedMultipleConsumers(ManagedCursor cursor, PersistentTopic topic, Subscription subscription,
                             Runnable noQuota) {
        super(topic, cursor, subscription);
        this.noQuota = noQuota;
    }

    /** What it would do by itself after each delivery, flow of permits and redelivery. */
    void step() {
        super.readMoreEntries();
    }

    /** The first entry that waits to be delivered again, or that is being read for it; else this. */
    long firstToReplay(long none) {
        return getFirstPositionInReplay().map(Position::getEntryId).orElse(none);
    }

    @Override
    public void readMoreEntries() {
        // Only in a step.
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
