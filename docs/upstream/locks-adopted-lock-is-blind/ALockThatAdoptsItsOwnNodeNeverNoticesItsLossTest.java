// Apache-2.0. Needs Apache Pulsar, TestNG and Mockito only.
package org.apache.pulsar.metadata.impl;

import static org.testng.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Optional;
import org.apache.pulsar.metadata.api.MetadataStoreConfig;
import org.apache.pulsar.metadata.api.coordination.ResourceLock;
import org.apache.pulsar.metadata.api.extended.CreateOption;
import org.apache.pulsar.metadata.api.extended.SessionEvent;
import org.apache.pulsar.metadata.coordination.impl.CoordinationServiceImpl;
import org.testng.annotations.Test;

public class ALockThatAdoptsItsOwnNodeNeverNoticesItsLossTest {

    /**
     * A lock that adopts its own node never notices its loss. After one lost answer and, later, one lost session,
     * two brokers serve the bundle for good, also after both are connected again.
     */
    @Test
    public void testALockThatAdoptsItsOwnNodeNeverNoticesItsLoss() throws Exception {
        LocalMemoryMetadataStore store =
                new LocalMemoryMetadataStore("memory:local", MetadataStoreConfig.builder().build());
        CoordinationServiceImpl first = new CoordinationServiceImpl(store);
        CoordinationServiceImpl second = new CoordinationServiceImpl(store);
        String path = "/namespace/public/default/0x00000000_0xffffffff";
        // broker-0 made its node before, and the answer was lost. Now it asks again, and finds a node of its own.
        store.put(path, "\"broker-0\"".getBytes(StandardCharsets.UTF_8), Optional.of(-1L),
                EnumSet.of(CreateOption.Ephemeral)).join();
        ResourceLock<String> lock = first.getLockManager(String.class).acquireLock(path, "broker-0").join();
        // Its session is lost, and the node with it; then it has another session.
        store.receivedSessionEvent(SessionEvent.SessionLost);
        store.delete(path, Optional.empty()).join();
        store.receivedSessionEvent(SessionEvent.SessionReestablished);
        for (int i = 0; i < 50 && !store.exists(path).join(); i++) {
            Thread.sleep(100);
        }
        boolean taken = store.exists(path).join();
        if (!taken) {
            second.getLockManager(String.class).acquireLock(path, "broker-1").join();
        }
        assertTrue(taken || lock.getLockExpiredFuture().isDone(), "broker-0 holds what broker-1 has taken");
    }
}
