import evenkeel.json.Json;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The wire protocol of evenkeel, version 1: the JDK alone, Java 17 or later. Written by `evenkeel adapter new`. */
final class Evenkeel {
    private Evenkeel() {
    }

    /** This trial cannot be put to the subject; keep numbers out of the reason. */
    static final class Skipped extends RuntimeException {
        Skipped(String reason) {
            super(reason);
        }
    }

    /** The subject rejected the input on purpose: a reason in a word, and more in words. */
    static final class Refused extends RuntimeException {
        final String detail;

        Refused(String reason, String detail) {
            super(reason);
            this.detail = detail;
        }
    }

    /**
     * One method per question, of a trial as a map of its fields: Long, Double, String, Boolean, List, Map or null.
     * It returns the answer's fields in the same form. The types inside are in wire.md.
     */
    abstract static class Balancer {
@SLOTS@
    }

    private static final Map<String, String> METHODS = new LinkedHashMap<>();

    static {
@NAMES@
    }

    /** A field that is an array. */
    @SuppressWarnings("unchecked")
    static <T> List<T> list(Map<String, Object> of, String field) {
        return (List<T>) of.get(field);
    }

    /** A field that is an object. */
    @SuppressWarnings("unchecked")
    static Map<String, Object> object(Map<String, Object> of, String field) {
        return (Map<String, Object>) of.get(field);
    }

    /** A field that is an integer. */
    static long integer(Map<String, Object> of, String field) {
        return (Long) of.get(field);
    }

    /** A field that is a number. */
    static double number(Map<String, Object> of, String field) {
        return ((Number) of.get(field)).doubleValue();
    }

    /** Answer the harness until it says bye. */
    static void serve(Balancer subject, String name, String version)
            throws IOException, NoSuchAlgorithmException, ReflectiveOperationException {
        String build = version + "+" + buildId();
        PrintStream output = System.out;
        System.setOut(System.err); // what a library prints must not get between the messages
        Map<String, Method> offered = new LinkedHashMap<>();
        for (Map.Entry<String, String> question : METHODS.entrySet()) {
            for (Class<?> type = subject.getClass(); type != Balancer.class; type = type.getSuperclass()) {
                for (Method method : type.getDeclaredMethods()) {
                    if (method.getName().equals(question.getValue()) && !method.isBridge()) {
                        method.setAccessible(true);
                        offered.putIfAbsent(question.getKey(), method);
                    }
                }
            }
        }
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            if (line.isBlank()) {
                continue;
            }
            Map<String, Object> said = spoken(line, subject, name, build, offered);
            output.write((Json.text(said) + "\n").getBytes(StandardCharsets.UTF_8));
            output.flush();
            if (said.get("type").equals("bye")) {
                return;
            }
        }
    }

    /** A digest of all files of the class path: another program gives another one. */
    private static String buildId() throws IOException, NoSuchAlgorithmException {
        MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path path = Path.of(entry);
            if (!Files.exists(path)) {
                continue; // as the class loader does
            }
            try (Stream<Path> inside = Files.walk(path)) {
                for (Path file : (Iterable<Path>) inside.filter(Files::isRegularFile).sorted()::iterator) {
                    sha256.update(Files.readAllBytes(file));
                }
            }
        }
        return HexFormat.of().formatHex(sha256.digest()).substring(0, 12);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> spoken(
            String line, Balancer subject, String name, String version, Map<String, Method> offered) {
        try {
            Map<String, Object> message = (Map<String, Object>) Json.read(line);
            Object type = message.get("type");
            if ("hello".equals(type)) {
                return said("type", "hello", "protocol", 1L, "name", name, "version", version, "language", "java",
                        "questions", List.copyOf(offered.keySet()), "options", List.of());
            }
            if ("bye".equals(type)) {
                return said("type", "bye");
            }
            if ("trial".equals(type) && message.get("id") instanceof Long id
                    && message.get("trial") instanceof Map<?, ?> trial) {
                return reply(id, subject, offered.get(message.get("question")), trial);
            }
        } catch (IllegalArgumentException | ClassCastException | NullPointerException unreadable) {
            // answered below
        }
        return said("type", "error", "id", null, "reason", "unreadable message", "definite", true);
    }

    private static Map<String, Object> reply(long id, Balancer subject, Method question, Map<?, ?> trial) {
        if (question == null) {
            return said("type", "skipped", "id", id, "reason", "not written yet");
        }
        try {
            return said("type", "observation", "id", id, "answer", question.invoke(subject, trial));
        } catch (InvocationTargetException thrown) {
            Throwable why = thrown.getCause();
            if (why instanceof Skipped) {
                return said("type", "skipped", "id", id, "reason", why.getMessage());
            }
            String detail = why instanceof Refused refused ? refused.detail : String.valueOf(why.getMessage());
            String reason = why instanceof Refused ? why.getMessage() : why.getClass().getSimpleName();
            String what = why instanceof Refused ? "refused" : "broke";
            return said("type", "observation", "id", id, what, said("reason", reason, "detail", detail));
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static Map<String, Object> said(Object... pairs) {
        Map<String, Object> made = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            made.put((String) pairs[i], pairs[i + 1]);
        }
        return made;
    }
}
