package evenkeel.pulsar.standin;

import evenkeel.pulsar.Private;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.pulsar.metadata.impl.AbstractMetadataStore;

/** The threads of a metadata store: one executor until 4.0. */
public final class StoreThreads {
    private StoreThreads() {
    }

    /** Ends them; what they would have run runs as told by the tasks. To be called before the store is used. */
    public static void replace(AbstractMetadataStore store, Tasks tasks) {
        Private.<ScheduledExecutorService>get(AbstractMetadataStore.class, store, "executor").shutdown();
        Private.set(AbstractMetadataStore.class, store, "executor", tasks);
    }
}
