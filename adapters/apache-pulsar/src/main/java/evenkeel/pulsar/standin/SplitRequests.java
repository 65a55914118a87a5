package evenkeel.pulsar.standin;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.apache.pulsar.client.admin.Namespaces;
import org.apache.pulsar.client.admin.PulsarAdmin;

/** An admin client that sends nothing: it notes the bundles whose split was requested. */
public final class SplitRequests {
    private final List<String> bundles = new ArrayList<>();
    private final PulsarAdmin admin;

    public SplitRequests() {
        Namespaces namespaces = standIn(Namespaces.class, (name, arguments) -> {
            if (!name.equals("splitNamespaceBundle")) {
                throw new UnsupportedOperationException("the stand-in admin client only splits, not " + name);
            }
            bundles.add(arguments[0] + "/" + arguments[1]);
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

    /** The full names of the bundles, in the order of the requests; the list may be cleared. */
    public List<String> bundles() {
        return bundles;
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
