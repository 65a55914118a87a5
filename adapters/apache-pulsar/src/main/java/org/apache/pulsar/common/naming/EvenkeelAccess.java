package org.apache.pulsar.common.naming;

/** Doors to what Pulsar shows only to its own package. */
public final class EvenkeelAccess {
    private EvenkeelAccess() {
    }

    /** {@link NamespaceBundles#getBundle(long)}: the bundle that holds a hash. */
    public static NamespaceBundle bundleOfHash(NamespaceBundles bundles, long hash) {
        return bundles.getBundle(hash);
    }

    /** The boundaries inside {@link NamespaceBundles}. */
    public static long[] boundariesOf(NamespaceBundles bundles) {
        return bundles.partitions;
    }
}
