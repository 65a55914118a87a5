package evenkeel.pulsar;

import static evenkeel.pulsar.Subject.answer;
import static evenkeel.pulsar.Subject.json;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/** A namespace's boundaries over time. */
class LifeQuestionTest {
    private static final String READ = "{'do':'read'}";

    @Test
    void splitIsStoredTwiceAndSeen() {
        JsonNode results = live(split("64", "5,9", ""), READ, "{'do':'look_up','topic':'persistent://t/n/x'}");
        assertEquals(json("{'do':'split_done','children':[{'lower':0,'upper':5,'upper_included':false},"
                + "{'lower':5,'upper':9,'upper_included':false},{'lower':9,'upper':64,'upper_included':false}]}"),
                results.get(0));
        assertEquals(stored("[0,5,9,64,4294967295]", "", 1), results.get(1));
        assertEquals(json("{'do':'found','bundle':{'lower':64,'upper':4294967295,'upper_included':true}}"),
                results.get(2));
    }

    @Test
    void groupsSurviveSplitsAndReloads() {
        JsonNode results = live("{'do':'set_group','group':'g'}", split("64", "5", ""), "{'do':'reload'}", READ,
                "{'do':'set_group','group':''}", READ);
        assertEquals(json("{'do':'done'}"), results.get(0));
        assertEquals(json("{'do':'done'}"), results.get(2));
        assertEquals(stored("[0,5,64,4294967295]", "g", 2), results.get(3));
        assertEquals(stored("[0,5,64,4294967295]", "", 3), results.get(5));
    }

    @Test
    void sevenRivalsAreOvercomeAndEightAreNot() {
        String touch = "{'do':'touch'}";
        String seven = String.join(",", Collections.nCopies(7, touch));
        JsonNode results = live(split("64", "5", seven), READ);
        assertEquals("split_done", results.get(0).get("do").textValue());
        assertEquals(stored("[0,5,64,4294967295]", "", 8), results.get(1));
        results = live(split("64", "5", seven + "," + touch), READ);
        assertEquals(json("{'do':'refused','reason':'ServiceUnitNotReadyException'}"), results.get(0));
        assertEquals(stored("[0,64,4294967295]", "", 8), results.get(1));
    }

    @Test
    void rivalSplitsStay() {
        String elsewhere = "{'do':'split','bundle':{'lower':64,'upper':4294967295},'position':99}";
        JsonNode results = live(split("64", "5", elsewhere), READ);
        assertEquals(stored("[0,5,64,99,4294967295]", "", 2), results.get(1));
        String same = "{'do':'split','bundle':{'lower':0,'upper':64},'position':9}";
        results = live(split("64", "5", same), READ);
        assertEquals("refused", results.get(0).get("do").textValue());
        assertEquals(stored("[0,9,64,4294967295]", "", 1), results.get(1));
    }

    @Test
    void whatCannotBeSplit() {
        JsonNode results = live(split("65", "5", ""), split("64", "64", ""), split("64", "", ""), READ);
        assertEquals("refused", results.get(0).get("do").textValue());
        assertEquals(json("{'do':'split_done','children':[]}"), results.get(1));
        assertEquals(json("{'do':'refused','reason':'IllegalArgumentException'}"), results.get(2));
        assertEquals(stored("[0,64,4294967295]", "", 0), results.get(3));
    }

    @Test
    void aRepeatedPositionHangsAndTheNextTrialIsFine() {
        JsonNode results = live(split("64", "5,5", ""), READ);
        assertEquals(json("{'do':'broke','reason':'NeverCompletes'}"), results.get(0));
        assertEquals(stored("[0,64,4294967295]", "", 0), results.get(1));
        assertEquals(stored("[0,64,4294967295]", "", 0), live(READ).get(0));
    }

    @Test
    void theTopHashBreaksLookup() {
        String topic = "{'do':'look_up','topic':'persistent://public/default/maaoimoeiiea'}";
        JsonNode results = answer("splitting.life", "{'namespace':'public/default','boundaries':[0,64,4294967295],"
                + "'commands':[" + topic + "]}").get("results");
        assertEquals(json("{'do':'broke','reason':'IndexOutOfBoundsException'}"), results.get(0));
    }

    private static JsonNode live(String... commands) {
        return answer("splitting.life", "{'namespace':'t/n','boundaries':[0,64,4294967295],'commands':["
                + String.join(",", commands) + "]}").get("results");
    }

    private static String split(String upper, String positions, String rivals) {
        return "{'do':'split','bundle':{'lower':0,'upper':" + upper + "},'positions':[" + positions
                + "],'rivals':[" + rivals + "]}";
    }

    private static JsonNode stored(String boundaries, String group, int version) {
        return json("{'do':'stored','boundaries':" + boundaries + ",'copy':" + boundaries + ",'group':'" + group
                + "','version':" + version + "}");
    }
}
