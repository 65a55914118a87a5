package evenkeel.pulsar;

import static evenkeel.pulsar.Subject.answer;
import static evenkeel.pulsar.Subject.broke;
import static evenkeel.pulsar.Subject.json;
import static evenkeel.pulsar.Subject.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

class BundleQuestionsTest {
    private static final String FOUR = "'boundaries':[0,1073741824,2147483648,3221225472,4294967295]";
    private static final String TOP_TOPIC = "persistent://public/default/maaoimoeiiea";

    @Test
    void topic() {
        assertEquals(json("{'name':'persistent://public/default/my-topic','domain':'persistent',"
                + "'namespace':'public/default','local_name':'my-topic',"
                + "'base_name':'persistent://public/default/my-topic','partition':null,'hash':732775927}"),
                answer("bundles.topic", "{'text':'my-topic'}"));
        JsonNode partition = answer("bundles.topic", "{'text':'non-persistent://t/n/x-partition-3'}");
        assertEquals(3, partition.get("partition").intValue());
        assertEquals("non-persistent://t/n/x", partition.get("base_name").textValue());
        assertEquals("non-persistent", partition.get("domain").textValue());
        assertEquals("IllegalArgumentException", refused("bundles.topic", "{'text':'a/b'}"));
    }

    @Test
    void legacyTopic() {
        assertEquals("t/c/n", answer("bundles.topic", "{'text':'persistent://t/c/n/x'}").get("namespace").textValue());
    }

    @Test
    void range() {
        assertEquals(json("{'range':{'lower':0,'upper':4294967295,'upper_included':true},"
                + "'name':'0x00000000_0xffffffff'}"), answer("bundles.range", "{'text':'0_4294967295'}"));
        assertEquals("NumberFormatException", refused("bundles.range", "{'text':'0x0_ff'}"));
        assertEquals("IllegalArgumentException", refused("bundles.range", "{'text':'0x0'}"));
    }

    @Test
    void rangeWithoutNumbersBreaks() {
        assertEquals("ArrayIndexOutOfBoundsException", broke("bundles.range", "{'text':'_'}"));
    }

    @Test
    void boundaries() {
        assertEquals(json("{'bundles':[{'lower':0,'upper':5,'upper_included':false},"
                + "{'lower':5,'upper':4294967295,'upper_included':true}]}"),
                answer("bundles.boundaries", "{'boundaries':[0,5,4294967295]}"));
        assertEquals(json("{'bundles':[{'lower':-5,'upper':4294967295,'upper_included':true}]}"),
                answer("bundles.boundaries", "{'boundaries':[-5,4294967295]}"));
        for (String illegal : new String[] {"", "0", "0,9", "0,9,5,4294967295", "0,4294967296,4294967295",
            "0,5,5,4294967295"}) {
            assertEquals("IllegalArgumentException",
                    refused("bundles.boundaries", "{'boundaries':[" + illegal + "]}"));
        }
    }

    @Test
    void creation() {
        assertEquals(json("[0,1431655765,2863311530,4294967295]"), created("3,'boundaries':null"));
        assertEquals(json("[0,2147483648,4294967295]"), created("0,'boundaries':null"));
        assertEquals(json("[0,2147483648,4294967295]"), created("0,'boundaries':['0','7','0xffffffff']"));
        assertEquals(json("[0,7,4294967295]"), created("1,'boundaries':['0xffffffff','7','0x7','0']"));
        assertEquals("400", refused("bundles.creation", creation("1,'boundaries':['1','0xffffffff']")));
        assertEquals("NumberFormatException", refused("bundles.creation", creation("1,'boundaries':['x']")));
    }

    @Test
    void hashLookup() {
        assertEquals(json("{'bundle':{'lower':1073741824,'upper':2147483648,'upper_included':false}}"),
                answer("bundles.hash_lookup", "{" + FOUR + ",'hash':1073741824}"));
        assertEquals("IndexOutOfBoundsException", broke("bundles.hash_lookup", "{" + FOUR + ",'hash':4294967295}"));
    }

    @Test
    void topicLookup() {
        JsonNode found = answer("bundles.topic_lookup", lookup("persistent://public/default/my-topic"));
        assertEquals(json("{'lower':0,'upper':1073741824,'upper_included':false}"), found.get("bundle"));
        assertEquals(1, found.get("holders").size());
        assertEquals(found.get("bundle"), found.get("holders").get(0));
        assertEquals("IllegalArgumentException", refused("bundles.topic_lookup", lookup("persistent://a/b/c")));
        assertEquals("IndexOutOfBoundsException", broke("bundles.topic_lookup", lookup(TOP_TOPIC)));
    }

    @Test
    void membership() {
        assertEquals(json("{'bundle':{'lower':0,'upper':1073741824,'upper_included':false}}"),
                answer("bundles.membership", "{" + FOUR + ",'lower':0,'upper':1073741824}"));
        assertTrue(answer("bundles.membership", "{" + FOUR + ",'lower':3221225472,'upper':4294967295}")
                .get("bundle").get("upper_included").booleanValue());
        assertEquals("IllegalArgumentException",
                refused("bundles.membership", "{" + FOUR + ",'lower':0,'upper':5}"));
        assertEquals("IndexOutOfBoundsException",
                broke("bundles.membership", "{" + FOUR + ",'lower':4294967295,'upper':4294967295}"));
    }

    private static String lookup(String topic) {
        return "{'namespace':'public/default'," + FOUR + ",'topic':'" + topic + "'}";
    }

    private static String creation(String countAndBoundaries) {
        return "{'default_count':2,'count':" + countAndBoundaries + "}";
    }

    private static JsonNode created(String countAndBoundaries) {
        return answer("bundles.creation", creation(countAndBoundaries)).get("boundaries");
    }
}
