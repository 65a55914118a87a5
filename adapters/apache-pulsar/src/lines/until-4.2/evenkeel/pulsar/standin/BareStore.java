package evenkeel.pulsar.standin;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.metadata.api.GetResult;
import org.apache.pulsar.metadata.api.MetadataEventSynchronizer;
import org.apache.pulsar.metadata.api.Stat;
import org.apache.pulsar.metadata.api.extended.CreateOption;

/** What a store must do for brokers that only hold locks; only a write has options until 4.2. */
public abstract class BareStore extends UnmeasuredStore {
    protected abstract CompletableFuture<Optional<GetResult>> read(String path);

    protected abstract CompletableFuture<Stat> createEphemeral(String path, byte[] value);

    protected abstract CompletableFuture<Void> remove(String path, Optional<Long> version);

    @Override
    protected CompletableFuture<Optional<GetResult>> storeGet(String path) {
        return read(path);
    }

    @Override
    protected CompletableFuture<Stat> storePut(String path, byte[] value, Optional<Long> version,
                                               EnumSet<CreateOption> options) {
        if (!version.equals(Optional.of(-1L)) || !options.equals(EnumSet.of(CreateOption.Ephemeral))) {
            throw new UnsupportedOperationException("locks only make new ephemeral nodes");
        }
        return createEphemeral(path, value);
    }

    @Override
    protected CompletableFuture<Void> storeDelete(String path, Optional<Long> version) {
        return remove(path, version);
    }

    @Override
    protected CompletableFuture<Boolean> existsFromStore(String path) {
        throw new UnsupportedOperationException("nothing asks whether a node exists");
    }

    @Override
    public CompletableFuture<List<String>> getChildrenFromStore(String path) {
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
