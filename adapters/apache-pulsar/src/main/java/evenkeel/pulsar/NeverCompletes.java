package evenkeel.pulsar;

/** A future of Pulsar's that is still open although everything it could wait for has been run. */
public final class NeverCompletes extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public NeverCompletes(String message) {
        super(message);
    }
}
