package evenkeel.pulsar.standin;

import io.opentelemetry.api.OpenTelemetry;
import org.apache.pulsar.metadata.impl.AbstractMetadataStore;

/** A metadata store with nothing measured: its base class's constructor since 4.2, with one thread to read values. */
abstract class UnmeasuredStore extends AbstractMetadataStore {
    UnmeasuredStore() {
        super("evenkeel", OpenTelemetry.noop(), null, 1);
    }
}
