package evenkeel.junit;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** What a balancer promises; what is not said is not promised. In words: spec/wire/contract.md, Promises. */
public final class Promises {
    /** What is evened out: units of a node, their load, or their load by capacity. */
    public enum Measure { COUNT, LOAD, USAGE }

    /** How far from even: the fullest less the emptiest or the mean; or as a multiple of it, less one. */
    public enum Trigger { DIFFERENCE, ABOVE_MEAN, RATIO, RATIO_TO_MEAN }

    /** What lessens the measure: every move, or a round as a whole. */
    public enum Lessens { MOVE, ROUND }

    /** When the same cluster gets the same answer. */
    public enum Repeats { NO, AS_LISTED, ANY_ORDER }

    /** What a balancer looks at. */
    public enum Feature {
        CAPACITY, ZONES, GROUPS, LIMITS, PINNED, UNSERVED, JOINS, LEAVES, CHANGES, GRACE, DELAY, FAILURES, LATE,
        UNREPORTED
    }

    private final Map<String, Object> fields;

    private Promises(Map<String, Object> fields) {
        this.fields = fields;
    }

    public static Builder builder() {
        return new Builder();
    }

    Map<String, Object> toJson() {
        return fields;
    }

    private static String word(Enum<?> name) {
        return name.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** Collects promises, one call each. */
    public static final class Builder {
        private final Map<String, Object> fields = new LinkedHashMap<>();

        private Builder put(String name, Object value) {
            fields.put(name, value);
            return this;
        }

        /** What it evens out. */
        public Builder measure(Measure measure) {
            return put("measure", word(measure));
        }

        /** Where it is uneven by at most this nothing moves. */
        public Builder trigger(double most, Trigger by) {
            return put("trigger", most).put("trigger_by", word(by));
        }

        /** What lessens the measure. */
        public Builder lessens(Lessens what) {
            return put("lessens", word(what));
        }

        /** The fullest node that can help gives first. */
        public Builder fullestFirst() {
            return put("fullest_first", true);
        }

        /** At most so many units move in a round. */
        public Builder mostMoves(int units) {
            return put("most_moves", units);
        }

        /** A unit that has arrived rests for the grace period. */
        public Builder grace() {
            return put("grace", true);
        }

        /** It may watch an uneven cluster for so many rounds before it acts; 3 if it is not said. */
        public Builder waits(int rounds) {
            return put("waits", rounds);
        }

        /** No unit moves that is more than this share of the difference of the two nodes. */
        public Builder share(double share) {
            return put("share", share);
        }

        /** After the last event it is at rest within {@code rounds + perUnit * units} rounds. */
        public Builder restsWithin(int rounds, int perUnit) {
            return put("rests_within", rounds).put("rests_per_unit", perUnit);
        }

        /** At rest the fullest node is above the emptiest by at most this, unless no free unit could change it. */
        public Builder evenness(double most) {
            return put("evenness", most);
        }

        /** Where a node joins, units move to it alone. */
        public Builder minimal() {
            return put("minimal", true);
        }

        /** When the same cluster gets the same answer. */
        public Builder repeats(Repeats when) {
            return put("repeats", word(when));
        }

        /** All loads times a number change nothing. */
        public Builder scales() {
            return put("scales", true);
        }

        /** Names do not matter. */
        public Builder renames() {
            return put("renames", true);
        }

        /** It remembers nothing from turn to turn; without this call it may. */
        public Builder withoutMemory() {
            return put("memory", false);
        }

        /** It is asked for the node of each unit that none serves; else it moves these itself. */
        public Builder places() {
            return put("places", true);
        }

        /** What it looks at; without this call at everything. */
        public Builder knows(Feature... features) {
            return put("knows", Stream.of(features).map(Promises::word).toList());
        }

        public Promises build() {
            return new Promises(new LinkedHashMap<>(fields));
        }
    }
}
