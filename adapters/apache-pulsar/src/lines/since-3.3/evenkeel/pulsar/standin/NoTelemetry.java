package evenkeel.pulsar.standin;

import evenkeel.pulsar.Private;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.metrics.Meter;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.stats.PulsarBrokerOpenTelemetry;

/** Measures nothing. */
public final class NoTelemetry extends PulsarBrokerOpenTelemetry {
    private NoTelemetry() {
        super(new ServiceConfiguration(), null);
    }

    public static NoTelemetry create() {
        return Private.allocate(NoTelemetry.class);
    }

    @Override
    public Meter getMeter() {
        return OpenTelemetry.noop().getMeter("evenkeel");
    }

    // Overrides a method of Pulsar's since 4.0.
    public OpenTelemetry getOpenTelemetry() {
        return OpenTelemetry.noop();
    }
}
