package evenkeel.pulsar;

import evenkeel.pulsar.plugin.Chosen;
import evenkeel.pulsar.plugin.Unusable;
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
        // No logging where Pulsar does not log by slf4j (since 5.0).
        System.setProperty("log4j2.configurationFile", "no-logging.xml");
        BufferedReader in = new BufferedReader(
                new InputStreamReader(System.in, StandardCharsets.UTF_8), 1 << 16);
        BufferedWriter out = new BufferedWriter(new OutputStreamWriter(
                new FileOutputStream(FileDescriptor.out), StandardCharsets.UTF_8), 1 << 16);
        // Whatever a library may print must not get between the protocol's lines.
        System.setOut(new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8));
        new Session(questions(args)).run(in, out);
        System.exit(0);
    }

    /** Those that these arguments ask for: none, a dispatcher, or options that name a plug-in. */
    private static Questions questions(String... args) {
        if (args.length == 0) {
            return new Questions();
        }
        try {
            if (args[0].startsWith("--")) {
                return new Questions(Chosen.of(args));
            }
            if (LineQuestions.dispatchers().contains(args[0])) {
                return new Questions(args[0]);
            }
            throw new Unusable("The adapter apache-pulsar has no dispatcher " + args[0] + " here; it has "
                    + LineQuestions.dispatchers() + ".");
        } catch (Unusable unusable) {
            System.err.println(unusable.getMessage());
        } catch (LinkageError | IllegalStateException unfit) {
            System.err.println("This adapter does not fit this Pulsar; name a nearer line with --pulsar: " + unfit);
        }
        System.exit(2);
        throw new IllegalStateException("not reached");
    }
}
