package evenkeel.pulsar;

import static evenkeel.pulsar.Subject.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Splits that an operator asks for. */
class ManualQuestionTest {
    @ParameterizedTest
    @CsvSource({"modular,true", "modular,false", "extensible,true", "extensible,false"})
    void byRange(String manager, boolean owned) {
        ObjectNode reply = ask(trial(manager).put("owned", owned));
        assertEquals(json("{'boundaries':[0,32,64,4294967295],'split':{'lower':0,'upper':64,'upper_included':false},"
                + "'unloaded':[]}"), reply.get("answer"));
    }

    @ParameterizedTest
    @CsvSource({"modular,2", "extensible,0"})
    void unloading(String manager, int unloaded) {
        assertEquals(unloaded, ask(trial(manager).put("unload", true)).get("answer").get("unloaded").size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"modular", "extensible"})
    void largest(String manager) {
        ObjectNode reply = ask(trial(manager).put("selector", "LARGEST"));
        assertEquals(64, reply.get("answer").get("split").get("lower").longValue());
        ObjectNode empty = trial(manager).put("selector", "LARGEST");
        empty.putArray("topics");
        assertEquals("404", ask(empty).get("refused").get("reason").textValue());
    }

    @ParameterizedTest
    @CsvSource({"modular,0", "extensible,64"})
    void hot(String manager, long lower) {
        ObjectNode trial = trial(manager).put("selector", "HOT");
        trial.set("heat", json("[{'bundle':{'lower':0,'upper':64},'topics':1,'throughput':5.0}]"));
        assertEquals(lower, ask(trial).get("answer").get("split").get("lower").longValue());
    }

    @ParameterizedTest
    @ValueSource(strings = {"modular", "extensible"})
    void whatIsRefused(String manager) {
        assertEquals("412", refused(trial(manager).put("selector", "0_65")));
        assertEquals("412", refused(trial(manager).put("selector", "zero")));
        assertEquals("412", refused(trial(manager).put("algorithm", "unheard_of")));
        assertEquals("412", refused(trial(manager).put("algorithm", "specified_positions_divide")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"modular", "extensible"})
    void flowNeedsToBeTheDefault(String manager) {
        ObjectNode trial = trial(manager).put("algorithm", "flow_or_qps_equally_divide");
        assertEquals("ClassCastException", ask(trial).get("broke").get("reason").textValue());
        trial.put("defaultNamespaceBundleSplitAlgorithm", "flow_or_qps_equally_divide");
        trial.put("selector", "64_4294967295");
        assertEquals(4, ask(trial).get("answer").get("boundaries").size());
    }

    @ParameterizedTest
    @CsvSource({"modular,true", "extensible,false"})
    void severalCuts(String manager, boolean possible) {
        assertEquals(possible, ask(specified(manager, "[99,999]")).has("answer"));
    }

    @ParameterizedTest
    @CsvSource({"modular,broke", "extensible,refused"})
    void aRepeatedCut(String manager, String outcome) {
        assertTrue(ask(specified(manager, "[99,99]")).has(outcome));
    }

    @ParameterizedTest
    @CsvSource({"modular,answer", "extensible,refused"})
    void nothingToCut(String manager, String outcome) {
        assertTrue(ask(specified(manager, "[3]")).has(outcome));
    }

    private static ObjectNode ask(ObjectNode trial) {
        return Subject.ask("splitting.manual", trial.toString());
    }

    private static String refused(ObjectNode trial) {
        return ask(trial).get("refused").get("reason").textValue();
    }

    private static ObjectNode specified(String manager, String positions) {
        ObjectNode trial = trial(manager).put("algorithm", "specified_positions_divide")
                .put("selector", "64_4294967295");
        trial.set("positions", json(positions));
        return trial;
    }

    private static ObjectNode trial(String manager) {
        String algorithms = "'range_equally_divide','topic_count_equally_divide','specified_positions_divide',"
                + "'flow_or_qps_equally_divide'";
        return (ObjectNode) json("{'manager':'" + manager + "','namespace':'t/n','boundaries':[0,64,4294967295],"
                + "'selector':'0_64','algorithm':'','defaultNamespaceBundleSplitAlgorithm':'range_equally_divide',"
                + "'supportedNamespaceBundleSplitAlgorithms':[" + algorithms + "],'positions':[],'unload':false,"
                + "'owned':true,'topics':[" + topic("a") + "," + topic("b") + "],'heat':[],"
                + "'limits':{'loadBalancerNamespaceBundleMaxMsgRate':1000,"
                + "'loadBalancerNamespaceBundleMaxBandwidthMbytes':100,"
                + "'flowOrQpsDifferenceThresholdPercentage':10}}");
    }

    private static String topic(String name) {
        return "{'topic':'persistent://t/n/" + name + "','msg_rate_in':600.0,'msg_rate_out':0.0,"
                + "'throughput_in':0.0,'throughput_out':0.0,'reported':true}";
    }
}
