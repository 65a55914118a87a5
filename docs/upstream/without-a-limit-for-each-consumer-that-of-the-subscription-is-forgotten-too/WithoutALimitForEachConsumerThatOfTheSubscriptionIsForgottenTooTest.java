// Apache-2.0. Needs Apache Pulsar, TestNG and Mockito only.
package org.apache.pulsar.broker.service.persistent;

import static org.testng.Assert.assertEquals;

import org.apache.pulsar.broker.ServiceConfiguration;
import org.testng.annotations.Test;

public class WithoutALimitForEachConsumerThatOfTheSubscriptionIsForgottenTooTest {

    /**
     * Without a limit for each consumer that of the subscription is forgotten, too. Who sets the greatest number for
     * each consumer has another limit than was set: the greater one of messages that are not acknowledged, or none.
     */
    @Test
    public void testWithoutALimitForEachConsumerThatOfTheSubscriptionIsForgottenToo() throws Exception {
        ServiceConfiguration config = new ServiceConfiguration();
        config.setKeySharedLookAheadMsgInReplayThresholdPerConsumer(Integer.MAX_VALUE);
        config.setKeySharedLookAheadMsgInReplayThresholdPerSubscription(20000);
        assertEquals(PersistentStickyKeyDispatcherMultipleConsumers.getEffectiveLookAheadLimit(config, 1), 20000);
        assertEquals(PersistentStickyKeyDispatcherMultipleConsumers.getEffectiveLookAheadLimit(config, 2), 20000,
                "the limit of two consumers");
    }
}
