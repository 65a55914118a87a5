package evenkeel.pulsar.ownership;

import evenkeel.pulsar.Private;
import evenkeel.pulsar.standin.TopiclessService;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.broker.service.BrokerServiceException;
import org.apache.pulsar.common.naming.NamespaceBundle;

/** The part of a broker that serves topics: closing a bundle's topics waits until it is told to end. */
final class LockTopics extends TopiclessService {
    private Map<NamespaceBundle, ArrayDeque<CompletableFuture<Integer>>> closing;

    private LockTopics() throws Exception {
        super(null, null);
    }

    static LockTopics create() {
        LockTopics topics = Private.allocate(LockTopics.class);
        topics.closing = new HashMap<>();
        return topics;
    }

    boolean closing(NamespaceBundle bundle) {
        ArrayDeque<?> queue = closing.get(bundle);
        return queue != null && !queue.isEmpty();
    }

    /** The oldest closing of a bundle's topics ends: done, out of time (which counts as none closed), or failed. */
    void end(NamespaceBundle bundle, String how) {
        if (!closing(bundle)) {
            return;
        }
        CompletableFuture<Integer> oldest = closing.get(bundle).poll();
        if (how.equals("failed")) {
            oldest.completeExceptionally(new BrokerServiceException("a topic does not close"));
        } else {
            oldest.complete(how.equals("closed") ? 1 : 0);
        }
    }

    // Overrides a method of Pulsar's since 3.3.
    public CompletableFuture<Integer> unloadServiceUnit(NamespaceBundle bundle, boolean disconnectClients,
                                                        boolean closeWithoutWaiting, long timeout, TimeUnit unit) {
        return unloadServiceUnit(bundle, closeWithoutWaiting, timeout, unit);
    }

    // Overrides a method of Pulsar's until 3.0.
    public CompletableFuture<Integer> unloadServiceUnit(NamespaceBundle bundle, boolean closeWithoutWaiting,
                                                        long timeout, TimeUnit unit) {
        CompletableFuture<Integer> closed = new CompletableFuture<>();
        closing.computeIfAbsent(bundle, key -> new ArrayDeque<>()).add(closed);
        return closed;
    }

    @Override
    public void cleanUnloadedTopicFromCache(NamespaceBundle bundle) {
        // No topics are loaded.
    }
}
