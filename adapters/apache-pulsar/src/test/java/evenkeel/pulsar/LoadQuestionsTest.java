package evenkeel.pulsar;

import static evenkeel.pulsar.Subject.answer;
import static evenkeel.pulsar.Subject.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

/** Usage, averages, histories, reports and top bundles. */
class LoadQuestionsTest {
    private static final String A = "tenant/ns/0x00000000_0x40000000";
    private static final String B = "tenant/ns/0x40000000_0x80000000";
    private static final String WEIGHTS =
            "{'cpu':1.0,'memory':0.0,'direct_memory':0.0,'bandwidth_in':1.0,'bandwidth_out':1.0}";
    private static final String RULES =
            "{'threshold':10,'max_interval':15,'weights':" + WEIGHTS + ",'history':0.9}";

    @Test
    void percentagesAreInSinglePrecision() {
        JsonNode found = usage("30.0", 1.0);
        assertEquals(30.000001907348633, found.get("cpu").doubleValue());
        assertEquals(0.30000001907348633, found.get("weighted").doubleValue());
        assertEquals(0.30000001192092896, found.get("unweighted").doubleValue());
        assertEquals(0.30000001907348633, found.get("unweighted_extensible").doubleValue());
    }

    @Test
    void whatIsNotANumberIsPassedOver() {
        JsonNode found = usage("null", 1.0);
        assertTrue(found.get("cpu").isNull());
        assertEquals(0.2, found.get("weighted").doubleValue());
    }

    @Test
    void theOldNameOfAWeightCounts() {
        assertEquals(0.5, usage("0.0", 0.5).get("weight_in").doubleValue());
    }

    @Test
    void averagesArePlainAndThenMoving() {
        String samples = "{'start':'unseen','quota':" + traffic(0) + ",'samples':[" + samples(100, 10) + ","
                + samples(0, 1) + "]}";
        JsonNode averages = answer("load.bundle_averages", samples).get("averages");
        assertEquals(50.0, rateIn(averages.get(0), "short_term"), "what is guessed");
        assertEquals(100.0, rateIn(averages.get(1), "short_term"));
        assertEquals(90.0, rateIn(averages.get(2), "short_term"));
        assertEquals(1000.0 / 11, rateIn(averages.get(2), "long_term"));
    }

    @Test
    void aQuotaCountsAsHistory() {
        String samples = "{'start':'quota','quota':" + traffic(100) + ",'samples':[" + samples(0, 1) + "]}";
        JsonNode averages = answer("load.bundle_averages", samples).get("averages");
        assertEquals(100.0, rateIn(averages.get(0), "long_term"));
        assertEquals(90.0, rateIn(averages.get(1), "short_term"));
        assertEquals(99.9, rateIn(averages.get(1), "long_term"));
    }

    @Test
    void everyNotificationIsASample() {
        JsonNode results = answer("load.leader", "{'commands':[" + publish("one", A, 100) + ","
                + publish("two", B, 1) + ",{'do':'write'}," + publish("one", A, 0) + "]}").get("results");
        JsonNode bundle = results.get(3).get("bundles").get(0);
        assertEquals(A, bundle.get("bundle").textValue());
        assertEquals(4, bundle.get("averages").get("long_samples").intValue());
        assertEquals(75.0, rateIn(bundle.get("averages"), "long_term"));
    }

    @Test
    void bundlesThatNobodyReportsAreForgotten() {
        JsonNode results = answer("load.leader", "{'commands':[" + publish("one", A, 100) + ","
                + publish("two", B, 1) + ",{'do':'leave','broker':'one'}]}").get("results");
        assertEquals(2, results.get(1).get("bundles").size());
        assertEquals(1, results.get(2).get("bundles").size());
        assertEquals(1, results.get(2).get("brokers").size());
    }

