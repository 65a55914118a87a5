package org.apache.pulsar.broker.service.persistent;

import java.util.function.LongConsumer;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.commons.lang3.tuple.Pair;
import org.apache.pulsar.broker.service.Subscription;

/** Pulsar's dispatcher of a Key_Shared subscription as it was before 4.0, step by step. */
public final class SteppedStickyKeyClassic extends PersistentStickyKeyDispatcherMultipleConsumersClassic {
    private final Runnable noQuota;
    private final LongConsumer bytesToRead;

    /**
     * {@code noQuota} is told when the dispatcher finds a quota used up, {@code bytesToRead} how many bytes it may
     * read, which it does not tell the cursor where it reads again.
     */
    public SteppedStickyKeyClassic(PersistentTopic topic, ManagedCursor cursor, Subscription subscription,
            Runnable noQuota, LongConsumer bytesToRead) {
        super(topic, cursor, subscription, topic.getBrokerService().pulsar().getConfiguration(),
                SteppedStickyKey.POLICY);
        this.noQuota = noQuota;
        this.bytesToRead = bytesToRead;
    }

    /** The same, which reads by itself, as in a broker. */
    public static AbstractPersistentDispatcherMultipleConsumers whole(PersistentTopic topic, ManagedCursor cursor,
                                                                      Subscription subscription,
                                                                      boolean isOutOfOrder) {
        return new PersistentStickyKeyDispatcherMultipleConsumersClassic(topic, cursor, subscription,
                topic.getBrokerService().pulsar().getConfiguration(), SteppedStickyKey.policy(isOutOfOrder));
    }

    @Override
    protected Pair<Integer, Long> calculateToRead(int permits) {
        Pair<Integer, Long> limits = super.calculateToRead(permits);
        bytesToRead.accept(limits.getRight());
        return limits;
    }

    @Override
    protected void reScheduleRead() {
        noQuota.run();
        super.reScheduleRead();
    }
}
