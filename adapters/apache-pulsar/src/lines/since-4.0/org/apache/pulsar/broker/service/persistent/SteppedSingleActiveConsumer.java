package org.apache.pulsar.broker.service.persistent;

import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.pulsar.broker.service.Subscription;
import org.apache.pulsar.common.api.proto.CommandSubscribe.SubType;

/** Pulsar's dispatcher of an exclusive consumer, step by step. */
public final class SteppedSingleActiveConsumer extends PersistentDispatcherSingleActiveConsumer {
    private final Runnable noQuota;

    /** {@code noQuota} is told when the dispatcher finds a quota used up. */
    public SteppedSingleActiveConsumer(ManagedCursor cursor, PersistentTopic topic, Subscription subscription,
                                       Runnable noQuota) {
        super(cursor, SubType.Exclusive, -1, topic, subscription);
        this.noQuota = noQuota;
    }

    /** What it would do by itself after each write, flow of permits and redelivery. */
    public void step() {
        readMoreEntries(getActiveConsumer());
    }

    @Override
    protected void reScheduleRead() {
        noQuota.run();
        super.reScheduleRead();
    }
}
