package evenkeel.pulsar.throttling;

import org.apache.pulsar.broker.service.BrokerService;

/** A limiter of messages whose quota is whole again when it is told so. */
final class QuotaLimiter extends ToldLimiter {
    private long limit;
    private long quota;

    QuotaLimiter(BrokerService brokerService) {
        super(brokerService, -1, -1);
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
    public void consumeDispatchQuota(long numberOfMessages, long byteSize) {
        quota -= numberOfMessages;
    }

    @Override
    public boolean isDispatchRateLimitingEnabled() {
        return limit > 0;
    }

    @Override
    public long getDispatchRateOnMsg() {
        return limit;
    }
}
