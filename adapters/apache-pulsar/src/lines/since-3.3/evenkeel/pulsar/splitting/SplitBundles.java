package evenkeel.pulsar.splitting;

import evenkeel.pulsar.standin.World;
import java.util.ArrayList;
import java.util.List;
import org.apache.pulsar.broker.namespace.NamespaceBundleSplitListener;
import org.apache.pulsar.common.naming.NamespaceBundle;
import org.apache.pulsar.common.naming.NamespaceName;

/** Notes the bundles that the broker says it has split. */
final class SplitBundles implements NamespaceBundleSplitListener {
    private final List<NamespaceBundle> bundles = new ArrayList<>();

    private SplitBundles() {
    }

    static SplitBundles in(World world) {
        SplitBundles splits = new SplitBundles();
        world.namespaces.addNamespaceBundleSplitListener(splits);
        return splits;
    }

    /** From now on: what is split in this namespace. */
    void begin(NamespaceName namespace) {
        bundles.clear();
    }

    /** The bundle that was split, or null if none was. */
    NamespaceBundle only() {
        if (bundles.size() > 1) {
            throw new IllegalStateException("one request split " + bundles);
        }
        return bundles.isEmpty() ? null : bundles.get(0);
    }

    @Override
    public boolean test(NamespaceBundle bundle) {
        return true;
    }

    @Override
    public void onSplit(NamespaceBundle bundle) {
        bundles.add(bundle);
    }
}
