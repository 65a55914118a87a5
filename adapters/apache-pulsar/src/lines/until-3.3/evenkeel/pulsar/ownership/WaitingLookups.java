package evenkeel.pulsar.ownership;

import evenkeel.pulsar.NotHere;
import java.util.concurrent.CompletableFuture;

/** Lookups, about which the channel of this line cannot be asked. */
final class WaitingLookups implements WaitingDesk {
    void begin(TimedFutures timers, boolean starts) {
        throw new NotHere("until 3.3 the channel reads its records from a topic by Pulsar's client");
    }

    @Override
    public CompletableFuture<Boolean> ask(int bundle) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void end(int bundle, boolean fails) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void start() {
        throw new UnsupportedOperationException();
    }

    @Override
    public long limit() {
        throw new UnsupportedOperationException();
    }
}
