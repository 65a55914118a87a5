package org.apache.pulsar.broker.service.persistent;

import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.pulsar.broker.service.Subscription;
import org.apache.pulsar.common.api.proto.KeySharedMeta;
import org.apache.pulsar.common.api.proto.KeySharedMode;

/** Pulsar's dispatcher of a Key_Shared subscription, step by step. */
public final class SteppedStickyKey extends PersistentStickyKeyDispatcherMultipleConsumers {
    /** What a client's policy is by default. */
    static final KeySharedMeta POLICY = policy(false);
    private final Runnable noQuota;

    /** {@code noQuota} is told when the dispatcher finds a quota used up. */
    public SteppedStickyKey(PersistentTopic topic, ManagedCursor cursor, Subscription subscription,
                            Runnable noQuota) {
        super(topic, cursor, subscription, topic.getBrokerService().pulsar().getConfiguration(), POLICY);
        this.noQuota = noQuota;
    }

    /** The same, which reads by itself, as in a broker. */
    public static AbstractPersistentDispatcherMultipleConsumers whole(PersistentTopic topic, ManagedCursor cursor,
                                                                      Subscription subscription,
                                                                      boolean isOutOfOrder) {
        return new PersistentStickyKeyDispatcherMultipleConsumers(topic, cursor, subscription,
                topic.getBrokerService().pulsar().getConfiguration(), policy(isOutOfOrder));
    }

    static KeySharedMeta policy(boolean isOutOfOrder) {
        return new KeySharedMeta().setKeySharedMode(KeySharedMode.AUTO_SPLIT)
                .setAllowOutOfOrderDelivery(isOutOfOrder);
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
