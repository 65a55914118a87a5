package evenkeel.sharding;

import evenkeel.contract.Conversation;
import evenkeel.contract.Options;
import java.io.IOException;

/** The subject's process. */
public final class Main {
    private Main() {
    }

    public static void main(String[] words) throws IOException {
        Options options = new Options("pekko", words, Library.OPTIONS);
        Conversation.hold(Library.NAME, options, Library.chosen(options));
    }
}
