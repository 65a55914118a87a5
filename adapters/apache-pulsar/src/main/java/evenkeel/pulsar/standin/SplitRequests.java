package evenkeel.pulsar.standin;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.pulsar.client.admin.Namespaces;
import org.apache.pulsar.client.admin.PulsarAdmin;

/** An admin client that sends nothing: it notes the bundles whose split was requested. */
public final class SplitRequests {
    private final List<String> bundles = new ArrayList<>();
    private final Set<String> unloading = new HashSet<>();
    private final PulsarAdmin admin;

    public SplitRequests() {
        Namespaces namespaces = standIn(Namespaces.class, (name, arguments) -> {
            if (!name.equals("splitNamespaceBundle")) {
                throw new UnsupportedOperationException("the stand-in admin client only splits, not " + name);
            }
            String bundle = arguments[0] + "/" + arguments[1];
            bundles.add(bundle);
            if ((Boolean) arguments[2]) {
                unloading.add(bundle);
            }
            return null;
        });
        admin = standIn(PulsarAdmin.class, (name, arguments) -> {
            if (!name.equals("namespaces")) {
                throw new UnsupportedOperationException("the stand-in admin client has no " + name);
            }
            return namespaces;
        });
    }

    public PulsarAdmin admin() {
        return admin;
    }

    /** The full names of the bundles, in the order of the requests. */
    public List<String> bundles() {
        return bundles;
    }

    /** The bundles of which the request asks that their children be unloaded. */
    public Set<String> unloading() {
        return unloading;
    }

    public void clear() {
        bundles.clear();
        unloading.clear();
    }

    private static <T> T standIn(Class<T> type, Call call) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
                (self, method, arguments) -> call.made(method.getName(), arguments)));
    }

    /** What happens when a method is called. */
    private interface Call {
        Object made(String name, Object[] arguments);
    }
}
