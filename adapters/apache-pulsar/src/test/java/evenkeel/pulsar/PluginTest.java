package evenkeel.pulsar;

import static evenkeel.pulsar.Subject.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.example.FromFirst;
import com.example.ToOther;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.plugin.Chosen;
import evenkeel.pulsar.plugin.Unusable;
import org.apache.pulsar.broker.loadbalance.impl.AvgShedder;
import org.apache.pulsar.broker.loadbalance.impl.ThresholdShedder;
import org.junit.jupiter.api.Test;

/** Strategies by name, inside Pulsar's managers. */
class PluginTest {
    private static final String TWO_ON_FIRST = "{'name':'u0','node':'n0','load':4},{'name':'u1','node':'n0','load':2}";

    @Test
    void saysWhatItIsAskedAboutAndWhatItPromises() {
        Session session = session("--shedder", FromFirst.class.getName());
        JsonNode hello = session.reply("{\"type\":\"hello\",\"protocol\":1}");
        assertTrue(hello.get("version").textValue().endsWith(" FromFirst"), hello.toString());
        assertEquals(json("['contract.rebalance']"), hello.get("questions"));
        JsonNode promises = turn(session, "open", 0, "").path("answer").path("promises");
        assertTrue(promises.get("grace").booleanValue() && promises.get("places").booleanValue(), promises.toString());
    }

    @Test
    void whatTheModularManagerUnloadsMoves() {
        Session session = session("--shedder", FromFirst.class.getName());
        turn(session, "open", 0, "");
        assertEquals(json("{'moves':[{'unit':'u0','from':'n0','to':'n1'}]}"),
                turn(session, "rebalance", 0, TWO_ON_FIRST).get("answer"));
    }

    @Test
    void whatNobodyServesIsPlacedWhereThereIsLess() {
        Session session = session("--shedder", FromFirst.class.getName());
        turn(session, "open", 0, "");
        assertEquals(json("{'node':'n1'}"),
                turn(session, "place", 0, TWO_ON_FIRST + ",{'name':'asked','node':null,'load':1}").get("answer"));
    }

    @Test
    void anExceptionOfAStrategyIsABreakage() {
        Session session = session("--shedder", FromFirst.class.getName());
        turn(session, "open", 0, "");
        JsonNode broke = turn(session, "rebalance", 0, "{'name':'u0','node':'n0','load':null}").path("broke");
        assertEquals("NullPointerException", broke.path("reason").textValue());
        assertTrue(broke.get("detail").textValue().contains("FromFirst.java"), broke.toString());
    }

    @Test
    void theExtensibleManagerPassesTheGracePeriodOn() {
        Session session = session("--unload-strategy", ToOther.class.getName());
        turn(session, "open", 0, "");
        assertEquals(json("{'moves':[{'unit':'u1','from':'n0','to':'n1'}]}"),
                turn(session, "rebalance", 0, TWO_ON_FIRST).get("answer"));
        // Logged by the scheduler, and forgotten.
        JsonNode broke = turn(session, "rebalance", 2, TWO_ON_FIRST).path("broke");
        assertEquals("IllegalStateException", broke.path("reason").textValue());
        assertTrue(broke.get("detail").textValue().startsWith("it rests in evenkeel, at "), broke.toString());
        assertEquals(1, turn(session, "rebalance", 3, TWO_ON_FIRST).path("answer").path("moves").size());
    }

    @Test
    void whatCannotBeUsedIsOneSentence() {
        assertEquals("The class com.example.ToOther does not implement LoadSheddingStrategy but "
                + "NamespaceUnloadStrategy.", unusable("--shedder", ToOther.class.getName()));
        assertTrue(unusable("--shedder", "com.example.Missing").startsWith("There is no class com.example.Missing"));
        assertTrue(unusable("--shedder", ThresholdShedder.class.getName(), "--placement", AvgShedder.class.getName())
                .startsWith("Pulsar does not take "));
        assertTrue(unusable("--shedder", "A", "--selection", "B").endsWith("name strategies of one manager."));
        assertTrue(unusable("--shedder", "A", "--classpath", "nowhere.jar").startsWith("There is no file or folder"));
    }

    private static String unusable(String... options) {
        return assertThrows(Unusable.class, () -> new Questions(Chosen.of(options))).getMessage();
    }

    private static Session session(String... options) {
        return new Session(new Questions(Chosen.of(options)));
    }

    /** A turn with two equal nodes, and these units; the unit that is asked about is called asked. */
    private static ObjectNode turn(Session session, String what, int round, String units) {
        JsonNode message = json("{'type':'trial','id':1,'question':'contract.rebalance','trial':{'do':'" + what
                + "','round':" + round + ",'reported':" + round + ",'grace':2,'seed':0,'nodes':["
                + "{'name':'n0','capacity':1,'up':true},{'name':'n1','capacity':1,'up':true}],'units':[" + units
                + "],'unit':'asked'}}");
        return session.reply(message.toString());
    }
}
