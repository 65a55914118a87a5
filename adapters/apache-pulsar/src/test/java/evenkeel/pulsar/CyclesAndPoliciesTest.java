package evenkeel.pulsar;

import static evenkeel.pulsar.Subject.answer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

/** UnloadScheduler's cycles, and what is asked of an isolation policy. */
class CyclesAndPoliciesTest {
    private static final String BUNDLE = "t/ns/0x00000000_0x10000000";

    @Test
    void whatWasUnloadedIsToldUntilItsGraceIsOver() {
        JsonNode cycles = answer("shedding.cycles", "{'loadBalancerSheddingGracePeriodMinutes':3,'cycles':["
                + cycle(0, true, "'done'") + "," + cycle(3, true, "") + "," + cycle(4, true, "") + "]}").get("cycles");
        assertEquals(BUNDLE, cycles.get(0).get("unloaded").get(0).textValue());
        assertEquals(3, cycles.get(1).get("bundles").get(0).get("minutes").asInt());
        assertEquals(0, cycles.get(2).get("bundles").size());
        assertEquals(4, cycles.get(2).get("brokers").get(0).get("minutes").asInt());
    }

    @Test
    void whoDoesNotLeadAsksNobody() {
        JsonNode cycles = answer("shedding.cycles", "{'loadBalancerSheddingGracePeriodMinutes':3,'cycles':["
                + cycle(0, false, "'done'") + "]}").get("cycles");
        assertFalse(cycles.get(0).get("asked").booleanValue());
        assertEquals(0, cycles.get(0).get("unloaded").size());
    }

    @Test
    void aPolicyNeedsBrokersThatCanBeRead() {
        assertTrue(stored("'t/.*'", "'broker-1'"));
        assertFalse(stored("'t/.*'", ""));
        assertFalse(stored("'t/.*'", "'[z-a]'"));
        assertTrue(stored("'[z-a]'", "'broker-1'"));
    }

    private static boolean stored(String namespaces, String primary) {
        return answer("placement.policy", "{'namespaces':[" + namespaces + "],'primary':[" + primary
                + "],'secondary':[]}").get("stored").booleanValue();
    }

    private static String cycle(int minute, boolean leads, String outcome) {
        String decided = outcome.isEmpty() ? "" : "{'bundle':'" + BUNDLE + "','source':'a','destination':'b','outcome':"
                + outcome + "}";
        return "{'now':" + minute * 60_000 + ",'enabled':true,'shedding_enabled':true,'leads':" + leads
                + ",'available':2,'decided':[" + decided + "]}";
    }
}
