package evenkeel.junit;

import evenkeel.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The smallest failing trial of a clause: its turns, and what evenkeel said of it; in a file. */
record Trial(Path file, Map<?, ?> stored, boolean isReplayed) {
    private static final String SUSPECTS = "\n  Is there a memory outside the object, a clock, or the order of a hash?";

    /** The file of a clause, or of one way of breaking it. */
    static Path fileOf(Class<?> test, String signature) {
        String name = signature.replaceAll("[^A-Za-z0-9]+", "-") + ".json";
        return Path.of("target", "trials", test.getName(), name).toAbsolutePath();
    }

    /** A failure of a report, written to its file. */
    static Trial store(Class<?> test, Map<?, ?> failure) {
        Path file = fileOf(test, (String) failure.get("signature"));
        Map<String, Object> stored = new LinkedHashMap<>();
        stored.put("test", test.getName());
        stored.put("clause", failure.get("clause"));
        stored.put("screen", ((List<?>) failure.get("screen")).stream()
                .map(String.class::cast).filter(line -> !line.startsWith("  again:")).toList());
        stored.put("trial", failure.get("trial"));
        stored.put("turns", failure.get("turns"));
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, Json.text(stored) + "\n");
        } catch (IOException unwritable) {
            throw new UncheckedIOException("the trial cannot be stored", unwritable);
        }
        return new Trial(file, stored, false);
    }

    /** A stored trial. Throws IllegalStateException, also if it is of another test. */
    static Trial read(Path file) {
        try {
            return new Trial(file.toAbsolutePath(), (Map<?, ?>) Json.read(Files.readString(file)), true);
        } catch (IOException | IllegalArgumentException | ClassCastException unreadable) {
            throw new IllegalStateException("-Dreplay=" + file + " is no trial that was stored: " + unreadable, unreadable);
        }
    }

    String clause() {
        return (String) stored.get("clause");
    }

    boolean isOf(Class<?> test) {
        return test.getName().equals(stored.get("test"));
    }

    /** Puts the trial again to a new object, and throws AssertionError with the whole story. */
    void fail(Supplier<? extends Balancer> balancers, Consumer<String> skip) {
        String screen = ((List<?>) stored.get("screen")).stream().map(String.class::cast).collect(Collectors.joining("\n"));
        String again = screen + "\n  again: -Dreplay=" + file;
        if (stored.get("turns") == null) {
            throw new AssertionError(screen + "\n  It did not fail so when it was put again." + SUSPECTS);
        }
        Answers.Again now = Answers.replay((List<?>) stored.get("turns"), balancers);
        if (now.difference().isEmpty()) {
            throw new AssertionError(again, now.thrown());
        }
        if (isReplayed) {
            skip.accept("The trial is answered otherwise: " + now.difference() + "; run the test without -Dreplay.");
        }
        throw new AssertionError(again + "\n  Put again in this JVM it did not fail so: " + now.difference() + "." + SUSPECTS,
                now.thrown());
    }
}
