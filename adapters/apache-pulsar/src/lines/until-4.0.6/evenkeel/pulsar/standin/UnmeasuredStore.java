package evenkeel.pulsar.standin;

import io.opentelemetry.api.OpenTelemetry;
import org.apache.pulsar.metadata.impl.AbstractMetadataStore;

/** A metadata store with nothing measured: its base class's constructor until 4.0.6. */
abstract class UnmeasuredStore extends AbstractMetadataStore {
    UnmeasuredStore() {
        super("evenkeel", OpenTelemetry.noop());
    }
}
