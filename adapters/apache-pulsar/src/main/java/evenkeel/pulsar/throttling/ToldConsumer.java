package evenkeel.pulsar.throttling;

import com.google.common.util.concurrent.AtomicDouble;
import evenkeel.pulsar.Private;
import org.apache.pulsar.broker.service.Consumer;

/** A consumer without a connection: its permits and whether it can be written to are told. */
final class ToldConsumer extends Consumer {
    private int permits;
    private boolean writable;

    private ToldConsumer() {
        super(null, null, null, 0, 0, null, false, null, null, null, false, null, null, 0);
    }

    static ToldConsumer create() {
        ToldConsumer consumer = Private.allocate(ToldConsumer.class);
        Private.set(Consumer.class, consumer, "avgMessagesPerEntry", new AtomicDouble());
        return consumer;
    }

    void tell(int newPermits, boolean isWritable, boolean precise, int average) {
        permits = newPermits;
        writable = isWritable;
        Private.set(Consumer.class, this, "preciseDispatcherFlowControl", precise);
        AtomicDouble messagesPerEntry = Private.get(Consumer.class, this, "avgMessagesPerEntry");
        messagesPerEntry.set(average);
    }

    @Override
    public int getAvailablePermits() {
        return permits;
    }

    @Override
    public boolean isWritable() {
        return writable;
    }
}
