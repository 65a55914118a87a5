package evenkeel.pulsar;

import static evenkeel.pulsar.Subject.answer;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Which strategy sheds under which manager. */
class StrategyQuestionTest {
    @Test
    void whatIsItsOwnRuns() {
        assertEquals("AvgShedder", sheds("modular", "'AvgShedder'"));
        assertEquals("TransferShedder", sheds("extensible", "'TransferShedder'"));
    }

    @Test
    void eachManagerHasADefault() {
        assertEquals("ThresholdShedder", sheds("modular", "null"));
        assertEquals("TransferShedder", sheds("extensible", "null"));
    }

    @Test
    void theExtensibleManagerTakesItsOwnInstead() {
        assertEquals("TransferShedder", sheds("extensible", "'OverloadShedder'"));
    }

    @Test
    void thePlacementThatIsConfiguredPlaces() {
        assertEquals("RoundRobinBrokerSelector", places("modular", "null", "'RoundRobinBrokerSelector'"));
        assertEquals("LeastLongTermMessageRate", places("modular", "'AvgShedder'", "null"));
        assertEquals("AvgShedder", places("modular", "'AvgShedder'", "'AvgShedder'"));
        assertEquals("LeastResourceUsageWithWeight", places("extensible", "null", "'AvgShedder'"));
    }

    @Test
    void avgShedderDoesNotPlaceAlone() {
        assertEquals("IllegalArgumentException", Subject.refused("balancing.strategy",
                "{'manager':'modular','strategy':null,'placement':'AvgShedder'}"));
    }

    private static String places(String manager, String strategy, String placement) {
        return answer("balancing.strategy", "{'manager':'" + manager + "','strategy':" + strategy
                + ",'placement':" + placement + "}").get("places").textValue();
    }

    private static String sheds(String manager, String strategy) {
        return answer("balancing.strategy", "{'manager':'" + manager + "','strategy':" + strategy + "}")
                .get("sheds").textValue();
    }
}
