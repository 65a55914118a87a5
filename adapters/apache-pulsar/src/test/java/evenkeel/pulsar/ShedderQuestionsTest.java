package evenkeel.pulsar;

import static evenkeel.pulsar.Subject.answer;
import static evenkeel.pulsar.Subject.ask;
import static evenkeel.pulsar.Subject.json;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

/** The modular shedders, called directly. */
class ShedderQuestionsTest {
    private static final String FIRST = "t/ns/0x00000000_0x40000000";
    private static final String SECOND = "t/ns/0x40000000_0x80000000";
    private static final String HEARTBEAT = "pulsar/b:8080/0x00000000_0xffffffff";

    @Test
    void theHeaviestBundleGoesAndRestsUntilItsGracePeriodIsOver() {
        String broker = broker("a", 85, traffic(0, 100), FIRST, SECOND);
        String bundles = bundle(FIRST, traffic(0, 40)) + "," + bundle(SECOND, traffic(0, 60));
        JsonNode rounds = overload(30, round(0, broker, bundles, ""), round(1_800_000, broker, bundles, ""),
                round(1_800_001, broker, bundles, ""));
        assertEquals(shed("a", SECOND), rounds.get(0));
        assertEquals(shed("a", FIRST), rounds.get(1));
        assertEquals(shed("a", SECOND), rounds.get(2));
    }

    @Test
    void aBundleWhoseUnloadFailedIsNotRemembered() {
        String broker = broker("a", 85, traffic(0, 100), FIRST, SECOND);
        String bundles = bundle(FIRST, traffic(0, 40)) + "," + bundle(SECOND, traffic(0, 60));
        JsonNode rounds = overload(30, round(0, broker, bundles, "'" + SECOND + "'"), round(1, broker, bundles, ""));
        assertEquals(shed("a", SECOND), rounds.get(0));
        assertEquals(shed("a", SECOND), rounds.get(1));
    }

    @Test
    void theHeartbeatCountsButStays() {
        String broker = broker("a", 85, traffic(0, 100), FIRST, HEARTBEAT);
        String bundles = bundle(FIRST, traffic(0, 1)) + "," + bundle(HEARTBEAT, traffic(0, 99));
        assertEquals(shed("a", FIRST), overload(30, round(0, broker, bundles, "")).get(0));
    }

    @Test
    void oneBrokerShedsIdleBundlesToo() {
        String brokers = broker("a", 0, traffic(10_500, 0), FIRST, SECOND) + "," + broker("b", 0, traffic(500, 0));
        String bundles = bundle(FIRST, traffic(1500, 0)) + "," + bundle(SECOND, traffic(0, 0));
        String config = "{'loadBalancerSheddingGracePeriodMinutes':30,"
                + "'loadBalancerMsgRateDifferenceShedderThreshold':50.0,"
                + "'loadBalancerMsgThroughputMultiplierDifferenceShedderThreshold':4.0,'maxUnloadPercentage':0.2,"
                + "'minUnloadMessage':1000,'minUnloadMessageThroughput':1048576,'maxUnloadBundleNumPerShedding':-1}";
        JsonNode rounds = answer("shedding.uniform", trial(config, round(0, brokers, bundles, ""))).get("rounds");
        assertEquals(shed("a", FIRST, SECOND), rounds.get(0));
    }

    @Test
    void aPairActsInTheSecondRoundAndPlansForThePartner() {
        String brokers = broker("a", 80, traffic(1000, 0), FIRST, SECOND) + "," + broker("b", 20, traffic(500, 0))
                + "," + broker("c", 50, traffic(0, 0));
        String bundles = bundle(FIRST, traffic(250, 0)) + "," + bundle(SECOND, traffic(300, 0));
        String config = "{" + common(30) + ",'loadBalancerAvgShedderLowThreshold':15,"
                + "'loadBalancerAvgShedderHighThreshold':40,'loadBalancerAvgShedderHitCountLowThreshold':8,"
                + "'loadBalancerAvgShedderHitCountHighThreshold':2,'maxUnloadPercentage':0.5,'minUnloadMessage':0,"
                + "'minUnloadMessageThroughput':0}";
        JsonNode rounds = answer("shedding.avg", trial(config, round(0, brokers, bundles, ""),
                round(1, brokers, bundles, ""))).get("rounds");
        assertEquals(json("[]"), rounds.get(0));
        assertEquals(json("[{'broker':'a','bundles':[{'bundle':'" + FIRST + "','destination':'b'}]}]"), rounds.get(1));
    }

    @Test
    void whatLacksAKeyIsTheTrialsFault() {
        for (String question : new String[] {"shedding.overload", "shedding.uniform", "shedding.avg"}) {
            assertEquals("error", ask(question, trial("{}")).get("type").textValue(), question);
        }
    }

    private static JsonNode overload(int grace, String... rounds) {
        String config = "{" + common(grace) + ",'loadBalancerBrokerOverloadedThresholdPercentage':85}";
        return answer("shedding.overload", trial(config, rounds)).get("rounds");
    }

    private static String common(int grace) {
        return "'loadBalancerSheddingGracePeriodMinutes':" + grace + ",'loadBalancerCPUResourceWeight':1.0,"
                + "'loadBalancerDirectMemoryResourceWeight':0.0,'loadBalancerBandwidthInResourceWeight':1.0,"
                + "'loadBalancerBandwidthOutResourceWeight':1.0";
    }

    private static String trial(String config, String... rounds) {
        return "{'config':" + config + ",'recently_unloaded':[],'rounds':[" + String.join(",", rounds) + "]}";
    }

    private static String round(long at, String brokers, String bundles, String failing) {
        return "{'at':" + at + ",'brokers':[" + brokers + "],'bundles':[" + bundles + "],'failing':[" + failing + "]}";
    }

    private static String broker(String broker, int cpu, String traffic, String... bundles) {
        String idle = "{'usage':0.0,'limit':100.0}";
        String names = bundles.length == 0 ? "" : "'" + String.join("','", bundles) + "'";
        return "{'broker':'" + broker + "','resources':{'cpu':{'usage':" + cpu + ",'limit':100.0},'memory':" + idle
                + ",'direct_memory':" + idle + ",'bandwidth_in':" + idle + ",'bandwidth_out':" + idle + "},'traffic':"
                + traffic + ",'bundles':[" + names + "]}";
    }

    private static String bundle(String bundle, String traffic) {
        return "{'bundle':'" + bundle + "','short_term':" + traffic + ",'long_term':" + traffic + "}";
    }

    private static String traffic(int messages, int bytes) {
        return "{'msg_rate_in':" + messages + ",'msg_rate_out':0,'throughput_in':0,'throughput_out':" + bytes + "}";
    }

    private static JsonNode shed(String broker, String... bundles) {
        return json("[{'broker':'" + broker + "','bundles':['" + String.join("','", bundles) + "']}]");
    }
}
