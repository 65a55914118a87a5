package org.apache.pulsar.broker.service.persistent;

import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.pulsar.broker.service.Subscription;
import org.apache.pulsar.common.api.proto.KeySharedMeta;

/** Makes Pulsar's dispatcher of a segment that consumers share by entry buckets. */
public final class EntryBuckets {
    private EntryBuckets() {
    }

    /** A dispatcher whose first consumer declares these buckets. */
    public static AbstractPersistentDispatcherMultipleConsumers dispatcher(PersistentTopic topic, ManagedCursor cursor,
                                                                           Subscription subscription,
                                                                           KeySharedMeta declared) {
        return new PersistentEntryBucketDispatcherMultipleConsumers(topic, cursor, subscription,
                topic.getBrokerService().pulsar().getConfiguration(), declared);
    }
}
