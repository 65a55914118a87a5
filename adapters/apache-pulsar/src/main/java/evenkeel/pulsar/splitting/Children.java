package evenkeel.pulsar.splitting;

import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.pulsar.broker.namespace.NamespaceBundleOwnershipListener;
import org.apache.pulsar.common.naming.NamespaceBundle;

/** Notes the bundles that the broker takes into its ownership: during a split, the children. */
final class Children implements NamespaceBundleOwnershipListener {
    private final Set<NamespaceBundle> bundles = new LinkedHashSet<>();

    void clear() {
        bundles.clear();
    }

    Set<NamespaceBundle> bundles() {
        return bundles;
    }

    @Override
    public boolean test(NamespaceBundle bundle) {
        return true;
    }

    @Override
    public void onLoad(NamespaceBundle bundle) {
        bundles.add(bundle);
    }

    @Override
    public void unLoad(NamespaceBundle bundle) {
        // Losing the parent is part of a split.
    }
}
