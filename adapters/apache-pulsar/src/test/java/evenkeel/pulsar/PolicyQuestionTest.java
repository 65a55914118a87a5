package evenkeel.pulsar;

import static evenkeel.pulsar.Subject.answer;
import static evenkeel.pulsar.Subject.json;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which limits are in force. */
class PolicyQuestionTest {
    private static final String NONE = "{'messages':-1,'bytes':-1,'period':1,'relative':false}";

    @ParameterizedTest
    @ValueSource(strings = {"classic", "bucket"})
    void theTopicsPolicyHidesTheNamespacesAndTheBrokers(String mechanism) {
        JsonNode results = policy(mechanism, config("-1", "1"), namespace("topic", rate(-1, 100)),
                topic("topic", rate(5, -1)), topic("topic", "null"), namespace("topic", "null"));
        assertEquals(limits(-1, 100), results.get(0).get("topic"));
        assertEquals(limits(5, -1), results.get(1).get("topic"));
        assertEquals(limits(-1, 100), results.get(2).get("topic"));
        assertEquals(limits(1, -1), results.get(3).get("topic"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "bucket"})
    void aPolicyWithoutAnyLimitIsNoPolicy(String mechanism) {
        JsonNode results = policy(mechanism, config("-1", "7"), namespace("topic", NONE),
                namespace("topic", rate(4, -1)), topic("topic", rate(0, 0)));
        assertEquals(limits(7, -1), results.get(0).get("topic"));
        assertEquals(limits(4, -1), results.get(1).get("topic"));
        assertEquals(limits(4, -1), results.get(2).get("topic"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "bucket"})
    void aSubscriptionHasLimitsOnceSomebodySubscribed(String mechanism) {
        JsonNode results = policy(mechanism, config("-1", "-1"), topic("subscription", rate(3, -1)),
                "{'do':'subscribe'}", "{'do':'subscribe'}", topic("subscription", rate(4, 9)));
        assertEquals(limits(-1, -1), results.get(0).get("subscription"));
        assertEquals(limits(3, -1), results.get(1).get("subscription"));
        assertEquals(limits(3, -1), results.get(2).get("subscription"));
        assertEquals(limits(4, 9), results.get(3).get("subscription"));
        assertEquals(limits(-1, -1), results.get(3).get("topic"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "bucket"})
    void theBrokersLimitsComeAndGoWithTheConfiguration(String mechanism) {
        String change = "{'do':'set_broker','config':%s}";
        JsonNode results = policy(mechanism, config("12", "-1"), String.format(change, config("20", "6")),
                String.format(change, config("-1", "-1")));
        assertEquals(limits(20, -1), results.get(0).get("broker"));
        assertEquals(limits(6, -1), results.get(0).get("topic"));
        assertEquals(limits(-1, -1), results.get(1).get("broker"));
        assertEquals(limits(-1, -1), results.get(1).get("topic"));
    }

    private static JsonNode policy(String mechanism, String start, String... commands) {
        return answer("throttling.policy", "{'mechanism':'" + mechanism + "','start':" + start + ",'commands':["
                + String.join(",", commands) + "]}").get("results");
    }

    private static String config(String broker, String topic) {
        return "{'broker':{'messages':" + broker + ",'bytes':-1},'topic':{'messages':" + topic
                + ",'bytes':-1},'subscription':{'messages':-1,'bytes':-1}}";
    }

    private static String rate(int messages, int bytes) {
        return "{'messages':" + messages + ",'bytes':" + bytes + ",'period':1,'relative':false}";
    }

    private static String namespace(String level, String rate) {
        return "{'do':'set_namespace','level':'" + level + "','rate':" + rate + "}";
    }

    private static String topic(String level, String rate) {
        return "{'do':'set_topic','level':'" + level + "','rate':" + rate + "}";
    }

    private static JsonNode limits(int messages, int bytes) {
        return json("{'messages':" + messages + ",'bytes':" + bytes + "}");
    }
}
