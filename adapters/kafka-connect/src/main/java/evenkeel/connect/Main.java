package evenkeel.connect;

import evenkeel.contract.Conversation;
import evenkeel.contract.Options;
import java.io.IOException;
import java.util.Arrays;

/** The subject's process. The first word is the version of Kafka, which {@code run} gives. */
public final class Main {
    private Main() {
    }

    public static void main(String[] words) throws IOException {
        Options options = new Options("kafka-connect", Options.defaults("delay", "300"),
                Arrays.copyOfRange(words, 1, words.length));
        int delay = options.whole("delay", 0);
        Conversation.hold("kafka-connect", words[0] + " " + options, () -> new Group(delay));
    }
}
