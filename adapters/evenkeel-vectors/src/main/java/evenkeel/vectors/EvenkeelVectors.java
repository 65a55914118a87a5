package evenkeel.vectors;

import evenkeel.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Trials with right answers, for a test of your own: the JDK alone, no Python.
 *
 * <p>{@link #load} reads the corpus that is in this artefact, {@link Vector#outcome} says of an observation whether it
 * is right. Trials and observations are JSON texts as in evenkeel's wire protocol (spec/wire.md).
 */
public final class EvenkeelVectors {
    /** Two doubles that differ by no more than this share of the larger, or of 1, are the same. */
    private static final double TOLERANCE = 1e-6;
    private static final String FOLDER = "/evenkeel-vectors/";

    private EvenkeelVectors() {
    }

    /**
     * What a vector says of an observation. DEPARTS: it is not Pulsar's practice, where the documents are silent, which
     * is no error. UNSAID: the vector has examples only, and this is none of them.
     */
    public enum Outcome { RIGHT, WRONG, DEPARTS, UNSAID }

    /** One trial with what may be observed. */
    public static final class Vector {
        /** Stable: the same for the same trial. */
        public final String id;
        /** Whose promises these are: DOCUMENTED, or PULSAR_4_0 with its defects. */
        public final String edition;
        /** What is asked. */
        public final String question;
        /** The trial, as JSON. */
        public final String trial;
        /** What it shows. */
        public final String note;
        /** What a user has of a wrong answer. */
        public final String effect;
        /** The clauses of the specification that it exercises. */
        public final List<String> clauses;
        private final String kind;
        private final List<Object> right;
        private final List<Map<String, Object>> wrong;

        private Vector(Map<String, Object> line) {
            id = (String) line.get("id");
            edition = (String) line.get("edition");
            question = (String) line.get("question");
            trial = Json.text(line.get("trial"));
            note = (String) line.get("note");
            effect = (String) line.get("effect");
            clauses = cast(line.get("clauses"));
            kind = (String) line.get("kind");
            right = cast(line.get("right"));
            wrong = cast(line.get("wrong"));
        }

        /** Whether this observation ({"answer": ...}, {"refused": ...} or {"broke": ...}, as JSON) is right. */
        public Outcome outcome(String observation) {
            Object observed = essence(Json.read(observation));
            for (Object allowed : right) {
                if (same(observed, allowed)) {
                    return Outcome.RIGHT;
                }
            }
            for (Map<String, Object> example : wrong) {
                if (same(observed, example.get("observation"))) {
                    return "SHOULD".equals(example.get("level")) ? Outcome.DEPARTS : Outcome.WRONG;
                }
            }
            return switch (kind) {
                case "exact" -> Outcome.WRONG;
                case "practice" -> Outcome.DEPARTS;
                default -> Outcome.UNSAID;
            };
        }

        /** A sentence for a failed test. */
        public String explain(String observation) {
            return id + " (" + String.join(", ", clauses) + "): " + note + "\n  trial:    " + trial
                    + "\n  observed: " + observation + "\n  right:    " + Json.text(right.get(0))
                    + (effect.isEmpty() ? "" : "\n  a user:   " + effect);
        }

        @Override
        public String toString() {
            return id;
        }
    }

    /** The vectors of this artefact's corpus that are wanted. */
    public static List<Vector> load(Predicate<Vector> wanted) throws IOException {
        Map<String, Object> manifest = cast(Json.read(lines("manifest.json", "\n").get(0)));
        if (!"evenkeel vectors 2".equals(manifest.get("format"))) {
            throw new IOException("the corpus has the format " + manifest.get("format"));
        }
        List<String> files = cast(manifest.get("files"));
        List<Vector> found = new ArrayList<>();
        for (String file : files) {
            for (String line : lines(file, null)) {
                Vector vector = new Vector(cast(Json.read(line)));
                if (wanted.test(vector)) {
                    found.add(vector);
                }
            }
        }
        return found;
    }

    /** The same as rows of a TestNG data provider. */
    public static Iterator<Object[]> rows(Predicate<Vector> wanted) throws IOException {
        return load(wanted).stream().map(vector -> new Object[] {vector}).iterator();
    }

    /** The lines of a file of the corpus, or with a joiner all of it as one. */
    private static List<String> lines(String name, String joiner) throws IOException {
        try (InputStream file = EvenkeelVectors.class.getResourceAsStream(FOLDER + name)) {
            if (file == null) {
                throw new IOException("there is no " + FOLDER + name + " on the class path");
            }
            List<String> found =
                    new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8)).lines().toList();
            return joiner == null ? found : List.of(String.join(joiner, found));
        }
    }

    @SuppressWarnings("unchecked")
    private static <T> T cast(Object value) {
        return (T) value;
    }

    private static final Set<String> WORDED = Set.of("do", "reason", "detail");

    /** An observation without the wording of refusals and failures: that there was one is what counts. */
    private static Object essence(Object value) {
        if (value instanceof List<?> list) {
            return list.stream().map(EvenkeelVectors::essence).collect(ArrayList::new, List::add, List::addAll);
        }
        if (!(value instanceof Map<?, ?> map)) {
            return value;
        }
        Map<String, Object> made = new LinkedHashMap<>();
        boolean worded = WORDED.containsAll(map.keySet());
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            String name = (String) entry.getKey();
            if (worded) {
                if (name.equals("do")) {
                    made.put(name, entry.getValue());
                }
            } else if (name.equals("broke") && !(entry.getValue() instanceof Map)) {
                made.put(name, entry.getValue() != null);
            } else {
                made.put(name, essence(entry.getValue()));
            }
        }
        return made;
    }

    /** Whether a member with this value may be left out. */
    private static boolean saysNothing(Object value) {
        return value == null || value.equals(false) || value.equals(0L) || value.equals(List.of());
    }

    private static boolean same(Object one, Object other) {
        if (one instanceof Map<?, ?> map) {
            return other instanceof Map<?, ?> against
                    && map.entrySet().stream().allMatch(entry -> against.containsKey(entry.getKey())
                            ? same(entry.getValue(), against.get(entry.getKey())) : saysNothing(entry.getValue()))
                    && against.entrySet().stream()
                            .allMatch(entry -> map.containsKey(entry.getKey()) || saysNothing(entry.getValue()));
        }
        if (one instanceof List<?> list) {
            if (!(other instanceof List<?> against) || list.size() != against.size()) {
                return false;
            }
            for (int i = 0; i < list.size(); i++) {
                if (!same(list.get(i), against.get(i))) {
                    return false;
                }
            }
            return true;
        }
        if (one instanceof Number a && other instanceof Number b && !(a instanceof Long && b instanceof Long)) {
            double x = a.doubleValue();
            double y = b.doubleValue();
            return Math.abs(x - y) <= TOLERANCE * Math.max(1, Math.max(Math.abs(x), Math.abs(y)));
        }
        return one == null ? other == null : one.equals(other);
    }
}
