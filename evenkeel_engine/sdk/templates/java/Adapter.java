import java.util.Map;

/** An adapter for evenkeel. Override one method per question; those left out are not asked. */
final class Adapter extends Evenkeel.Balancer {

    /*
     * Put your own calls in place of these. Throw Evenkeel.Refused if it rejects the input on purpose,
     * Evenkeel.Skipped for what it does not have. Anything else that is thrown is an observation too: that it broke.
     */
    @Override
    Object @CAMEL@(Map<String, Object> trial) throws Exception {
        throw new Evenkeel.Skipped("not written yet");
    }

    public static void main(String[] arguments) throws Exception {
        Evenkeel.serve(new Adapter(), "my-balancer", "1");
    }
}
