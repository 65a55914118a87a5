package evenkeel.pulsar;

import static evenkeel.pulsar.Subject.answer;
import static evenkeel.pulsar.Subject.json;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/** What Pulsar's dispatchers read, deliver and charge. */
class LoopQuestionTest {
    private static final String TAKES = "{'do':'flow','subscription':0,'permits':1000},";
    private static final String READ = "{'do':'read','subscription':0}";
    private static final String COMES = "{'do':'complete','subscription':0,'replay':false}";

    @Test
    void aSharedDeliveryIsChargedAtOnce() {
        assertEquals(json("[{'do':'delivered','subscription':0,'again':false,'messages':2,'bytes':20,'entries':[0,1]},"
                        + "{'do':'charged','subscription':0,'units':2,'bytes':20,"
                        + "'levels':['broker','topic','subscription']}]"),
                last("'shared'", 2, TAKES + READ + "," + COMES));
    }

    @Test
    void anExclusiveDeliveryIsChargedWhenItWasWritten() {
        String delivered = TAKES + READ + "," + COMES;
        assertEquals(1, last("'exclusive'", 2, delivered).size());
        assertEquals("charged", last("'exclusive'", 2, delivered + ",{'do':'written','subscription':0,"
                + "'succeeded':true}").get(0).get("do").textValue());
        assertEquals(0, last("'exclusive'", 2, delivered + ",{'do':'written','subscription':0,"
                + "'succeeded':false}").size());
    }

    @Test
    void aDispatcherWithoutQuotaLooksAgainAfterASecond() {
        String used = TAKES + READ + "," + COMES + "," + READ;
        assertEquals(json("[{'do':'blocked','subscription':0,'reread_at':1000}]"), last("'shared'", 9, used));
        assertEquals(json("[{'do':'read_issued','subscription':0,'replay':false,'entries':3,'quota_bytes':5242880}]"),
                last("'shared'", 9, used + ",{'do':'advance','millis':1000}"));
    }

    @Test
    void onlyAReadThatWaitsIsGivenUpWithItsConsumer() {
        String changed = TAKES + READ + ",{'do':'change_consumer','subscription':0}," + COMES;
        assertEquals("no such read is outstanding", last("'shared'", 0, changed).get(0).get("reason").textValue());
        assertEquals("the consumer changed since the read",
                last("'shared'", 2, changed).get(0).get("reason").textValue());
    }

    /** What the last command shows, of a topic of so many entries with a limit of three messages. */
    private static JsonNode last(String sort, int entries, String commands) {
        String none = "{'messages':-1,'bytes':-1,'period':1,'relative':false}";
        JsonNode results = answer("throttling.loop", "{'settings':{'mechanism':'classic',"
                + "'dispatcherMaxReadBatchSize':100,'dispatcherMaxReadSizeBytes':5242880,"
                + "'dispatcherMaxRoundRobinBatchSize':20,'preciseDispatcherFlowControl':false,"
                + "'dispatchThrottlingOnBatchMessageEnabled':false,"
                + "'dispatchThrottlingOnNonBacklogConsumerEnabled':true},'rates':{'broker':" + none
                + ",'topic':{'messages':3,'bytes':-1,'period':1,'relative':false},'subscription':" + none
                + "},'topics':[{'entries':[" + String.join(",", Collections.nCopies(entries,
                "{'messages':1,'bytes':10}")) + "],'subscriptions':[" + sort + "]}],'commands':[" + commands + "]}")
                .get("results");
        return results.get(results.size() - 1).get("events");
    }
}
