package evenkeel.pulsar;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** The subject's process: speaks the protocol on standard input and output. */
public final class Main {
    private Main() {
    }

    public static void main(String[] args) throws IOException {
        if (args.length > 0 && !LineQuestions.dispatchers().contains(args[0])) {
            System.err.println("The adapter apache-pulsar has no dispatcher " + args[0] + " here; it has "
                    + LineQuestions.dispatchers() + ".");
            System.exit(2);
        }
        // No logging where Pulsar does not log by slf4j (since 5.0).
        System.setProperty("log4j2.configurationFile", "no-logging.xml");
        BufferedReader in = new BufferedReader(
                new InputStreamReader(System.in, StandardCharsets.UTF_8), 1 << 16);
        BufferedWriter out = new BufferedWriter(new OutputStreamWriter(
                new FileOutputStream(FileDescriptor.out), StandardCharsets.UTF_8), 1 << 16);
        // Whatever a library may print must not get between the protocol's lines.
        System.setOut(new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8));
        new Session(args.length == 0 ? new Questions() : new Questions(args[0])).run(in, out);
        System.exit(0);
    }
}
