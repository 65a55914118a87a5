package evenkeel.pulsar;

import static evenkeel.pulsar.Subject.answer;
import static evenkeel.pulsar.Subject.json;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

/** Which automatic splits unload their children. */
class UnloadingQuestionTest {
    private static final String TWO = "'a:1','b:1'";

    @Test
    void theModularManagerGoesByTheSettingAndTheOtherBrokers() {
        assertEquals(json("[true,true]"), unloads("modular", true, TWO));
        assertEquals(json("[false,false]"), unloads("modular", false, TWO));
        assertEquals(json("[false,false]"), unloads("modular", true, "'a:1'"));
        assertEquals(json("[true,true]"), unloads("modular", true, TWO));
    }

    @Test
    void theExtensibleManagerNeverUnloads() {
        assertEquals(json("[false,false]"), unloads("extensible", true, TWO));
        assertEquals(json("[false,false]"), unloads("extensible", false, TWO));
    }

    private static JsonNode unloads(String manager, boolean setting, String brokers) {
        return answer("splitting.unloading", "{'manager':'" + manager + "','config':"
                + "{'loadBalancerAutoUnloadSplitBundlesEnabled':" + setting + "},'brokers':[" + brokers + "],"
                + "'splits':[{'bundle':'t/n/0x00000000_0x80000000','owner':'a:1'},"
                + "{'bundle':'t/m/0x80000000_0xffffffff','owner':'a:1'}]}").get("unloads");
    }
}
