package evenkeel.pulsar;

import static evenkeel.pulsar.Subject.answer;
import static evenkeel.pulsar.Subject.ask;
import static evenkeel.pulsar.Subject.json;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

/** Limits over time: the limiter of a topic, its counter and its bucket, and the limit on subscribing. */
class QuotaQuestionsTest {
    private static final String LOOK = "{'do':'look'}";

    @Test
    void theCounterCarriesExcessOver() {
        JsonNode results = quota("classic", rate(10, -1, 1), consume(30, 5), LOOK, advance(999), LOOK, advance(1), LOOK,
                advance(1000), LOOK, advance(1000), LOOK);
        assertEquals(json("{'do':'done'}"), results.get(0));
        assertEquals(left(0, -1), results.get(1));
        assertEquals(left(0, -1), results.get(3));
        assertEquals(left(0, -1), results.get(5));
        assertEquals(left(0, -1), results.get(7), "20 too many are two empty periods");
        assertEquals(left(10, -1), results.get(9));
    }

    @Test
    void periodsBeginWithTheFirstUse() {
        JsonNode results = quota("classic", rate(50, -1, 1), advance(950), consume(50, 0), advance(999), LOOK,
                advance(1), LOOK);
        assertEquals(left(0, -1), results.get(3));
        assertEquals(left(50, -1), results.get(5));
    }

    @Test
    void theBucketIsRefilledMoreThanAPeriodAfterItWasMade() {
        JsonNode results = quota("bucket", rate(50, -1, 1), advance(950), consume(50, 0), LOOK, advance(50), LOOK,
                advance(1), LOOK);
        assertEquals(left(0, -1), results.get(2));
        assertEquals(left(0, -1), results.get(4));
        assertEquals(left(50, -1), results.get(6));
    }

    @Test
    void anotherRateKeepsTheCountersDebtAndMakesANewBucket() {
        String[] commands = {consume(100, 0), "{'do':'configure','rate':" + rate(10, -1, 1) + "}", LOOK};
        assertEquals(left(0, -1), quota("classic", rate(10, -1, 1), commands).get(2));
        assertEquals(left(10, -1), quota("bucket", rate(10, -1, 1), commands).get(2));
    }

    @Test
    void aPeriodOfNothingIsRefusedByTheCounterOnly() {
        String trial = "{'mechanism':'%s','rate':" + rate(10, -1, 0) + ",'commands':[" + LOOK + "]}";
        assertEquals("IllegalArgumentException",
                Subject.refused("throttling.quota", String.format(trial, "classic")));
        assertEquals(left(10, -1), answer("throttling.quota", String.format(trial, "bucket")).get("results").get(0));
    }

    @Test
    void relativeLimitsAreAddedToThePublishRate() {
        String relative = "{'messages':10,'bytes':100,'period':1,'relative':true}";
        String publish = "{'do':'publish','messages':5,'bytes':50}";
        JsonNode results = quota("bucket", relative, LOOK, publish, "{'do':'configure','rate':" + relative + "}", LOOK);
        assertEquals(left(10, 100), results.get(0));
        assertEquals(left(15, 150), results.get(3));
    }

    @Test
    void aBucketsRefillWrapsAt64Bits() {
        JsonNode results = quota("bucket", rate(200_000_000, -1, 60), consume(200_000_000, 0), advance(60_001), LOOK);
        assertEquals(left(0, -1), results.get(2));
        results = quota("bucket", rate(150_000_000, -1, 60), consume(150_000_000, 0), advance(60_001), LOOK);
        assertEquals(left(150_000_000, -1), results.get(2));
    }

    @Test
    void aBucketFillsUpToItsCapacity() {
        JsonNode results = bucket(false, "100", "0", pass(5_000_000_000L), "{'do':'tokens'}", pass(5_000_000_000L),
                pass(5_000_000_000L), "{'do':'tokens'}", "{'do':'spend','tokens':150}", "{'do':'tokens'}",
                "{'do':'wait_for','tokens':1}", "{'do':'spend_and_check','tokens':-1}");
        assertEquals(json("{'do':'balance','tokens':50}"), results.get(1));
        assertEquals(json("{'do':'balance','tokens':100}"), results.get(4));
        assertEquals(json("{'do':'done'}"), results.get(5));
        assertEquals(json("{'do':'balance','tokens':-50}"), results.get(6));
        assertEquals(json("{'do':'wait','nanos':5100000000}"), results.get(7));
        assertEquals(json("{'do':'refused','reason':'IllegalArgumentException'}"), results.get(8));
    }

    @Test
    void aDynamicBucketFollowsItsRate() {
        JsonNode results = bucket(true, "null", "null", "{'do':'spend_and_check','tokens':10}",
                "{'do':'set_rate','rate':100}", pass(500_000_000), "{'do':'tokens'}");
        assertEquals(json("{'do':'checked','left':false}"), results.get(0));
        assertEquals(json("{'do':'balance','tokens':50}"), results.get(3));
    }

