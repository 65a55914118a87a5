// Apache-2.0. Needs Apache Pulsar and TestNG only.
package org.apache.bookkeeper.mledger.impl.cache;

import static org.testng.Assert.assertTrue;

import io.opentelemetry.api.OpenTelemetry;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.testng.annotations.Test;

public class AReadFailsThoughItsMemoryIsFreeSinceTheOneBeforeItFailedTest {

    /**
     * A read fails though its memory is free, since the one before it failed. A read of 5 bytes waits behind one that
     * is larger than what is free. That one fails after a second; the 5 bytes are free then.
     */
    @Test
    public void testAReadFailsThoughItsMemoryIsFreeSinceTheOneBeforeItFailed() throws Exception {
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        try {
            InflightReadsLimiter limiter = new InflightReadsLimiter(10, 100, 1000, timer, OpenTelemetry.noop());
            limiter.acquire(4, handle -> { }).orElseThrow();
            InflightReadsLimiter.Handle six = limiter.acquire(6, handle -> { }).orElseThrow();
            limiter.acquire(8, handle -> { });
            Thread.sleep(500);
            CompletableFuture<Boolean> five = new CompletableFuture<>();
            limiter.acquire(5, handle -> five.complete(handle.success()));
            limiter.release(six);
            assertTrue(five.get(10, TimeUnit.SECONDS), "the read of 5 bytes begins, with 6 of 10 bytes free");
        } finally {
            timer.shutdownNow();
        }
    }
}