    @Test
    void looksAreSmoothed() {
        JsonNode results = history("threshold_shedder", look(80, 1), look(50, 1), "{'do':'active','brokers':[]}",
                look(5, 1));
        assertEquals(0.8, results.get(0).get("mean").doubleValue());
        assertEquals(0.77, score(results.get(1)), 1e-12);
        assertEquals(0.05, score(results.get(3)));
    }

    @Test
    void idleBrokersStartAfreshInPlacementOnly() {
        assertEquals(0.05, score(history("least_resource_usage", look(90, 1), look(5, 0)).get(1)));
        assertEquals(0.815, score(history("threshold_shedder", look(90, 1), look(5, 0)).get(1)), 1e-7);
    }

    @Test
    void aFailedReportRestartsTheLongestInterval() {
        JsonNode results = modular(check(0, 50, false), check(900, 50, false), check(1, 50, true), check(5, 50, false),
                check(896, 50, false));
        assertEquals("[true,false,true,false,true]", sent(results));
    }

    @Test
    void changesAreReportedAboveTheThreshold() {
        JsonNode results = modular(check(0, 50, false), check(5, 40, false), check(5, 39, false), check(5, 39, false));
        assertEquals("[true,false,true,false]", sent(results), "50 to 40 is not more than 10 points");
    }

    @Test
    void publishedAveragesLag() {
        JsonNode results = extensible(load(10), load(90), load(90), load(90), load(90));
        assertEquals("[true,true,false,false,false]", sent(results));
        assertEquals(0.9 - 0.8 * Math.pow(0.9, 4), results.get(4).get("weighted_max").doubleValue(), 1e-7);
    }

    @Test
    void aChangeOfBundlesClearsAndRemoves() {
        JsonNode results = extensible(load(90), owned(0, false), owned(9, false), owned(1, false), load(20));
        assertEquals("[true,true,false,true,true]", sent(results));
        assertEquals(1.0, results.get(1).get("weighted_max").doubleValue());
        assertEquals(0.2, results.get(4).get("weighted_max").doubleValue());
    }

    @Test
    void aRemovalThatFailedDoesNotCount() {
        assertEquals("[true,true,false]", sent(extensible(owned(0, true), owned(1, false), owned(1, false))));
    }

    @Test
    void theHeaviestAreListedTheLightestFirst() {
        assertEquals(json("['" + B + "','" + A + "']"), top(10, "", ""));
        assertEquals(json("['" + A + "']"), top(1, "", ""));
        assertEquals(json("[]"), top(10, "'tenant/ns'", ""));
        assertEquals(2, top(10, "'tenant/n.'", "").size(), "a name, not an expression");
        assertEquals(json("[]"), top(10, "", "'tenant/ns'"));
    }

    @Test
    void wantingNoneBreaks() {
        assertEquals("IndexOutOfBoundsException", Subject.broke("load.top_bundles", topTrial(-1, "", "")));
    }

    @Test
    void listsWaitForStatistics() {
        String commands = String.join(",", checkTop(1), checkTop(1), owned(0, false), checkTop(1), checkTop(2));
        JsonNode results = answer("load.top_report", "{'commands':[" + commands + "]}").get("results");
        assertEquals("[true,false,true,false,true]", sent(results));
        assertEquals(json("['" + A + "']"), results.get(4).get("bundles"));
    }

    private static String checkTop(int statistics) {
        return "{'do':'check','after':5,'statistics':" + statistics + ",'bundles':[{'bundle':'" + A
                + "','traffic':{'msg_rate_in':0.0,'msg_rate_out':0.0,'throughput_in':1e6,'throughput_out':0.0},"
                + "'topics':1,'producers':0,'consumers':0,'cache':0}],'force':false,'store_fails':false}";
    }

    private static JsonNode usage(String cpu, double misspelt) {
        String rest = "{'usage':20.0,'limit':100.0}";
        return answer("load.usage", "{'cpu':{'usage':" + cpu + ",'limit':100.0},'memory':" + rest
                + ",'direct_memory':" + rest + ",'bandwidth_in':" + rest + ",'bandwidth_out':" + rest
                + ",'weights':" + WEIGHTS + ",'misspelt_in':" + misspelt + ",'misspelt_out':1.0}");
    }

