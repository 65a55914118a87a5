package evenkeel.pulsar.standin;

import org.apache.pulsar.metadata.impl.AbstractMetadataStore;

/** A metadata store: nothing is measured by OpenTelemetry until 3.3. */
abstract class UnmeasuredStore extends AbstractMetadataStore {
    UnmeasuredStore() {
        super("evenkeel");
    }
}
