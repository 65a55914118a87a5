package evenkeel.pulsar.standin;

/** Measures nothing: there is no OpenTelemetry until 3.0. */
public final class NoTelemetry {
    private NoTelemetry() {
    }

    public static NoTelemetry create() {
        return new NoTelemetry();
    }
}
