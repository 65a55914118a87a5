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
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The wire protocol of evenkeel, version 1: the JDK alone, Java 17 or later. Written by `evenkeel adapter new`. */
final class Evenkeel {
    private Evenkeel() {
    }

    /** This trial cannot be put to the balancer; keep numbers out of the reason. */
    static final class Skipped extends RuntimeException {
        Skipped(String reason) {
            super(reason);
        }
    }

    /** The balancer rejected the input on purpose: a reason in a word, and more in words. */
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
    static void serve(Balancer balancer, String name, String version)
            throws IOException, NoSuchAlgorithmException, ReflectiveOperationException {
        String build = version + "+" + buildId();
        PrintStream output = System.out;
        System.setOut(System.err); // what a library prints must not get between the messages
        Map<String, Method> offered = new LinkedHashMap<>();
        for (Map.Entry<String, String> question : METHODS.entrySet()) {
            for (Class<?> type = balancer.getClass(); type != Balancer.class; type = type.getSuperclass()) {
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
            Map<String, Object> said = spoken(line, balancer, name, build, offered);
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
            String line, Balancer balancer, String name, String version, Map<String, Method> offered) {
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
                return reply(id, balancer, offered.get(message.get("question")), trial);
            }
        } catch (IllegalArgumentException | ClassCastException | NullPointerException unreadable) {
            // answered below
        }
        return said("type", "error", "id", null, "reason", "unreadable message", "definite", true);
    }

    private static Map<String, Object> reply(long id, Balancer balancer, Method question, Map<?, ?> trial) {
        if (question == null) {
            return said("type", "skipped", "id", id, "reason", "not written yet");
        }
        try {
            return said("type", "observation", "id", id, "answer", question.invoke(balancer, trial));
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

    /** JSON to and from Java's own types. */
    static final class Json {
        private final String text;
        private int at;

        private Json(String text) {
            this.text = text;
        }

        /** Throws IllegalArgumentException. */
        static Object read(String text) {
            Json json = new Json(text);
            Object value = json.value();
            if (json.next() != 0) {
                throw json.bad();
            }
            return value;
        }

        private IllegalArgumentException bad() {
            return new IllegalArgumentException("no JSON at character " + at);
        }

        private char next() {
            while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
                at++;
            }
            return at < text.length() ? text.charAt(at) : 0;
        }

        private void skip(char expected) {
            if (next() != expected) {
                throw bad();
            }
            at++;
        }

        private Object value() {
            switch (next()) {
                case '{':
                    return object();
                case '[':
                    return array();
                case '"':
                    return string();
                case 't':
                    return word("true", true);
                case 'f':
                    return word("false", false);
                case 'n':
                    return word("null", null);
                default:
                    return number();
            }
        }

        private Object word(String word, Object value) {
            if (!text.startsWith(word, at)) {
                throw bad();
            }
            at += word.length();
            return value;
        }

        private Object number() {
            int start = at;
            while (at < text.length() && "+-0123456789.eE".indexOf(text.charAt(at)) >= 0) {
                at++;
            }
            String digits = text.substring(start, at);
            boolean whole = digits.matches("-?[0-9]+");
            return whole ? (Object) Long.valueOf(digits) : (Object) Double.valueOf(digits);
        }

        private Map<String, Object> object() {
            Map<String, Object> made = new LinkedHashMap<>();
            skip('{');
            while (next() != '}') {
                if (!made.isEmpty()) {
                    skip(',');
                    next();
                }
                String key = string();
                skip(':');
                made.put(key, value());
            }
            at++;
            return made;
        }

        private List<Object> array() {
            List<Object> made = new ArrayList<>();
            skip('[');
            while (next() != ']') {
                if (!made.isEmpty()) {
                    skip(',');
                }
                made.add(value());
            }
            at++;
            return made;
        }

        private String string() {
            StringBuilder made = new StringBuilder();
            skip('"');
            while (true) {
                if (at >= text.length()) {
                    throw bad();
                }
                char c = text.charAt(at++);
                if (c == '"') {
                    return made.toString();
                }
                made.append(c == '\\' ? escaped() : c);
            }
        }

        private char escaped() {
            char c = at < text.length() ? text.charAt(at++) : 0;
            if (c == 'u' && at + 4 <= text.length()) {
                at += 4;
                return (char) Integer.parseInt(text.substring(at - 4, at), 16);
            }
            int which = "\"\\/bfnrt".indexOf(c);
            if (which < 0) {
                throw bad();
            }
            return "\"\\/\b\f\n\r\t".charAt(which);
        }

        /** A value as JSON. */
        static String text(Object value) {
            StringBuilder made = new StringBuilder();
            write(value, made);
            return made.toString();
        }

        private static void write(Object value, StringBuilder to) {
            if (value instanceof Map<?, ?> map) {
                String before = "{";
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    to.append(before);
                    write(entry.getKey(), to);
                    to.append(':');
                    write(entry.getValue(), to);
                    before = ",";
                }
                to.append(map.isEmpty() ? "{}" : "}");
            } else if (value instanceof Iterable<?> items) {
                String before = "";
                to.append('[');
                for (Object item : items) {
                    to.append(before);
                    write(item, to);
                    before = ",";
                }
                to.append(']');
            } else if (value instanceof String string) {
                to.append('"');
                for (char c : string.toCharArray()) {
                    if (c < ' ' || c > '~' || c == '"' || c == '\\') {
                        to.append(String.format("\\u%04x", (int) c));
                    } else {
                        to.append(c);
                    }
                }
                to.append('"');
            } else if (value instanceof Double number && (number.isNaN() || number.isInfinite())) {
                throw new IllegalArgumentException(number + " is no JSON");
            } else {
                to.append(value);
            }
        }
    }
}
