package evenkeel.pulsar;

import static evenkeel.pulsar.Subject.answer;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

/** Several brokers and one bundle. */
class LocksQuestionTest {
    private static final String ANSWER = "{'do':'answer','broker':%d,'bundle':0}";

    @Test
    void theFirstTakesTheBundle() {
        JsonNode results = live(take(0), take(1));
        assertEquals("[['serving'],['none']]", text(results.get(3), "standings"));
        assertEquals("[{'number':4,'outcome':'owner','broker':0,'authoritative':false}]",
                text(results.get(5), "ended"));
        assertEquals("[0]", text(results.get(7), "holders"));
    }

    @Test
    void bothServeAfterTheEndOfASession() {
        JsonNode results = live(take(0), "{'do':'expire','broker':0}", take(1), "{'do':'settle'}");
        assertEquals("[['serving'],['serving']]", text(results.get(8), "standings"));
        assertEquals("[['none'],['serving']]", text(results.get(9), "standings"));
    }

    @Test
    void aLostReleaseIsNotTriedAgain() {
        JsonNode results = live(take(0), "{'do':'unload','broker':0,'bundle':0}",
                "{'do':'closed','broker':0,'bundle':0,'how':'timed out'}",
                "{'do':'fail','broker':0,'bundle':0,'done':false}",
                "{'do':'find','broker':1,'bundle':0,'preferred':1}");
        assertEquals("[{'number':4,'outcome':'failed','broker':null,'authoritative':false}]",
                text(results.get(6), "ended"));
        assertEquals("unloading", results.get(7).get("asked").get(1).get("outcome").textValue());
    }

    @Test
    void theLeaderDecides() {
        JsonNode results = live("{'do':'find','broker':1,'bundle':0,'preferred':1}");
        assertEquals("[{'number':1,'outcome':'redirect','broker':0,'authoritative':false},"
                + "{'number':0,'outcome':'redirect','broker':1,'authoritative':true},"
                + "{'number':1,'outcome':'owner','broker':1,'authoritative':false}]", text(results.get(0), "asked"));
    }

    private static String take(int broker) {
        String asked = "{'do':'lookup','broker':%d,'bundle':0,'authoritative':true,'read_only':false,'preferred':0}";
        String answered = String.format(ANSWER, broker);
        return String.join(",", String.format(asked, broker), answered, answered, answered);
    }

    private static JsonNode live(String... commands) {
        return answer("ownership.locks", "{'brokers':2,'bundles':[{'sort':'plain','broker':0}],'leader':0,'commands':["
                + String.join(",", commands) + "]}").get("results");
    }

    private static String text(JsonNode step, String field) {
        return step.get(field).toString().replace('"', '\'');
    }
}
