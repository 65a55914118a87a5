package evenkeel.pulsar;

import static evenkeel.pulsar.Subject.answer;
import static evenkeel.pulsar.Subject.json;
import static evenkeel.pulsar.Subject.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

/** The algorithms, and applying what they yield. */
class SplitQuestionsTest {
    private static final String TWO_TOPICS = topics(600, true);

    @Test
    void positions() {
        assertEquals(json("[2147483647]"), positions("range_equally_divide", "[]", "", false));
        assertEquals(json("[]"), positions("topic_count_equally_divide", "[]", "", false));
        assertEquals(json("[3009729821]"), positions("topic_count_equally_divide", "[]", TWO_TOPICS, false));
        assertEquals(json("[3009729822]"), positions("flow_or_qps_equally_divide", "[]", TWO_TOPICS, false));
        assertEquals(json("[]"), positions("flow_or_qps_equally_divide", "[]", topics(600, false), false));
        assertEquals(json("[]"), positions("flow_or_qps_equally_divide", "[]", topics(400, true), false));
    }

    @Test
    void specifiedPositions() {
        assertEquals(json("[5,5,7]"), positions("specified_positions_divide", "[7,5,0,5]", TWO_TOPICS, false));
        assertEquals(json("[]"), positions("specified_positions_divide", "[7]", "", false));
        assertEquals(json("[7]"), positions("specified_positions_divide", "[7]", "", true));
        assertEquals("IllegalArgumentException",
                refused("splitting.positions", trial("specified_positions_divide", "[]", TWO_TOPICS, false)));
    }

    @Test
    void apply() {
        assertEquals(json("{'boundaries':[0,5,7,64,4294967295],'children':["
                + "{'lower':0,'upper':5,'upper_included':false},{'lower':5,'upper':7,'upper_included':false},"
                + "{'lower':7,'upper':64,'upper_included':false}]}"), answer("splitting.apply", apply(64, "7,5")));
        assertEquals("NotFound", refused("splitting.apply", apply(65, "5")));
        assertEquals("IllegalArgumentException", refused("splitting.apply", apply(64, "5,5")));
        assertEquals("IllegalArgumentException", refused("splitting.apply", apply(64, "0")));
    }

    private static String apply(int upper, String positions) {
        return "{'boundaries':[0,64,4294967295],'target':{'lower':0,'upper':" + upper + "},'positions':["
                + positions + "]}";
    }

    private static JsonNode positions(String algorithm, String positions, String topics, boolean forced) {
        return answer("splitting.positions", trial(algorithm, positions, topics, forced)).get("positions");
    }

    private static String trial(String algorithm, String positions, String topics, boolean forced) {
        return "{'algorithm':'" + algorithm + "','bundle':{'lower':0,'upper':4294967295},'topics':[" + topics
                + "],'positions':" + positions + ",'forced':" + forced
                + ",'limits':{'loadBalancerNamespaceBundleMaxMsgRate':1000,"
                + "'loadBalancerNamespaceBundleMaxBandwidthMbytes':100,"
                + "'flowOrQpsDifferenceThresholdPercentage':10}}";
    }

    private static String topics(double rate, boolean reported) {
        return topic("a", rate, true) + "," + topic("b", rate, reported);
    }

    private static String topic(String name, double rate, boolean reported) {
        return "{'topic':'persistent://public/default/" + name + "','msg_rate_in':" + rate
                + ",'msg_rate_out':0.0,'throughput_in':0.0,'throughput_out':0.0,'reported':" + reported + "}";
    }
}
