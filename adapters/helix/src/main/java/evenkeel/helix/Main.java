package evenkeel.helix;

import evenkeel.contract.Balancer;
import evenkeel.contract.Conversation;
import evenkeel.contract.Options;
import java.io.IOException;
import java.util.function.Supplier;

/** The subject's process. */
public final class Main {
    private Main() {
    }

    public static void main(String[] words) throws IOException {
        Options options = new Options("helix", words, "strategy", "CrushEd", "evenness", "1", "less-movement", "1");
        int evenness = options.whole("evenness", 0);
        int lessMovement = options.whole("less-movement", 0);
        Supplier<Balancer> chosen = switch (options.text("strategy")) {
            case "CrushEd" -> () -> new Counted(true);
            case "AutoRebalance" -> () -> new Counted(false);
            case "WAGED" -> () -> new Waged(evenness, lessMovement);
            default -> throw options.stop("has no strategy '" + options.text("strategy")
                    + "'; it has CrushEd, AutoRebalance, WAGED");
        };
        Conversation.hold("helix", options, chosen);
    }
}
