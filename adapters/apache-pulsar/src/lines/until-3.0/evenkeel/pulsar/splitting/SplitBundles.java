package evenkeel.pulsar.splitting;

import evenkeel.pulsar.standin.World;
import java.util.ArrayList;
import java.util.List;
import org.apache.pulsar.common.naming.NamespaceBundle;
import org.apache.pulsar.common.naming.NamespaceName;

/** The bundles that are stored no more: until 3.0 the broker tells nobody that it has split one. */
final class SplitBundles {
    private final World world;
    private NamespaceName namespace;
    private List<NamespaceBundle> before;

    private SplitBundles(World world) {
        this.world = world;
    }

    static SplitBundles in(World world) {
        return new SplitBundles(world);
    }

    /** From now on: what is split in this namespace. */
    void begin(NamespaceName given) {
        namespace = given;
        before = stored();
    }

    /** The bundle that was split, or null if none was. */
    NamespaceBundle only() {
        List<NamespaceBundle> gone = new ArrayList<>(before);
        gone.removeAll(stored());
        if (gone.size() > 1) {
            throw new IllegalStateException("one request split " + gone);
        }
        return gone.isEmpty() ? null : gone.get(0);
    }

    private List<NamespaceBundle> stored() {
        List<Long> boundaries = World.boundaries(world.localPolicies(namespace).bundles);
        List<NamespaceBundle> bundles = new ArrayList<>(boundaries.size());
        for (int index = 1; index < boundaries.size(); index++) {
            bundles.add(world.bundle(namespace, boundaries.get(index - 1), boundaries.get(index)));
        }
        return bundles;
    }
}
