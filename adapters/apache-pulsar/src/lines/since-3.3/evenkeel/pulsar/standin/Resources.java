package evenkeel.pulsar.standin;

import java.util.concurrent.Executor;
import org.apache.pulsar.broker.resources.PulsarResources;
import org.apache.pulsar.metadata.api.extended.MetadataStoreExtended;

/** What is in the metadata stores; since 3.3 its answers come from an executor. */
final class Resources {
    private Resources() {
    }

    static PulsarResources in(MetadataStoreExtended local, MetadataStoreExtended configuration,
                              Executor executor) {
        return new PulsarResources(local, configuration, 30, executor);
    }
}
