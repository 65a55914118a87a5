package evenkeel.pulsar.plugin;

/** A plug-in, or an option about it, that cannot be used: one sentence for who started this process. */
public final class Unusable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Unusable(String sentence) {
        super(sentence);
    }
}
