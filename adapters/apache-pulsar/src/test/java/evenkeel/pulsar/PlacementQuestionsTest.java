package evenkeel.pulsar;

import static evenkeel.pulsar.Subject.answer;
import static evenkeel.pulsar.Subject.broke;
import static evenkeel.pulsar.Subject.json;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

/** Which broker gets a bundle: the strategies, the candidates of both managers, preallocation. */
class PlacementQuestionsTest {
    private static final String WEIGHTS =
            "'weights':{'cpu':1,'memory':0,'direct_memory':0,'bandwidth_in':1,'bandwidth_out':1}";

    @Test
    void theLowestRateIsChosenUnlessOverloaded() {
        assertEquals(json("{'choices':['a','a']}"), rates("'a','b'", rated("a", 85, 1), rated("b", 0, 2)));
        assertEquals(json("{'choices':['b','b']}"), rates("'a','b'", rated("a", 86, 1), rated("b", 0, 2)));
        assertEquals(json("{'choices':[null,null]}"), rates(""));
        assertEquals("NullPointerException",
                broke("placement.least_long_term_message_rate", ratesTrial("'a'")));
    }

    @Test
    void thirtyIsNotTenBelowFortyInSinglePrecision() {
        String trial = "{'config':{'difference':10,'history':0.9," + WEIGHTS + "},'commands':[" + report("a", 10) + ","
                + report("b", 30) + "," + report("c", 80) + ",{'do':'ask','candidates':['a','b','c'],'times':9}]}";
        JsonNode choices =
                answer("placement.least_resource_usage_modular", trial).get("results").get(3).get("choices");
        assertEquals(json("['a','a','a','a','a','a','a','a','a']"), choices);
    }

    @Test
    void brokersWithoutLoadDataComeLast() {
        String trial = "{'difference':5,'times':2,'candidates':[{'name':'a','usage':0.5},{'name':'b','usage':1.0},"
                + "{'name':'c','usage':null}]}";
        assertEquals(json("{'choices':['a','a']}"), answer("placement.least_resource_usage_extensible", trial));
    }

    @Test
    void turnsSkipAtTheCountersEnd() {
        String trial = "{'counter':2147483647,'asks':[{'candidates':['a','b','c'],'times':3}]}";
        assertEquals(json("['b','a','b']"),
                answer("placement.round_robin", trial).get("results").get(0).get("choices"));
    }

    @Test
    void equalBundlesShareAPlan() {
        String equal = "'statistics':{'rate':1,'throughput':0,'topics':1}}";
        String then = "','source':''},";
        String place = "{'do':'place','bundle':'x','full':[],'looked_up':false,'candidates':";
        String trial = "{'bundles':[{'name':'x'," + equal + ",{'name':'y'," + equal + "],'commands':["
                + "{'do':'plan','bundle':'x','broker':'a" + then + "{'do':'plan','bundle':'y','broker':'b" + then
                + place + "['a','b']}," + place + "[]}]}";
        JsonNode results = answer("placement.avg_shedder", trial).get("results");
        assertEquals(json("{'do':'chosen','choices':['b']}"), results.get(2));
        assertEquals(json("{'do':'broke','reason':'ArithmeticException'}"), results.get(3));
    }

    @Test
    void anOverloadedChoiceIsMadeAgainFromAllUsableBrokers() {
        String report = "'report':{'cpu':90,'topics':0,'preallocated':[],'persistent':true,'non_persistent':true,"
                + "'version':null,'manager':'m'},'domain':null}";
        String trial = pipeline("{'name':'h1:1','bundles':[]," + report + ",{'name':'h2:1','bundles':['t/n/0x0_0x1'],"
                + report) + ",'prefers':['h1:1'],'prefers_then':['h2:1']}";
        assertEquals(json("{'offers':[['h1:1'],['h1:1','h2:1']],'chosen':'h2:1'}"),
                answer("placement.candidates", trial));
    }

