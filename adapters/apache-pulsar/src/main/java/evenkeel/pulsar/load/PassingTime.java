package evenkeel.pulsar.load;

/**
 * Whole seconds of virtual time for code that looks at the wall clock: before it looks, a moment that it remembers is
 * moved to where it would lie by now. Half a second is taken off what has passed since, so that what Pulsar compares
 * with whole seconds comes out the same, whatever the time the comparison itself takes.
 */
final class PassingTime {
    private static final long HALF_A_SECOND = 500;
    private static final long SECOND = 1000;

    private long now;

    void pass(int seconds) {
        now += seconds;
    }

    long now() {
        return now;
    }

    /** A remembered moment, a little late: it is not yet longer ago than it is. */
    long late(long moment) {
        return early(moment) + HALF_A_SECOND;
    }

    /** A remembered moment as it is: it is at least as long ago as it is. */
    long early(long moment) {
        return System.currentTimeMillis() - (now - moment) * SECOND;
    }
}
