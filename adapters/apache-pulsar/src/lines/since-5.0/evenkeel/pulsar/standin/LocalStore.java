package evenkeel.pulsar.standin;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.metadata.api.GetResult;
import org.apache.pulsar.metadata.api.MetadataStoreConfig;
import org.apache.pulsar.metadata.api.MetadataStoreException;
import org.apache.pulsar.metadata.api.Option;
import org.apache.pulsar.metadata.api.Stat;
import org.apache.pulsar.metadata.impl.LocalMemoryMetadataStore;

/** Pulsar's store in memory, with a look at what is stored and a hook before each write; all operations have options since 5.0. */
public abstract class LocalStore extends LocalMemoryMetadataStore {
    protected LocalStore() throws MetadataStoreException {
        super("memory:local", MetadataStoreConfig.builder().metadataStoreName("evenkeel").build());
    }

    protected abstract void beforeWrite(String path, Optional<Long> version);

    /** What the store itself has there, past its caches. */
    CompletableFuture<Optional<GetResult>> stored(String path) {
        return storeGet(path, Set.of());
    }

    @Override
    public CompletableFuture<Stat> storePut(String path, byte[] data, Optional<Long> version,
                                            Set<Option> options) {
        beforeWrite(path, version);
        return super.storePut(path, data, version, options);
    }
}
