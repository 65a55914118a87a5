package evenkeel.junit;

import evenkeel.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A process of evenkeel that asks, and is answered through its own standard input and output. It sees the
 * end of its input when this JVM ends, however that ends, so none is left over.
 */
final class Conversation implements AutoCloseable {
    private static final String QUESTION = "contract.rebalance";
    /** Whoever stands at a breakpoint is not timed; JUnit and TestNG have limits of their own. */
    private static final String A_DAY = "86400";

    private final Process process;
    private final BufferedReader in;
    private final Writer out;
    private final StringBuffer errors = new StringBuffer();
    private final Thread drain;

    private Conversation() {
        List<String> command = new ArrayList<>(words(System.getProperty("evenkeel.command", "evenkeel")));
        command.addAll(List.of("check", "--subject", "-", "--question", QUESTION, "--format", "json", "--quiet", "--full",
                "--trial-timeout", A_DAY));
        command.addAll(words(System.getProperty("evenkeel.options", "")));
        try {
            process = new ProcessBuilder(command).start(); // never with the streams of the JVM: Surefire talks on them
        } catch (IOException missing) {
            throw new IllegalStateException("evenkeel was not found as '" + command.get(0)
                    + "': put it on the path, or say where it is with -Devenkeel.command=/path/to/evenkeel", missing);
        }
        in = process.inputReader(StandardCharsets.UTF_8);
        out = process.outputWriter(StandardCharsets.UTF_8);
        drain = new Thread(this::readErrors, "evenkeel's standard error");
        drain.setDaemon(true);
        drain.start();
    }

    /** Answers a whole check; the report. */
    static Map<?, ?> hold(String name, Answers answers) {
        try (Conversation conversation = new Conversation()) {
            return conversation.hold(answers, name);
        } catch (IOException lost) {
            throw new UncheckedIOException("the conversation with evenkeel was lost", lost);
        }
    }

    private Map<?, ?> hold(Answers answers, String name) throws IOException {
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Map<?, ?> message = (Map<?, ?>) Json.read(line);
            if (!message.containsKey("type")) {
                return message;
            }
            out.write(Json.text(reply(message, answers, name)));
            out.write('\n');
            out.flush();
        }
        throw new IllegalStateException("evenkeel ended without a report" + lastWords());
    }

    private static Map<String, Object> reply(Map<?, ?> message, Answers answers, String name) {
        Map<String, Object> reply = new LinkedHashMap<>();
        switch ((String) message.get("type")) {
            case "hello" -> {
                reply.putAll(Map.of("type", "hello", "protocol", 1, "name", name, "version", "", "language", "java"));
                reply.put("questions", List.of(QUESTION));
                reply.put("options", List.of());
            }
            case "trial" -> {
                reply.put("type", "observation");
                reply.put("id", message.get("id"));
                try {
                    reply.put("answer", answers.answer((Map<?, ?>) message.get("trial")));
                } catch (Exception | StackOverflowError | AssertionError failure) {
                    String detail = String.valueOf(failure.getMessage());
                    reply.put("broke", Map.of("reason", Answers.reason(failure), "detail", detail));
                }
            }
            default -> reply.put("type", "bye");
        }
        return reply;
    }

    private static List<String> words(String text) {
        return text.isBlank() ? List.of() : List.of(text.trim().split("\\s+"));
    }

    private void readErrors() {
        try (BufferedReader reader = process.errorReader(StandardCharsets.UTF_8)) {
            reader.lines().forEach(line -> errors.append('\n').append(line));
        } catch (IOException | UncheckedIOException closed) {
            errors.append("\n(").append(closed.getMessage()).append(')');
        }
    }

    private String lastWords() {
        try {
            process.waitFor(5, TimeUnit.SECONDS);
            drain.join(1000);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return errors.isEmpty() ? "" : ":" + errors;
    }

    @Override
    public void close() throws IOException {
        try (in; out) {
            process.destroy();
        }
    }
}
