package evenkeel.pulsar.standin;

import com.github.benmanes.caffeine.cache.AsyncLoadingCache;
import evenkeel.pulsar.Private;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.pulsar.metadata.api.MetadataStoreException;
import org.apache.pulsar.metadata.cache.impl.MetadataCacheImpl;
import org.apache.pulsar.metadata.impl.AbstractMetadataStore;
import org.apache.pulsar.metadata.impl.LocalMemoryMetadataStore;

/**
 * Pulsar's own in-memory metadata store, made deterministic: its executor runs inline, so that notifications
 * reach every cache before a write returns. It can be emptied, and it can let rivals write just before a
 * conditional write of local policies.
 */
public final class MemoryStore extends LocalStore {
    private static final String LOCAL_POLICIES = "/admin/local-policies/";

    private final Map<String, ?> nodes = Private.get(LocalMemoryMetadataStore.class, this, "map");
    private final List<MetadataCacheImpl<?>> metadataCaches =
            Private.get(AbstractMetadataStore.class, this, "metadataCaches");
    private final List<AsyncLoadingCache<?, ?>> caches = new ArrayList<>();
    private Runnable beforeConditionalWrite;

    private MemoryStore() throws MetadataStoreException {
        // The exception is why the constructor is written down.
    }

    static MemoryStore create(Tasks tasks) {
        try {
            MemoryStore store = new MemoryStore();
            StoreThreads.replace(store, tasks);
            return store;
        } catch (MetadataStoreException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Finds the caches over this store; to be called again when something has made more of them. */
    public void findCaches() {
        caches.clear();
        caches.add(Private.get(AbstractMetadataStore.class, this, "childrenCache"));
        caches.add(Private.get(AbstractMetadataStore.class, this, "existsCache"));
        for (MetadataCacheImpl<?> cache : metadataCaches) {
            caches.add(Private.get(MetadataCacheImpl.class, cache, "objCache"));
        }
        caches.forEach(Caches::tidyAtOnce);
    }

    /** What happens before each conditional write of local policies; null for nothing. */
    public void beforeConditionalWrite(Runnable action) {
        beforeConditionalWrite = action;
    }

    /** Empties the store and its caches. */
    public void clear() {
        beforeConditionalWrite = null;
        nodes.clear();
        forget();
    }

    /** Empties the caches. */
    public void forget() {
        caches.forEach(Caches::clear);
    }

    @Override
    protected void beforeWrite(String path, Optional<Long> version) {
        if (beforeConditionalWrite != null && path.startsWith(LOCAL_POLICIES)
                && version.isPresent() && version.get() >= 0) {
            beforeConditionalWrite.run();
        }
    }
}
