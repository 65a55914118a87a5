package evenkeel.pulsar;

/** A trial that this adapter cannot read: answered as an error of the adapter, never as Pulsar's doing. */
public final class BadTrial extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public BadTrial(String message) {
        super(message);
    }
}
