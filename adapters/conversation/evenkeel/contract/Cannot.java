package evenkeel.contract;

/** The balancer says that it has no answer, and why. */
public final class Cannot extends Exception {
    public Cannot(String why) {
        super(why, null, false, false);
    }
}
