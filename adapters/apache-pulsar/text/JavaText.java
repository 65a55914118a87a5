import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.Function;

/**
 * Java's own answers about text, as JSON: {@code java JavaText.java > ../../../tests/reference/java_text.json}.
 *
 * <p>reference/java_text.py says the same in Python, and a test holds the two together.
 */
public final class JavaText {
    private static final String[] INTEGERS = {
        "", "0", "00", "010", "08", "-0", "-010", "+17", "+-1", "-+1", "--1", "0x", "0x10", "0X1f", "-0x10", "0x-1", "#ff",
        "#-1", "-#ff", "#", "0#1", "1L", " 1", "1 ", "1_0", "9223372036854775807", "9223372036854775808",
        "-9223372036854775808", "-9223372036854775809", "0x7fffffffffffffff", "0x8000000000000000", "-0x8000000000000000",
        "-0x8000000000000001", "0777777777777777777777", "01000000000000000000000", "2147483647", "2147483648",
        "-2147483648", "-2147483649", "\u0661\u0662", "\u0660", "\u06601", "0\u0661", "0x\u0661", "\uff11\uff12",
        "0x\uff21\uff46", "0x\uff27", "\ud835\udfd9", "0\u0668", "\u00b2", "\u2460", "\u4e00", "\u0967\u096f"};
    private static final String[] PIECES = {
        "", "_", "__", "a", "a_", "_a", "a_b", "a__b", "a_b_", "a_b__", "__a__", "a_b_c", "a _ b"};
    private static final String[] BLANKS = {
        "", " ", "\t\n\u000b\f\r", "\u001c\u001d\u001e\u001f", "\u0085", "\u00a0", "\u1680", "\u2003", "\u2007", "\u202f",
        "\u2028\u2029", "\u205f", "\u3000", "\u200b", "\ufeff", "\u180e", " x ", "\u0000", "\u0000 "};
    private static final String[] NAMES = {
        "persistent", "PERSISTENT", "per\u017fistent", "PERS\u0130STENT", "pers\u0131stent", "\u212aelvin", "kelvin",
        "\u03c3", "\u03c2", "\u03a3", "\u00df", "\u1e9e", "SS", "ss", "\u0149", "\u01c5", "\u01c4", "\u01c6", "\u1f80",
        "\u1f88", "\u0390", "\u1fd3", "\ufb05", "\ufb06", "\u00b5", "\u03bc", "\u10a0", "\u2d00", "\u10d0", "\u1c90",
        "\u13a0", "\uab70", "\ud801\udc00", "\ud801\udc28", "\u0345", "\u03b9", "\u1fbe", "\u00e5", "\u212b", "\u00ff",
        "\u0178", "a", "A", "\ud83d\ude00", "\ue000", "\uffff", "\ud835\udcb3", "\ud800", "\udc00", "b", "ab", ""};

    public static void main(String[] arguments) {
        StringJoiner json = new StringJoiner(",\n", "{\n", "\n}");
        json.add(member("java", quoted(System.getProperty("java.version"))));
        json.add(member("folds", folds()));
        json.add(member("undefined", undefined()));
        json.add(member("white_space", points(Character::isWhitespace)));
        json.add(member("digits", points(c -> c <= 0xffff && Character.digit((char) c, 36) == 0)));
        json.add(member("letters", points(c -> c <= 0xffff && Character.digit((char) c, 36) == 10)));
        json.add(member("decode", answers(INTEGERS, text -> orNull(() -> Long.decode(text)))));
        json.add(member("parse_int", answers(INTEGERS, text -> orNull(() -> Integer.parseInt(text)))));
        json.add(member("split", answers(PIECES, text -> list(text.split("_")))));
        json.add(member("blank", answers(BLANKS, text -> String.valueOf(text.isBlank()))));
        json.add(member("trim", answers(BLANKS, text -> quoted(text.trim()))));
        json.add(member("utf8", answers(NAMES, JavaText::utf8)));
        json.add(member("same", pairs((a, b) -> a.equalsIgnoreCase(b))));
        json.add(member("before", pairs((a, b) -> a.compareTo(b) < 0)));
        System.out.println(json);
    }

    /** [first, last, step, how far each is moved]: what equalsIgnoreCase compares of a character, where it is another. */
    private static String folds() {
        List<int[]> runs = new ArrayList<>();
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            int moved = Character.toLowerCase(Character.toUpperCase(c)) - c;
            if (moved == 0) {
                continue;
            }
            int[] last = runs.isEmpty() ? null : runs.get(runs.size() - 1);
            int step = last == null ? 0 : c - last[1];
            boolean fits = last != null && last[3] == moved && step <= 2 && (last[0] == last[1] || step == last[2]);
            if (fits) {
                last[1] = c;
                last[2] = step;
            } else {
                runs.add(new int[] {c, c, 1, moved});
            }
        }
        StringJoiner joined = new StringJoiner(", ", "[", "]");
        runs.forEach(run -> joined.add("[" + run[0] + ", " + run[1] + ", " + run[2] + ", " + run[3] + "]"));
        return joined.toString();
    }

    /** [first, last] of the characters that this Java does not know: a later Unicode may. */
    private static String undefined() {
        StringJoiner joined = new StringJoiner(", ", "[", "]");
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            int first = c;
            while (c <= Character.MAX_CODE_POINT && !Character.isDefined(c)) {
                c++;
            }
            if (c > first) {
                joined.add("[" + first + ", " + (c - 1) + "]");
            }
        }
        return joined.toString();
    }

    private static String points(java.util.function.IntPredicate wanted) {
        StringJoiner joined = new StringJoiner(", ", "[", "]");
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            if (wanted.test(c)) {
                joined.add(String.valueOf(c));
            }
        }
        return joined.toString();
    }

    private static String answers(String[] texts, Function<String, String> answer) {
        StringJoiner joined = new StringJoiner(", ", "[", "]");
        for (String text : texts) {
            joined.add("[" + quoted(text) + ", " + answer.apply(text) + "]");
        }
        return joined.toString();
    }

    /** All pairs of names of which this holds. */
    private static String pairs(java.util.function.BiPredicate<String, String> holds) {
        StringJoiner joined = new StringJoiner(", ", "[", "]");
        for (String one : NAMES) {
            for (String other : NAMES) {
                if (!one.equals(other) && holds.test(one, other)) {
                    joined.add("[" + quoted(one) + ", " + quoted(other) + "]");
                }
            }
        }
        return joined.toString();
    }

    private static String utf8(String text) {
        StringJoiner joined = new StringJoiner("", "\"", "\"");
        for (byte one : text.getBytes(StandardCharsets.UTF_8)) {
            joined.add(String.format("%02x", one));
        }
        return joined.toString();
    }

    private static String orNull(java.util.function.Supplier<? extends Number> number) {
        try {
            return quoted(String.valueOf(number.get()));
        } catch (NumberFormatException e) {
            return "null";
        }
    }

    private static String list(String[] texts) {
        StringJoiner joined = new StringJoiner(", ", "[", "]");
        for (String text : texts) {
            joined.add(quoted(text));
        }
        return joined.toString();
    }

    private static String member(String name, String value) {
        return quoted(name) + ": " + value;
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            boolean plain = c >= ' ' && c < 0x7f && c != '"' && c != '\\';
            quoted.append(plain ? String.valueOf(c) : String.format("\\u%04x", (int) c));
        }
        return quoted.append('"').toString();
    }
}
