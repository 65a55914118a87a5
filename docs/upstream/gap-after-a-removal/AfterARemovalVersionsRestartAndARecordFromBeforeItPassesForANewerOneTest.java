// Apache-2.0. Needs Apache Pulsar, TestNG and Mockito only.
package org.apache.pulsar.broker.loadbalance.extensions.channel;

import static org.testng.Assert.assertTrue;

import org.testng.annotations.Test;

public class AfterARemovalVersionsRestartAndARecordFromBeforeItPassesForANewerOneTest {

    /**
     * After a removal versions restart, and a record from before it passes for a newer one. A bundle that is owned
     * and served is given to another broker: two serve it.
     */
    @Test
    public void testAfterARemovalVersionsRestartAndARecordFromBeforeItPassesForANewerOne() throws Exception {
        ServiceUnitStateDataConflictResolver resolver = new ServiceUnitStateDataConflictResolver();
        resolver.setStorageType(ServiceUnitState.StorageType.SystemTopic);
        // The bundle was removed and assigned again: its versions began at 1 again.
        ServiceUnitStateData owned = new ServiceUnitStateData(ServiceUnitState.Owned, "b0", null, false, 2L);
        // A broker that has not read the removal continues from the version before it.
        ServiceUnitStateData stale = new ServiceUnitStateData(ServiceUnitState.Assigning, "b1", null, false, 5L);
        assertTrue(resolver.shouldKeepLeft(owned, stale),
                "a record of the life before replaces the owner: " + owned + " -> " + stale);
    }
}
