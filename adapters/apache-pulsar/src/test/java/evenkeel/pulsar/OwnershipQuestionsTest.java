package evenkeel.pulsar;

import static evenkeel.pulsar.Subject.answer;
import static evenkeel.pulsar.Subject.broke;
import static evenkeel.pulsar.Subject.json;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

/** Records of the channel, and the channels of two brokers. */
class OwnershipQuestionsTest {
    @Test
    void transition() {
        assertEquals(json("{'allowed':true}"), answer("ownership.transition",
                "{'storage':'SystemTopic','before':'Init','after':'Owned'}"));
        assertEquals(json("{'allowed':false}"), answer("ownership.transition",
                "{'storage':'MetadataStore','before':'Init','after':'Owned'}"));
    }

    @Test
    void conflict() {
        assertEquals(json("{'accepted':true}"), answer("ownership.conflict", conflict("'b0'", "SystemTopic", 3)));
        assertEquals(json("{'accepted':false}"), answer("ownership.conflict", conflict("'b0'", "MetadataStore", 3)));
        assertEquals("NullPointerException", broke("ownership.conflict", conflict("null", "SystemTopic", 2)));
    }

    private static String conflict(String owner, String storage, int version) {
        return "{'storage':'" + storage + "','current':{'state':'Owned','destination':" + owner
                + ",'source':'b1','version':1,'force':false},'update':{'state':'Splitting','destination':null,"
                + "'source':'b0','version':" + version + ",'force':false}}";
    }

    @Test
    void anAssignmentIsReadAndAnswered() {
        JsonNode steps = channel("{'do':'assign','broker':0,'bundle':'parent','to':1},{'do':'read','broker':1},"
                + "{'do':'read','broker':1},{'do':'read','broker':0},{'do':'read','broker':0}");
        assertEquals(json("[{'writer':1,'bundle':'parent','record':{'state':'Owned','destination':'b1',"
                + "'source':null,'version':2,'force':false},'stands':true}]"), steps.get(1).get("wrote"));
        assertEquals(json("[{'broker':1,'hashes':['left','right']}]"), steps.get(2).get("serves"));
        assertEquals(json("[{'ticket':0,'end':'owner','owner':1}]"), steps.get(4).get("ended"));
    }

    @Test
    void aLookupThatNobodyAnswersEndsInVirtualTime() {
        JsonNode steps = channel("{'do':'assign','broker':0,'bundle':'other','to':1},"
                + "{'do':'elapse','millis':29000},{'do':'elapse','millis':1000}");
        assertEquals(json("[]"), steps.get(1).get("ended"));
        assertEquals(json("[{'ticket':0,'end':'none','owner':null}]"), steps.get(2).get("ended"));
    }

    @Test
    void aCrashedBrokersBundleIsOverridden() {
        JsonNode steps = channel("{'do':'assign','broker':0,'bundle':'parent','to':1},{'do':'read','broker':1},"
                + "{'do':'read','broker':1},{'do':'crash','broker':1},{'do':'notice','broker':0},"
                + "{'do':'clean','broker':0}");
        assertEquals(json("[{'writer':0,'bundle':'parent','record':{'state':'Owned','destination':'b0',"
                + "'source':'b1','version':3,'force':true},'stands':true}]"), steps.get(5).get("wrote"));
    }

    private static JsonNode channel(String commands) {
        return answer("ownership.channel",
                "{'storage':'SystemTopic','brokers':2,'commands':[" + commands + "]}").get("steps");
    }
}
