package evenkeel.pulsar;

import static evenkeel.pulsar.Subject.answer;
import static evenkeel.pulsar.Subject.json;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

/** Which bundles are due, under either load manager. */
class DueQuestionsTest {
    private static final String LEFT = "t/n/0x00000000_0x00000040";
    private static final String RIGHT = "t/n/0x00000040_0xffffffff";
    private static final String COUNTS = "'counts':[{'namespace':'t/n','bundles':2}]";

    @Test
    void modularAveragesOverRounds() {
        String rounds = round(load(LEFT, 2, 50_000), load(RIGHT, 2000, 0)) + "," + round(load(LEFT, 2, 10_000))
                + "," + round(load(LEFT, 2, 40_000)) + "," + round(load(LEFT, 2, 70_000));
        JsonNode due = modular(true, 2, rounds);
        assertEquals(2, due.get(0).size());
        // What was split starts afresh: 10000, then the mean 25000, then 40000.
        assertEquals(json("[]"), due.get(1));
        assertEquals(json("[]"), due.get(2));
        assertEquals(json("[{'bundle':'" + LEFT + "','broker':'b'}]"), due.get(3));
    }

    @Test
    void modularNeedsALeaderAndCompany() {
        assertEquals(json("[[]]"), modular(false, 2, round(load(LEFT, 2000, 0))));
        assertEquals(json("[[]]"), modular(true, 1, round(load(LEFT, 2000, 0))));
        assertEquals(json("[[{'bundle':'" + LEFT + "','broker':'b'}]]"), modular(true, 2, round(load(LEFT, 2000, 0))));
    }

    @Test
    void extensibleCountsHits() {
        String hot = own(load(LEFT, 2000, 0), true, "9");
        JsonNode cycles = extensible(1, cycle("", hot), cycle("", hot), cycle("", hot));
        assertEquals(json("{'decisions':[],'broke':null}"), cycles.get(0));
        assertEquals(json("{'decisions':[{'bundle':'" + LEFT + "','reason':'Topics','children':["
                + "{'lower':0,'upper':9,'upper_included':false},{'lower':9,'upper':64,'upper_included':false}]}],"
                + "'broke':null}"), cycles.get(1));
        assertEquals(json("{'decisions':[],'broke':null}"), cycles.get(2));
    }

    @Test
    void extensibleLeavesOutWhatIsNotItsBusiness() {
        String foreign = own(load(LEFT, 2000, 0), false, "9");
        String uncut = own(load(LEFT, 2000, 0), true, "");
        String mine = own(load(LEFT, 2000, 0), true, "9");
        JsonNode cycles = extensible(0, cycle("", foreign), cycle("", uncut), cycle("'" + LEFT + "'", mine));
        for (JsonNode cycle : cycles) {
            assertEquals(json("{'decisions':[],'broke':null}"), cycle);
        }
    }

    @Test
    void splittingCanBeSwitchedOff() {
        String off = config(0).replace("'loadBalancerAutoBundleSplitEnabled':true",
                "'loadBalancerAutoBundleSplitEnabled':false");
        String hot = load(LEFT, 2000, 0);
        assertEquals(json("[[]]"), answer("splitting.due_modular", "{'config':" + off
                + ",'leader':true,'known_brokers':2,'rounds':[" + round(hot) + "]}").get("rounds"));
        assertEquals(json("[{'decisions':[],'broke':null}]"), answer("splitting.due_extensible", "{'config':" + off
                + ",'cycles':[" + cycle("", own(hot, true, "9")) + "]}").get("cycles"));
    }

    @Test
    void extensibleCycleBreaksAndTheNextGoesOn() {
        JsonNode cycles = extensible(0, cycle("", own(load(LEFT, 2000, 0), true, "0")),
                cycle("", own(load(LEFT, 2000, 0), true, "9")));
        assertEquals(json("{'decisions':[],'broke':'IllegalArgumentException'}"), cycles.get(0));
        assertEquals(1, cycles.get(1).get("decisions").size());
    }

    private static JsonNode modular(boolean leader, int brokers, String rounds) {
        return answer("splitting.due_modular", "{'config':" + config(0) + ",'leader':" + leader
                + ",'known_brokers':" + brokers + ",'rounds':[" + rounds + "]}").get("rounds");
    }

    private static JsonNode extensible(int threshold, String... cycles) {
        return answer("splitting.due_extensible", "{'config':" + config(threshold) + ",'cycles':["
                + String.join(",", cycles) + "]}").get("cycles");
    }

    private static String config(int threshold) {
        return "{'loadBalancerNamespaceBundleMaxTopics':1000,'loadBalancerNamespaceBundleMaxSessions':1000,"
                + "'loadBalancerNamespaceBundleMaxMsgRate':30000,'loadBalancerNamespaceBundleMaxBandwidthMbytes':100,"
                + "'loadBalancerNamespaceMaximumBundles':128,'loadBalancerAutoBundleSplitEnabled':true,"
                + "'loadBalancerNamespaceBundleSplitConditionHitCountThreshold':" + threshold
                + ",'loadBalancerMaxNumberOfBundlesToSplitPerCycle':10}";
    }

    private static String round(String... loads) {
        return "{'loads':[" + String.join(",", loads) + "]," + COUNTS + "}";
    }

    private static String cycle(String splitting, String... loads) {
        return "{'loads':[" + String.join(",", loads) + "]," + COUNTS + ",'splitting':[" + splitting + "]}";
    }

    private static String own(String load, boolean owned, String positions) {
        return "{'load':" + load + ",'owned':" + owned + ",'positions':[" + positions + "]}";
    }

    private static String load(String bundle, int topics, double rate) {
        return "{'bundle':'" + bundle + "','broker':'b','topics':" + topics + ",'producers':0,'consumers':0,"
                + "'msg_rate_in':" + rate + ",'msg_rate_out':0.0,'throughput_in':0.0,'throughput_out':0.0}";
    }
}
