package evenkeel.pulsar.throttling;

import org.apache.pulsar.broker.service.BrokerService;
import org.apache.pulsar.broker.service.persistent.DispatchRateLimiter;
import org.apache.pulsar.common.policies.data.DispatchRate;

/** A limiter that says what it was told is left. */
class ToldLimiter extends DispatchRateLimiter {
    private final long messages;
    private final long bytes;

    ToldLimiter(BrokerService brokerService, long messages, long bytes) {
        super(brokerService);
        this.messages = messages;
        this.bytes = bytes;
    }

    @Override
    public long getAvailableDispatchRateLimitOnMsg() {
        return messages;
    }

    @Override
    public long getAvailableDispatchRateLimitOnByte() {
        return bytes;
    }

    @Override
    public void consumeDispatchQuota(long numberOfMessages, long byteSize) {
        // Nothing is delivered.
    }

    @Override
    public boolean isDispatchRateLimitingEnabled() {
        return messages >= 0 || bytes >= 0;
    }

    @Override
    public void updateDispatchRate(DispatchRate dispatchRate) {
        // It has no rate of its own.
    }

    @Override
    public long getDispatchRateOnMsg() {
        return messages;
    }

    @Override
    public long getDispatchRateOnByte() {
        return bytes;
    }

    @Override
    public void close() {
        // Nothing to let go of.
    }
}
