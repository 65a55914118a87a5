package evenkeel.contract;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What the command line says: the version of the balancer, which {@code run} gives, then {@code --name value}. A wrong word
 * ends the process with one sentence and status 2.
 */
public final class Options {
    private final String adapter;
    private final String version;
    private final Map<String, String> values = new LinkedHashMap<>();

    /** Reads the words; after them come the options that there are, each with its value where it is not given. */
    public Options(String adapter, String[] words, String... namesAndDefaults) {
        this.adapter = adapter;
        version = words[0];
        for (int i = 0; i < namesAndDefaults.length; i += 2) {
            values.put(namesAndDefaults[i], namesAndDefaults[i + 1]);
        }
        for (int i = 1; i < words.length; i += 2) {
            String name = words[i].startsWith("--") ? words[i].substring(2) : "";
            if (!values.containsKey(name)) {
                throw stop("has no option " + words[i] + "; it has --" + String.join(", --", values.keySet()));
            }
            if (i + 1 == words.length) {
                throw stop("needs a value after " + words[i]);
            }
            values.put(name, words[i + 1]);
        }
    }

    public String text(String name) {
        return values.get(name);
    }

    /** A whole number of at least {@code least}. */
    public int whole(String name, int least) {
        try {
            int value = Integer.parseInt(values.get(name));
            if (value >= least) {
                return value;
            }
        } catch (NumberFormatException notWhole) {
            // Said below.
        }
        throw stop("needs a whole number of at least " + least + " after --" + name + ", not '" + values.get(name) + "'");
    }

    /** A number above 0 and below 1. */
    public double fraction(String name) {
        try {
            double value = Double.parseDouble(values.get(name));
            if (value > 0 && value < 1) {
                return value;
            }
        } catch (NumberFormatException noNumber) {
            // Said below.
        }
        throw stop("needs a number above 0 and below 1 after --" + name + ", not '" + values.get(name) + "'");
    }

    /** Says a sentence about the adapter and ends the process; it is thrown so that callers need no value. */
    public Error stop(String what) {
        System.err.println("The adapter " + adapter + " " + what + ".");
        System.exit(2);
        return new Error("the process has ended");
    }

    /** The version and every option with its value, under which the subject's answers are kept. */
    @Override
    public String toString() {
        return values.entrySet().stream().map(one -> " " + one.getKey() + "=" + one.getValue())
                .collect(Collectors.joining("", version, ""));
    }
}