    @Test
    void theExtensibleManagerFiltersWithoutAWayBack() {
        String broker = "{'name':'h1:1','bundles':[],'domain':null,'registration':{'topics':50000,'persistent':true,"
                + "'non_persistent':true,'version':null,'manager':'m'}}";
        assertEquals(json("{'offers':[],'chosen':null}"),
                answer("placement.filters", pipeline(broker) + ",'excluded':[],'prefers':[]}"));
        assertEquals(json("{'offers':[['h1:1']],'chosen':'h1:1'}"), answer("placement.filters",
                pipeline(broker.replace("50000", "49999")) + ",'excluded':[],'prefers':[]}"));
    }

    @Test
    void aBurstOfLookupsAlternatesAndProposalsDoNot() {
        String trial = "{'evenly':false,'brokers':['a:1','b:1'],'bundles':[" + known(0) + "," + known(1) + ","
                + known(2) + "],'commands':[{'do':'reports','broker':'b:1','bundles':['" + bundle(2) + "']},"
                + "{'do':'propose','bundle':'" + bundle(0) + "'},{'do':'propose','bundle':'" + bundle(1) + "'},"
                + "{'do':'reports','broker':'b:1','bundles':[]},{'do':'look_up','bundle':'" + bundle(0) + "'},"
                + "{'do':'look_up','bundle':'" + bundle(1) + "'}]}";
        JsonNode results = answer("placement.preallocation", trial).get("results");
        assertEquals("a:1", chosen(results, 1));
        assertEquals("a:1", chosen(results, 2));
        assertEquals(chosen(results, 4).equals("a:1") ? "b:1" : "a:1", chosen(results, 5));
    }

    @Test
    void theDestinationOfAnUnloadIsForOneLookupEvenIfItLeft() {
        String unload = "{'do':'unload','bundle':'" + bundle(0) + "','broker':'b:1'},";
        String lookUp = "{'do':'look_up','bundle':'" + bundle(0) + "'}";
        JsonNode results = answer("placement.preallocation", "{'evenly':false,'brokers':['a:1','b:1'],'bundles':["
                + known(0) + "],'commands':[" + unload + "{'do':'leaves','broker':'b:1'}," + lookUp + "," + lookUp
                + "," + unload + lookUp + "]}").get("results");
        assertEquals("b:1", chosen(results, 2));
        assertEquals("a:1", chosen(results, 3));
        assertEquals("refused", results.get(4).get("do").textValue());
        assertEquals("a:1", chosen(results, 5));
    }

    private static String chosen(JsonNode results, int index) {
        return results.get(index).get("choices").get(0).textValue();
    }

    private static String bundle(int index) {
        return "t/n/0x0000000" + index + "_0x0000000" + (index + 1);
    }

    private static String known(int index) {
        return "{'bundle':'" + bundle(index) + "','rate':1000}";
    }

    private static String pipeline(String brokers) {
        return "{'config':{'manager':'m','max_topics':50000,'distribute_evenly':true,'prefer_later_versions':false,"
                + "'overloaded_threshold':85},'failure_domains':false,'brokers':[" + brokers
                + "],'groups':[],'policies':[],'bundle':'t/n/0xf0000000_0xffffffff','persistent':true";
    }

    private static JsonNode rates(String candidates, String... brokers) {
        return answer("placement.least_long_term_message_rate", ratesTrial(candidates, brokers));
    }

    private static String ratesTrial(String candidates, String... brokers) {
        return "{'threshold':85," + WEIGHTS + ",'brokers':[" + String.join(",", brokers) + "],'candidates':["
                + candidates + "],'times':2}";
    }

    private static String rated(String name, int cpu, int rate) {
        return "{'name':'" + name + "','report':{" + resources(cpu) + ",'rate_in':" + rate
                + ",'rate_out':0,'preallocated':[]}}";
    }

    private static String report(String broker, int cpu) {
        return "{'do':'report','broker':'" + broker + "','report':{" + resources(cpu)
                + ",'bundles':1,'rate_in':1,'rate_out':1}}";
    }

    private static String resources(int cpu) {
        String none = "{'usage':0,'limit':0}";
        return "'resources':{'cpu':{'usage':" + cpu + ",'limit':100},'memory':" + none + ",'direct_memory':" + none
                + ",'bandwidth_in':" + none + ",'bandwidth_out':" + none + "}";
    }
}
