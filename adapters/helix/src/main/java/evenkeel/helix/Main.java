package evenkeel.helix;

import evenkeel.contract.Balancer;
import evenkeel.contract.Conversation;
import evenkeel.contract.Options;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.Supplier;

/** The subject's process. The first word is the version of Helix, which {@code run} gives. */
public final class Main {
    private Main() {
    }

    public static void main(String[] words) throws IOException {
        Options options = new Options("helix",
                Options.defaults("strategy", "CrushEd", "evenness", "1", "less-movement", "1"),
                Arrays.copyOfRange(words, 1, words.length));
        Conversation.hold("helix", words[0] + " " + options, chosen(options));
    }

    private static Supplier<Balancer> chosen(Options options) {
        int evenness = options.whole("evenness", 0);
        int lessMovement = options.whole("less-movement", 0);
        return switch (options.text("strategy")) {
            case "CrushEd" -> Counted::crushEd;
            case "AutoRebalance" -> Counted::autoRebalance;
            case "WAGED" -> () -> new Waged(evenness, lessMovement);
            default -> throw options.stop("has no strategy '" + options.text("strategy")
                    + "'; it has CrushEd, AutoRebalance, WAGED");
        };
    }
}