    private static String traffic(int rate) {
        return "{'msg_rate_in':" + rate + ".0,'msg_rate_out':0.0,'throughput_in':0.0,'throughput_out':0.0}";
    }

    private static String samples(int rate, int times) {
        return "{'traffic':" + traffic(rate) + ",'topics':1,'times':" + times + "}";
    }

    private static double rateIn(JsonNode averages, String term) {
        return averages.get(term).get("msg_rate_in").doubleValue();
    }

    private static String publish(String broker, String bundle, int rate) {
        return "{'do':'publish','broker':'" + broker + "','bundles':[{'bundle':'" + bundle + "','traffic':"
                + traffic(rate) + ",'topics':1}]}";
    }

    private static String look(int cpu, int bundles) {
        return "{'do':'look','brokers':[{'broker':'one','cpu':" + cpu + ".0,'bundles':" + bundles
                + ",'msg_rate':1.0}]}";
    }

    private static JsonNode history(String keeper, String... commands) {
        return answer("load.history", "{'keeper':'" + keeper + "','weight':0.9,'commands':["
                + String.join(",", commands) + "]}").get("results");
    }

    private static double score(JsonNode result) {
        return result.get("scores").get(0).get("score").doubleValue();
    }

    private static String resources(int cpu) {
        String none = "{'usage':0.0,'limit':0.0}";
        return "{'cpu':{'usage':" + cpu + ".0,'limit':100.0},'memory':" + none + ",'direct_memory':" + none
                + ",'bandwidth_in':" + none + ",'bandwidth_out':" + none + "}";
    }

    private static String check(int after, int cpu, boolean fails) {
        return "{'after':" + after + ",'resources':" + resources(cpu)
                + ",'bundles':[],'force':false,'connected':true,'store_fails':" + fails + "}";
    }

    private static JsonNode modular(String... checks) {
        return answer("load.report_modular",
                "{'rules':" + RULES + ",'commands':[" + String.join(",", checks) + "]}").get("results");
    }

    private static String load(int cpu) {
        return "{'do':'check','after':5,'resources':" + resources(cpu) + ",'traffic':" + traffic(100)
                + ",'bundles':1,'force':false,'store_fails':false}";
    }

    private static String owned(int after, boolean fails) {
        return "{'do':'heard','after':" + after + ",'state':'owned','source':false,'destination':true,"
                + "'failed':false,'store_fails':" + fails + "}";
    }

    private static JsonNode extensible(String... commands) {
        return answer("load.report_extensible",
                "{'rules':" + RULES + ",'commands':[" + String.join(",", commands) + "]}").get("results");
    }

    /** Which of the results were sent to the store, load data and removals alike. */
    private static String sent(JsonNode results) {
        StringBuilder found = new StringBuilder();
        for (JsonNode result : results) {
            JsonNode sent = result.has("sent") ? result.get("sent") : result.get("removed");
            found.append(found.isEmpty() ? "[" : ",").append(sent.booleanValue());
        }
        return found.append("]").toString();
    }

    private static String topTrial(int most, String isolated, String grouped) {
        String bundle = "{'bundle':'%s','traffic':{'msg_rate_in':0.0,'msg_rate_out':0.0,'throughput_in':%s,"
                + "'throughput_out':0.0},'topics':1,'producers':0,'consumers':0,'cache':0}";
        return "{'bundles':[" + String.format(bundle, B, "1e6") + "," + String.format(bundle, A, "3e6")
                + "],'rules':{'most':" + most + ",'with_policies':false,'isolated':[" + isolated
                + "],'grouped':[" + grouped + "]}}";
    }

    private static JsonNode top(int most, String isolated, String grouped) {
        return answer("load.top_bundles", topTrial(most, isolated, grouped)).get("bundles");
    }
}