    @Test
    void theForgetfulCounterRefusesInsteadOfCarrying() {
        JsonNode results = counter("false", 3, take(2), take(2), take(1), LOOK, advance(1000), LOOK);
        assertEquals(taken(true), results.get(0));
        assertEquals(taken(false), results.get(1));
        assertEquals(taken(true), results.get(2));
        assertEquals(permits(0), results.get(3));
        assertEquals(permits(3), results.get(5));
    }

    @Test
    void aChangeToNoPeriodStopsTheCounterForGood() {
        JsonNode results = counter("true", 10, take(10), "{'do':'restart','rate':7,'period':0,'updated':null}",
                advance(5000), LOOK, take(1), advance(5000), LOOK);
        assertEquals(json("{'do':'refused','reason':'IllegalArgumentException'}"), results.get(1));
        assertEquals(permits(0), results.get(3));
        assertEquals(permits(0), results.get(6));
    }

    @Test
    void theRateIsRenewedAtAPeriodsEndAndAClosedCounterGrantsAll() {
        JsonNode results = counter("true", 10, take(25), "{'do':'restart','rate':10,'period':1000,'updated':100}",
                advance(1000), LOOK, "{'do':'set_rate','rate':20}", LOOK, "{'do':'close'}", take(1000), LOOK);
        assertEquals(permits(85), results.get(3));
        assertEquals(permits(5), results.get(5));
        assertEquals(taken(true), results.get(7));
        assertEquals(permits(5), results.get(8));
    }

    @Test
    void everyConsumerHasItsOwnAttempts() {
        String first = "{'do':'attempt','consumer':1}";
        String second = "{'do':'attempt','consumer':2}";
        JsonNode results = answer("throttling.subscribing", "{'rate':{'attempts':1,'period':2},'commands':["
                + String.join(",", first, first, second, advance(2000), first, "{'do':'reconfigure','rate':"
                + "{'attempts':0,'period':2}}", first, first) + "]}").get("results");
        assertEquals(allowed(true), results.get(0));
        assertEquals(allowed(false), results.get(1));
        assertEquals(allowed(true), results.get(2));
        assertEquals(allowed(true), results.get(4));
        assertEquals(allowed(true), results.get(6));
        assertEquals(allowed(true), results.get(7));
    }

    @Test
    void oneTrialLeavesNothingForTheNext() {
        for (int round = 0; round < 2; round++) {
            JsonNode results = quota("classic", rate(10, 100, 1), LOOK, consume(35, 350), LOOK);
            assertEquals(left(10, 100), results.get(0));
            assertEquals(left(0, 0), results.get(2));
        }
    }

    @Test
    void whatIsNotACommandIsTheTrialsFault() {
        String trial = "{'mechanism':'%s','rate':" + rate(1, 1, 1) + ",'commands':[{'do':'%s'}]}";
        for (String wrong : new String[] {String.format(trial, "classic", "sing"), String.format(trial, "tap", "look"),
                String.format(trial, "bucket", "consume")}) {
            assertEquals("error", ask("throttling.quota", wrong).get("type").textValue(), wrong);
        }
    }

    private static JsonNode quota(String mechanism, String rate, String... commands) {
        return answer("throttling.quota", "{'mechanism':'" + mechanism + "','rate':" + rate + ",'commands':["
                + String.join(",", commands) + "]}").get("results");
    }

    private static JsonNode bucket(boolean dynamic, String capacity, String initial, String... commands) {
        return answer("throttling.bucket", "{'rate':10,'period':1000000000,'resolution':16000000,'dynamic':" + dynamic
                + ",'capacity':" + capacity + ",'initial':" + initial + ",'commands':["
                + String.join(",", commands) + "]}").get("results");
    }

    private static JsonNode counter(String carries, int rate, String... commands) {
        return answer("throttling.counter", "{'carries':" + carries + ",'rate':" + rate
                + ",'period':1000,'commands':[" + String.join(",", commands) + "]}").get("results");
    }

    private static String rate(int messages, int bytes, int period) {
        return "{'messages':" + messages + ",'bytes':" + bytes + ",'period':" + period + ",'relative':false}";
    }

    private static String consume(int messages, int bytes) {
        return "{'do':'consume','messages':" + messages + ",'bytes':" + bytes + "}";
    }

    private static String advance(int millis) {
        return "{'do':'advance','millis':" + millis + "}";
    }

    private static String pass(long nanos) {
        return "{'do':'pass','nanos':" + nanos + "}";
    }

    private static String take(int permits) {
        return "{'do':'take','permits':" + permits + "}";
    }

    private static JsonNode left(int messages, int bytes) {
        return json("{'do':'left','messages':" + messages + ",'bytes':" + bytes + "}");
    }

    private static JsonNode taken(boolean granted) {
        return json("{'do':'taken','granted':" + granted + "}");
    }

    private static JsonNode permits(int available) {
        return json("{'do':'permits','available':" + available + "}");
    }

    private static JsonNode allowed(boolean allowed) {
        return json("{'do':'allowed','allowed':" + allowed + "}");
    }
}
