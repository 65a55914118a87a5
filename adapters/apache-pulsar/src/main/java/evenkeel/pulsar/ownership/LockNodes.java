package evenkeel.pulsar.ownership;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.pulsar.metadata.api.NotificationType;

/**
 * The metadata store that the brokers share: ephemeral nodes, one for each bundle at most, as ZooKeeper keeps
 * them: a new node has version 0, and version -1 in a deletion stands for any.
 */
final class LockNodes {
    /** A node: what it holds, and the session that made it. */
    record Node(byte[] value, int session, long version) {
    }

    final Map<String, Node> byPath = new HashMap<>();
    private final List<LockStore> watchers = new ArrayList<>();
    private int sessions;

    int newSession() {
        return sessions++;
    }

    void watch(LockStore store) {
        watchers.add(store);
    }

    void forget(LockStore store) {
        watchers.remove(store);
    }

    void create(String path, byte[] value, int session) {
        byPath.put(path, new Node(value, session, 0));
        changed(path, NotificationType.Created);
    }

    void remove(String path) {
        byPath.remove(path);
        changed(path, NotificationType.Deleted);
    }

    /** A session has ended: its nodes are gone. */
    void end(int session) {
        for (String path : new ArrayList<>(byPath.keySet())) {
            if (byPath.get(path).session() == session) {
                remove(path);
            }
        }
    }

    private void changed(String path, NotificationType change) {
        for (LockStore store : watchers) {
            store.changed(path, change);
        }
    }
}
