package evenkeel.connect;

import evenkeel.contract.Conversation;
import evenkeel.contract.Options;
import java.io.IOException;

/** The subject's process. */
public final class Main {
    private Main() {
    }

    public static void main(String[] words) throws IOException {
        Options options = new Options("kafka-connect", words, "delay", "300");
        int delay = options.whole("delay", 0);
        Conversation.hold("kafka-connect", options, () -> new Group(delay));
    }
}
