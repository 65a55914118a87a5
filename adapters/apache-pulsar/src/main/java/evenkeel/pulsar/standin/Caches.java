package evenkeel.pulsar.standin;

import com.github.benmanes.caffeine.cache.AsyncLoadingCache;
import evenkeel.pulsar.Private;
import java.util.concurrent.Executor;

/** Makes Pulsar's caches tidy themselves up at once, instead of waking another thread for it on every write. */
public final class Caches {
    private static final Executor AT_ONCE = Runnable::run;

    private Caches() {
    }

    /** Sets the executor of a cache with a limit or an expiry; other caches have nothing to tidy up. */
    public static void tidyAtOnce(AsyncLoadingCache<?, ?> cache) {
        Object inner = Private.get(cache.getClass(), cache, "cache");
        for (Class<?> type = inner.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getSimpleName().equals("BoundedLocalCache")) {
                Private.set(type, inner, "executor", AT_ONCE);
            }
        }
    }

    /** Empties a cache; looking first is cheaper than emptying an empty one. */
    static void clear(AsyncLoadingCache<?, ?> cache) {
        if (!cache.asMap().isEmpty()) {
            cache.synchronous().invalidateAll();
        }
    }
}
