package evenkeel.pulsar;

/** A refusal that Pulsar expresses without an exception, such as by answering null. */
public final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String reason;

    public Refused(String reason, String detail) {
        super(detail);
        this.reason = reason;
    }

    public String reason() {
        return reason;
    }
}
