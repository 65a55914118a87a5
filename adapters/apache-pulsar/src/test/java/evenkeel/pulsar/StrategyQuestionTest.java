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

    private static String sheds(String manager, String strategy) {
        return answer("balancing.strategy", "{'manager':'" + manager + "','strategy':" + strategy + "}")
                .get("sheds").textValue();
    }
}
