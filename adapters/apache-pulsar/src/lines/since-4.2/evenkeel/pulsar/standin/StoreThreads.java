package evenkeel.pulsar.standin;

import evenkeel.pulsar.Private;
import java.util.concurrent.ExecutorService;
import org.apache.pulsar.metadata.impl.AbstractMetadataStore;

/** The threads of a metadata store: since 4.2 one executor for events, one for delays, several to read values. */
public final class StoreThreads {
    private StoreThreads() {
    }

    /** Ends them; what they would have run runs as told by the tasks. To be called before the store is used. */
    public static void replace(AbstractMetadataStore store, Tasks tasks) {
        replace(store, "eventExecutor", tasks);
        replace(store, "schedulerExecutor", tasks);
        replace(store, "serDesExecutor", InlineOrderedExecutor.create());
    }

    private static void replace(AbstractMetadataStore store, String field, ExecutorService executor) {
        Private.<ExecutorService>get(AbstractMetadataStore.class, store, field).shutdown();
        Private.set(AbstractMetadataStore.class, store, field, executor);
    }
}
