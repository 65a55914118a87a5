package evenkeel.pulsar.ownership;

import java.util.concurrent.CompletableFuture;

/** What those who wait at a broker ask. */
interface WaitingDesk {
    /** Asks about a bundle; the answer says whether what was asked for was done. */
    CompletableFuture<Boolean> ask(int bundle);

    /** The broker learns that what is under way about a bundle has ended. */
    void end(int bundle, boolean fails);

    /** The channel starts, unless it has. */
    void start();

    /** How long somebody waits. */
    long limit();
}
