package evenkeel.pulsar.throttling;

import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.bookkeeper.mledger.Position;
import org.apache.pulsar.broker.service.Subscription;
import org.apache.pulsar.broker.service.persistent.PersistentTopic;

/** Pulsar's dispatcher of a shared subscription, step by step. */
final class SteppedMultipleConsumers extends SteppedReads {
    private final Runnable noQuota;

    /** {@code noQuota} is told when the dispatcher finds a quota used up. */
    SteppedMultipleConsumers(ManagedCursor cursor, PersistentTopic topic, Subscription subscription,
                             Runnable noQuota) {
        super(cursor, topic, subscription);
        this.noQuota = noQuota;
    }

    /** The first entry that waits to be delivered again, or that is being read for it; else this. */
    long firstToReplay(long none) {
        return getFirstPositionInReplay().map(Position::getEntryId).orElse(none);
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
