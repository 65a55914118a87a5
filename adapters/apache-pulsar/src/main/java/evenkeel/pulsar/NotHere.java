package evenkeel.pulsar;

/** This Pulsar does not have what a trial asks about: the trial is skipped, with this reason. */
public final class NotHere extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public NotHere(String reason) {
        super(reason);
    }
}
