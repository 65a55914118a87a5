package evenkeel.pulsar;

import static evenkeel.pulsar.Subject.answer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** ThresholdShedder and TransferShedder, called directly. */
class TransferQuestionsTest {
    private static final long NOW = 10_000_000;

    @Test
    void theMostLoadedGivesToTheLeastLoaded() {
        JsonNode round = transfer("shedding.transfer", view(NOW, report("a", 0.9, NOW, 1, 7), report("b", 0.1, NOW, 1)))
                .get("rounds").get(0);
        assertEquals("Success", round.get("label").textValue());
        assertTrue(round.get("reason").isNull());
        assertEquals(Set.of("a 0 b Overloaded"), moves(round));
        assertEquals(0.5, round.get("average").doubleValue(), 1e-12);
        assertEquals(0.4, round.get("deviation").doubleValue(), 1e-12);
    }

    @Test
    void debugModeChangesWhatIsMoved() {
        JsonNode answer = transfer("shedding.transfer_debug",
                view(NOW, report("b", 0.35, NOW, 5, 30), report("a", 0.9, NOW, 30, 30, 30)));
        assertEquals(2, moves(answer.get("quiet").get("rounds").get(0)).size());
        assertEquals(4, moves(answer.get("debug").get("rounds").get(0)).size());
    }

    @Test
    void aReportOfExactlyItsTimeToLiveCounts() {
        long old = NOW - 1_800_000;
        for (int time = 0; time < 50; time++) {
            String reports = report("a", 0.9, old, 1, 7) + "," + report("b", 0.1, NOW, 1);
            JsonNode round = transfer("shedding.transfer", view(NOW, reports)).get("rounds").get(0);
            assertEquals(0.5, round.get("average").doubleValue(), 1e-12);
            round = transfer("shedding.transfer", view(NOW + 1, reports)).get("rounds").get(0);
            assertEquals(0.1, round.get("average").doubleValue(), 1e-12);
        }
    }

    @Test
    void withoutARegistryTheRoundFails() {
        String view = view(NOW, report("a", 0.9, NOW, 1, 7)).replace("'registered':['a','b']", "'registered':null");
        JsonNode round = transfer("shedding.transfer", view).get("rounds").get(0);
        assertEquals("Failure", round.get("label").textValue());
        assertEquals("Unknown", round.get("reason").textValue());
        assertTrue(round.get("average").isNull());
    }

    @Test
    void aBrokerThatWentAndCameBackBeginsANewHistory() {
        String first = threshold(80, "") + "," + threshold(50, "");
        assertEquals(1, shed(first, "[]").get(1).size());
        assertEquals(0, shed(first, "[{'round':1,'active':['b']}]").get(1).size());
    }

    private static Set<String> moves(JsonNode round) {
        Set<String> moves = new HashSet<>();
        for (JsonNode move : round.get("moves")) {
            String bundle = move.get("bundle").textValue();
            moves.add(move.get("source").textValue() + " " + bundle.charAt(bundle.indexOf("0x") + 4) + " "
                    + move.get("destination").textValue() + " " + move.get("reason").textValue());
        }
        return moves;
    }

    private static JsonNode transfer(String question, String view) {
        return answer(question, "{'config':{'loadBalancerBrokerLoadTargetStd':0.25,"
                + "'loadBalancerBrokerOverloadedThresholdPercentage':85,"
                + "'loadBalancerSheddingConditionHitCountThreshold':0,'loadBalancerTransferEnabled':true,"
                + "'loadBalancerMaxNumberOfBrokerSheddingPerCycle':3,'loadBalanceSheddingDelayInSeconds':180,"
                + "'loadBalancerBrokerLoadDataTTLInSeconds':1800,"
                + "'loadBalancerSheddingBundlesWithPoliciesEnabled':false,'loadBalancerDebugModeEnabled':false},"
                + "'rounds':[" + view + "]}");
    }

    private static String view(long now, String... reports) {
        return "{'now':" + now + ",'registered':['a','b'],'reports':[" + String.join(",", reports)
                + "],'recent_bundles':[],'recent_brokers':[],'isolated':[],'anti_affine':[]}";
    }

    private static String report(String broker, double load, long at, int... sizes) {
        StringBuilder top = new StringBuilder();
        int sum = 0;
        for (int i = 0; i < sizes.length; i++) {
            String range = "0x" + (broker.equals("a") ? "aa" : "bb") + i + "00000_0x"
                    + (broker.equals("a") ? "aa" : "bb") + i + "fffff";
            top.append(i == 0 ? "" : ",").append("{'bundle':'t/ns/").append(range).append("','throughput_in':")
                    .append(sizes[i]).append(".0,'throughput_out':0.0,'owned':true,'admits':null,'filter_fails':false}");
            sum += sizes[i];
        }
        return "{'broker':'" + broker + "','load':" + load + ",'throughput_in':" + sum
                + ".0,'throughput_out':0.0,'throughput_average':" + sum + ".0,'updated_at':" + at + ",'top':[" + top
                + "]}";
    }

    private static JsonNode shed(String rounds, String memberships) {
        return answer("shedding.threshold", "{'config':{'loadBalancerSheddingGracePeriodMinutes':0,"
                + "'loadBalancerCPUResourceWeight':1.0,'loadBalancerDirectMemoryResourceWeight':0.0,"
                + "'loadBalancerBandwidthInResourceWeight':1.0,'loadBalancerBandwidthOutResourceWeight':1.0,"
                + "'loadBalancerBrokerThresholdShedderPercentage':10,'loadBalancerHistoryResourcePercentage':0.9,"
                + "'loadBalancerBundleUnloadMinThroughputThreshold':0.0,'lowerBoundarySheddingEnabled':false},"
                + "'memberships':" + memberships + ",'recently_unloaded':[],'rounds':[" + rounds + "]}").get("rounds");
    }

    /** A round with broker a at so many percent, with two bundles, and broker b at 50. */
    private static String threshold(int percent, String failing) {
        String first = "t/ns/0x00000000_0x40000000";
        String second = "t/ns/0x40000000_0x80000000";
        return "{'at':" + (percent == 80 ? 0 : 1) + ",'brokers':[" + broker("a", percent, first, second) + ","
                + broker("b", 50) + "],'bundles':[" + average(first) + "," + average(second) + "],'failing':["
                + failing + "]}";
    }

    private static String broker(String name, int percent, String... bundles) {
        String none = "{'usage':0.0,'limit':0.0}";
        String names = bundles.length == 0 ? "" : "'" + String.join("','", bundles) + "'";
        return "{'broker':'" + name + "','resources':{'cpu':{'usage':" + percent + ".0,'limit':100.0},'memory':" + none
                + ",'direct_memory':" + none + ",'bandwidth_in':" + none + ",'bandwidth_out':" + none
                + "},'traffic':" + traffic() + ",'bundles':[" + names + "]}";
    }

    private static String average(String bundle) {
        return "{'bundle':'" + bundle + "','short_term':" + traffic() + ",'long_term':" + traffic() + "}";
    }

    private static String traffic() {
        return "{'msg_rate_in':0.0,'msg_rate_out':0.0,'throughput_in':100.0,'throughput_out':0.0}";
    }
}
