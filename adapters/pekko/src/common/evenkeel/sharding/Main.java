package evenkeel.sharding;

import evenkeel.contract.Conversation;
import evenkeel.contract.Options;
import java.io.IOException;
import java.util.Arrays;

/** The subject's process. The first word is the version of the library, which {@code run} gives. */
public final class Main {
    private Main() {
    }

    public static void main(String[] words) throws IOException {
        Options options = new Options("pekko", Library.OPTIONS, Arrays.copyOfRange(words, 1, words.length));
        Conversation.hold(Library.NAME, words[0] + " " + options, Library.chosen(options));
    }
}
