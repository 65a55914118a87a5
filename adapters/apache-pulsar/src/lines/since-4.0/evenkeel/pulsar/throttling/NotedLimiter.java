package evenkeel.pulsar.throttling;

import java.util.function.BiConsumer;
import org.apache.pulsar.broker.service.BrokerService;
import org.apache.pulsar.broker.service.persistent.DispatchRateLimiter;
import org.apache.pulsar.common.policies.data.DispatchRate;

/** One of Pulsar's limiters, whose charges are noted: units and bytes. */
final class NotedLimiter extends DispatchRateLimiter {
    private final DispatchRateLimiter limiter;
    private final BiConsumer<Long, Long> charged;

    NotedLimiter(BrokerService brokerService, DispatchRateLimiter limiter, BiConsumer<Long, Long> charged) {
        super(brokerService);
        this.limiter = limiter;
        this.charged = charged;
    }

    @Override
    public void consumeDispatchQuota(long numberOfMessages, long byteSize) {
        charged.accept(numberOfMessages, byteSize);
        limiter.consumeDispatchQuota(numberOfMessages, byteSize);
    }

    @Override
    public long getAvailableDispatchRateLimitOnMsg() {
        return limiter.getAvailableDispatchRateLimitOnMsg();
    }

    @Override
    public long getAvailableDispatchRateLimitOnByte() {
        return limiter.getAvailableDispatchRateLimitOnByte();
    }

    @Override
    public boolean isDispatchRateLimitingEnabled() {
        return limiter.isDispatchRateLimitingEnabled();
    }

    @Override
    public void updateDispatchRate(DispatchRate dispatchRate) {
        // The constructor above sets the broker's rate, before there is a limiter.
        if (limiter != null) {
            limiter.updateDispatchRate(dispatchRate);
        }
    }

    @Override
    public long getDispatchRateOnMsg() {
        return limiter.getDispatchRateOnMsg();
    }

    @Override
    public long getDispatchRateOnByte() {
        return limiter.getDispatchRateOnByte();
    }

    @Override
    public void close() {
        limiter.close();
    }
}
