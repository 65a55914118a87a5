package evenkeel.pulsar;

import static evenkeel.pulsar.Subject.answer;
import static evenkeel.pulsar.Subject.json;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

/** How much a dispatcher reads, and the estimates that it uses. */
class ReadingQuestionsTest {
    private static final int MEGABYTES = 5 * 1024 * 1024;

    @Test
    void theSmallestOfAllLevelsCounts() {
        for (String reader : new String[] {"shared", "exclusive"}) {
            JsonNode limits = limits("'reader':'" + reader + "','broker':{'messages':7,'bytes':-1},"
                    + "'topic':{'messages':3,'bytes':1000},'subscription':{'messages':5,'bytes':400}");
            assertEquals(read(3, 400), limits, reader);
        }
    }

    @Test
    void withoutLimitersTheBatchCounts() {
        assertEquals(read(100, MEGABYTES), limits("'reader':'shared'"));
        assertEquals(read(1, MEGABYTES), limits("'reader':'shared','writable':false"));
        assertEquals(read(40, MEGABYTES), limits("'reader':'exclusive','permits':40"));
    }

    @Test
    void aQuotaThatIsUsedUpBlocksForASecond() {
        JsonNode blocked = json("{'entries':-1,'bytes':-1,'reread':1000}");
        for (String reader : new String[] {"shared", "exclusive"}) {
            String of = "'reader':'" + reader + "',";
            assertEquals(blocked, limits(of + "'topic':{'messages':0,'bytes':-1}"));
            assertEquals(blocked, limits(of + "'subscription':{'messages':5,'bytes':0}"));
            assertEquals(read(100, 1), limits(of + "'broker':{'messages':-1,'bytes':1}"));
        }
    }

    @Test
    void consumersWithoutBacklogMayGoUnlimited() {
        String quota = "'reader':'shared','topic':{'messages':0,'bytes':0},'cursor_active':%s,"
                + "'dispatchThrottlingOnNonBacklogConsumerEnabled':%s";
        assertEquals(read(100, MEGABYTES), limits(String.format(quota, "true", "false")));
        assertEquals(-1, limits(String.format(quota, "true", "true")).get("entries").intValue());
        assertEquals(-1, limits(String.format(quota, "false", "false")).get("entries").intValue());
    }

    @Test
    void precisionDividesPermitsAndNotTheQuota() {
        String precise = "'preciseDispatcherFlowControl':true,'average_messages':6,";
        for (String reader : new String[] {"'reader':'shared'", "'reader':'exclusive'"}) {
            assertEquals(2, limits(precise + reader + ",'permits':10").get("entries").intValue());
            JsonNode limited = limits(precise + reader + ",'topic':{'messages':10,'bytes':-1}");
            assertEquals(10, limited.get("entries").intValue());
        }
    }

    @Test
    void noSecondReadBesideAReplayAndNoLookIsPlanned() {
        assertEquals(json("{'entries':-1,'bytes':-1,'reread':null}"),
                limits("'reader':'shared','replay_outstanding':true"));
        assertEquals(read(100, MEGABYTES), limits("'reader':'shared'"));
    }

    @Test
    void quotasAreCutTo32Bits() {
        assertEquals(-1, limits("'reader':'shared','topic':{'messages':4294967296,'bytes':-1}")
                .get("entries").intValue());
    }

    @Test
    void averagesFollowSlowlyFromTheFirstSend() {
        assertEquals(json("{'averages':[1,2,3,3,4,5]}"), averages("1,1", "10,1", "10,1", "10,1", "10,1", "10,1"));
        assertEquals(json("{'averages':[6,6]}"), averages("60,10", "1,1"));
        assertEquals(json("{'averages':[]}"), averages());
    }

    @Test
    void bytesAreSharedOutByTheLedgersEntrySizes() {
        for (int[] pair : new int[][] {{1, 1}, {163, 1}, {164, 1}, {328, 2}, {1000, 6}, {1640, 10}, {5000, 30}}) {
            assertEquals(pair[1], entries(100, pair[0], "{'entries':10,'bytes':1000}", true, 0), "bytes " + pair[0]);
        }
        assertEquals(7, entries(7, 5000, "{'entries':10,'bytes':1000}", true, 0));
        assertEquals(100, entries(100, -1, "{'entries':10,'bytes':1000}", true, 0));
    }

    @Test
    void aReadRunsFromOneLedgerIntoTheNext() {
        String ledgers = "{'entries':2,'bytes':200},{'entries':10,'bytes':10000}";
        for (boolean writable : new boolean[] {false, true}) {
            assertEquals(3, entries(100, 2 * 164 + 1064, ledgers, writable, 0));
            assertEquals(2, entries(100, 2 * 1064, ledgers, writable, 1));
        }
    }

    private static JsonNode limits(String overrides) {
        ObjectNode trial = (ObjectNode) json("{'permits':1000,'average_messages':0,'writable':true,"
                + "'cursor_active':false,'replay_outstanding':false,'dispatcherMaxReadBatchSize':100,"
                + "'dispatcherMaxReadSizeBytes':" + MEGABYTES + ",'preciseDispatcherFlowControl':false,"
                + "'dispatchThrottlingOnBatchMessageEnabled':false,"
                + "'dispatchThrottlingOnNonBacklogConsumerEnabled':true,'broker':null,'topic':null,"
                + "'subscription':null}");
        trial.setAll((ObjectNode) json("{" + overrides + "}"));
        return answer("throttling.read_limits", trial.toString());
    }

    private static JsonNode read(int entries, int bytes) {
        return json("{'entries':" + entries + ",'bytes':" + bytes + ",'reread':null}");
    }

    private static JsonNode averages(String... sends) {
        StringBuilder list = new StringBuilder();
        for (String send : sends) {
            String[] parts = send.split(",");
            list.append(list.length() == 0 ? "" : ",")
                    .append("{'messages':").append(parts[0]).append(",'entries':").append(parts[1]).append('}');
        }
        return answer("throttling.averages", "{'sends':[" + list + "]}");
    }

    private static int entries(int most, long bytes, String ledgers, boolean writable, int ledger) {
        return answer("throttling.entries_for_bytes", "{'max_entries':" + most + ",'max_bytes':" + bytes
                + ",'ledgers':[" + ledgers + "],'writable':" + writable + ",'position':{'ledger':" + ledger
                + ",'entry':0},'publish_size':null,'dispatch_size':null}").get("entries").intValue();
    }
}
