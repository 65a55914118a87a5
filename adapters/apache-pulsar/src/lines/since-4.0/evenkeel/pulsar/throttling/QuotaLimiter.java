package evenkeel.pulsar.throttling;

import org.apache.pulsar.broker.service.BrokerService;
import org.apache.pulsar.broker.service.persistent.DispatchRateLimiter;
import org.apache.pulsar.common.policies.data.DispatchRate;

/** A limiter of messages whose quota is whole again when it is told so. */
final class QuotaLimiter extends DispatchRateLimiter {
    private long limit;
    private long quota;

    QuotaLimiter(BrokerService brokerService) {
        super(brokerService);
    }

    /** So many messages from now on, 0: any number. */
    void limit(long messages) {
        limit = messages;
        refill();
    }

    void refill() {
        quota = limit;
    }

    @Override
    public long getAvailableDispatchRateLimitOnMsg() {
        return limit == 0 ? -1 : Math.max(quota, 0);
    }

    @Override
    public long getAvailableDispatchRateLimitOnByte() {
        return -1;
    }

    @Override
    public void consumeDispatchQuota(long numberOfMessages, long byteSize) {
        quota -= numberOfMessages;
    }

    @Override
    public boolean isDispatchRateLimitingEnabled() {
        return limit > 0;
    }

    @Override
    public void updateDispatchRate(DispatchRate dispatchRate) {
        // It is told its limit.
    }

    @Override
    public long getDispatchRateOnMsg() {
        return limit;
    }

    @Override
    public long getDispatchRateOnByte() {
        return -1;
    }

    @Override
    public void close() {
        // Nothing to let go of.
    }
}
