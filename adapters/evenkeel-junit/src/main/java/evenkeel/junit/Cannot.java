package evenkeel.junit;

/** Thrown by a balancer that has no answer: no node has room, say. That is an answer, and no failure. */
public final class Cannot extends RuntimeException {
    private static final long serialVersionUID = 1;

    public Cannot(String why) {
        super(why);
    }
}
