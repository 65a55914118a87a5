package evenkeel.pulsar.ownership;

import evenkeel.pulsar.Private;
import evenkeel.pulsar.standin.BareStore;
import evenkeel.pulsar.standin.Caches;
import evenkeel.pulsar.standin.StoreThreads;
import evenkeel.pulsar.standin.Tasks;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.pulsar.metadata.api.GetResult;
import org.apache.pulsar.metadata.api.MetadataStoreException;
import org.apache.pulsar.metadata.api.MetadataStoreException.BadVersionException;
import org.apache.pulsar.metadata.api.MetadataStoreException.NotFoundException;
import org.apache.pulsar.metadata.api.Notification;
import org.apache.pulsar.metadata.api.NotificationType;
import org.apache.pulsar.metadata.api.Stat;
import org.apache.pulsar.metadata.api.extended.SessionEvent;
import org.apache.pulsar.metadata.cache.impl.MetadataCacheImpl;
import org.apache.pulsar.metadata.impl.AbstractMetadataStore;

/**
 * One broker process's client of the metadata store, with Pulsar's own caches and listeners. Operations on
 * bundles' nodes and notifications wait until they are told to happen; registrations are read at once.
 */
final class LockStore extends BareStore {
    private static final String LOCKS = "/namespace/";

    private final LockNodes nodes;
    private final Function<String, Optional<byte[]>> registrations;
    private final Map<String, ArrayDeque<Operation<?>>> operations = new HashMap<>();
    private final Map<String, ArrayDeque<NotificationType>> notifications = new HashMap<>();
    private int session;
    private boolean connected = true;
    private boolean expired;

    private LockStore(LockNodes nodes, Function<String, Optional<byte[]>> registrations) {
        this.nodes = nodes;
        this.registrations = registrations;
        this.session = nodes.newSession();
    }

    static LockStore create(LockNodes nodes, Tasks tasks, Function<String, Optional<byte[]>> registrations) {
        LockStore store = new LockStore(nodes, registrations);
        StoreThreads.replace(store, tasks);
        nodes.watch(store);
        return store;
    }

    /** Lets every cache over this store tidy up at once; to be called when all of them are made. */
    void tidyCaches() {
        List<MetadataCacheImpl<?>> caches = Private.get(AbstractMetadataStore.class, this, "metadataCaches");
        for (MetadataCacheImpl<?> cache : caches) {
            Caches.tidyAtOnce(Private.get(MetadataCacheImpl.class, cache, "objCache"));
        }
    }

    // ------------------------------------------------------------------------------ sessions

    int session() {
        return session;
    }

    boolean expired() {
        return expired;
    }

    boolean lives() {
        return connected && !expired;
    }

    void disconnect() {
        connected = false;
        notifications.clear();
        receivedSessionEvent(SessionEvent.ConnectionLost);
    }

    void expire() {
        expired = true;
        connected = false;
        notifications.clear();
        nodes.end(session);
        receivedSessionEvent(SessionEvent.SessionLost);
    }

    void reconnect() {
        boolean again = expired;
        if (again) {
            session = nodes.newSession();
        }
        connected = true;
        expired = false;
        receivedSessionEvent(again ? SessionEvent.SessionReestablished : SessionEvent.Reconnected);
    }

    // ------------------------------------------------------------------------- notifications

    void changed(String path, NotificationType change) {
        if (lives()) {
            notifications.computeIfAbsent(path, key -> new ArrayDeque<>()).add(change);
        }
    }

    boolean notified(String path) {
        return waiting(notifications, path);
    }

    /** Tells Pulsar of the oldest change of a node. */
    void deliver(String path) {
        if (notified(path)) {
            receivedNotification(new Notification(notifications.get(path).poll(), path));
        }
    }

    // ---------------------------------------------------------------------------- operations

    boolean asked(String path) {
        return waiting(operations, path);
    }

    /** Carries the oldest operation on a node out, and answers it; without a session it fails. */
    void answer(String path) {
        if (asked(path)) {
            operations.get(path).poll().answer(lives());
        }
    }

    /** The oldest operation on a node fails; done: though it was carried out. */
    void fail(String path, boolean done) {
        if (asked(path)) {
            operations.get(path).poll().fail(done && lives());
        }
    }

    private static boolean waiting(Map<String, ? extends ArrayDeque<?>> queues, String path) {
        ArrayDeque<?> queue = queues.get(path);
        return queue != null && !queue.isEmpty();
    }

    private <T> CompletableFuture<T> ask(String path, Act<T> act) {
        Operation<T> operation = new Operation<>(act);
        operations.computeIfAbsent(path, key -> new ArrayDeque<>()).add(operation);
        return operation.future;
    }

    @Override
    protected CompletableFuture<Optional<GetResult>> read(String path) {
        if (!path.startsWith(LOCKS)) {
            return CompletableFuture.completedFuture(registrations.apply(path)
                    .map(value -> new GetResult(value, new Stat(path, 0, 0, 0, true, false))));
        }
        return ask(path, () -> Optional.ofNullable(nodes.byPath.get(path))
                .map(node -> new GetResult(node.value(), stat(path, node))));
    }

    @Override
    protected CompletableFuture<Stat> createEphemeral(String path, byte[] value) {
        return ask(path, () -> {
            if (nodes.byPath.containsKey(path)) {
                throw new BadVersionException("it exists");
            }
            nodes.create(path, value, session);
            return stat(path, nodes.byPath.get(path));
        });
    }

    @Override
    protected CompletableFuture<Void> remove(String path, Optional<Long> version) {
        return ask(path, () -> {
            LockNodes.Node node = nodes.byPath.get(path);
            if (node == null) {
                throw new NotFoundException("it does not exist");
            }
            if (version.isPresent() && version.get() != -1 && version.get() != node.version()) {
                throw new BadVersionException("it has another version");
            }
            nodes.remove(path);
            return null;
        });
    }

    private Stat stat(String path, LockNodes.Node node) {
        return new Stat(path, node.version(), 0, 0, true, node.session() == session);
    }

    /** What an operation does to the nodes. */
    @FunctionalInterface
    private interface Act<T> {
        T run() throws MetadataStoreException;
    }

    /** An operation that waits. */
    private static final class Operation<T> {
        private final Act<T> act;
        private final CompletableFuture<T> future = new CompletableFuture<>();

        Operation(Act<T> act) {
            this.act = act;
        }

        void answer(boolean connected) {
            if (!connected) {
                fail(false);
                return;
            }
            T result;
            try {
                result = act.run();
            } catch (MetadataStoreException fault) {
                future.completeExceptionally(fault);
                return;
            }
            future.complete(result);
        }

        void fail(boolean done) {
            if (done) {
                try {
                    act.run();
                } catch (MetadataStoreException unknown) {
                    // The broker does not hear of it.
                }
            }
            future.completeExceptionally(new MetadataStoreException("no connection"));
        }
    }
}
