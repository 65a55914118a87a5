package org.apache.pulsar.client.impl;

/** The door to {@link EntryBucketBatchContainer}, by which a producer divides its batches. */
public final class EvenkeelBuckets {
    private EvenkeelBuckets() {
    }

    /** The entry bucket of a hash. */
    public static int of(int[] splits, int hash) {
        return EntryBucketBatchContainer.bucketOf(splits, hash);
    }
}
