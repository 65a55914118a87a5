package evenkeel.pulsar.shedding;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.apache.pulsar.broker.loadbalance.extensions.store.LoadDataStore;

/** A store of load data that lists what the trial says, in the trial's order; nothing is published. */
public final class ListedLoads<T> implements LoadDataStore<T> {
    private final Map<String, T> entries = new LinkedHashMap<>();
    private long readAt;

    public void clear() {
        entries.clear();
        readAt = 0;
    }

    /** When the entries were first listed since they were cleared; 0 if they were not. */
    long readAt() {
        return readAt;
    }

    public void put(String key, T loadData) {
        entries.put(key, loadData);
    }

    @Override
    public CompletableFuture<Void> pushAsync(String key, T loadData) {
        entries.put(key, loadData);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Void> removeAsync(String key) {
        entries.remove(key);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public Optional<T> get(String key) {
        return Optional.ofNullable(entries.get(key));
    }

    @Override
    public void forEach(BiConsumer<String, T> action) {
        entries.forEach(action);
    }

    @Override
    public Set<Map.Entry<String, T>> entrySet() {
        if (readAt == 0) {
            readAt = System.currentTimeMillis();
        }
        return entries.entrySet();
    }

    @Override
    public int size() {
        return entries.size();
    }

    @Override
    public void closeTableView() {
        // There is no topic behind it.
    }

    @Override
    public void start() {
        // There is no topic behind it.
    }

    @Override
    public void init() {
        // There is no topic behind it.
    }

    @Override
    public void startTableView() {
        // There is no topic behind it.
    }

    @Override
    public void startProducer() {
        // There is no topic behind it.
    }

    @Override
    public void close() {
        // There is no topic behind it.
    }
}
