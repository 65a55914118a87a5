package evenkeel.pulsar.ownership;

import evenkeel.pulsar.Private;
import java.lang.reflect.Method;
import org.apache.pulsar.broker.namespace.LookupOptions;
import org.apache.pulsar.broker.namespace.NamespaceService;
import org.apache.pulsar.common.naming.NamespaceBundle;

/** The lookups of a broker that are under way: one for a bundle or, in 4.2, for a bundle and options (#26245). */
final class Lookups {
    private static final Method KEY = key();

    private final Object finding;
    private final Method containsKey;

    Lookups(NamespaceService namespaces) {
        finding = Private.get(NamespaceService.class, namespaces, "findingBundlesNotAuthoritative");
        try {
            containsKey = finding.getClass().getMethod("containsKey", Object.class);
            containsKey.setAccessible(true);
        } catch (NoSuchMethodException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Whether one that is not authoritative waits for an answer that this one would share. */
    boolean underWay(NamespaceBundle bundle, LookupOptions options) {
        try {
            return (Boolean) containsKey.invoke(finding, KEY == null ? bundle : KEY.invoke(null, bundle, options));
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static Method key() {
        for (Class<?> inner : NamespaceService.class.getDeclaredClasses()) {
            if (inner.getSimpleName().equals("LookupRequestKey")) {
                return Private.method(inner, "from", NamespaceBundle.class, LookupOptions.class);
            }
        }
        return null;
    }
}
