package evenkeel.pulsar.standin;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.metadata.api.GetResult;
import org.apache.pulsar.metadata.api.MetadataEventSynchronizer;
import org.apache.pulsar.metadata.api.Option;
import org.apache.pulsar.metadata.api.Stat;

/** What a store must do for brokers that only hold locks; all operations have options since 5.0. */
public abstract class BareStore extends UnmeasuredStore {
    protected abstract CompletableFuture<Optional<GetResult>> read(String path);

    protected abstract CompletableFuture<Stat> createEphemeral(String path, byte[] value);

    protected abstract CompletableFuture<Void> remove(String path, Optional<Long> version);

    @Override
    protected CompletableFuture<Optional<GetResult>> storeGet(String path, Set<Option> options) {
        return read(path);
    }

    @Override
    protected CompletableFuture<Stat> storePut(String path, byte[] value, Optional<Long> version,
                                               Set<Option> options) {
        if (!version.equals(Optional.of(-1L)) || !options.equals(Set.of(Option.Ephemeral.INSTANCE))) {
            throw new UnsupportedOperationException("locks only make new ephemeral nodes");
        }
        return createEphemeral(path, value);
    }

    @Override
    protected CompletableFuture<Void> storeDelete(String path, Optional<Long> version, Set<Option> options) {
        return remove(path, version);
    }

    @Override
    protected CompletableFuture<Boolean> existsFromStore(String path, Set<Option> options) {
        throw new UnsupportedOperationException("nothing asks whether a node exists");
    }

    @Override
    public CompletableFuture<List<String>> getChildrenFromStore(String path, Set<Option> options) {
        throw new UnsupportedOperationException("nothing lists nodes");
    }

    @Override
    public Optional<MetadataEventSynchronizer> getMetadataEventSynchronizer() {
        return Optional.empty();
    }

    @Override
    public void updateMetadataEventSynchronizer(MetadataEventSynchronizer synchronizer) {
        throw new UnsupportedOperationException("nothing is synchronized");
    }
}
