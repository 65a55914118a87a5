package evenkeel.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON to and from Java's own types. */
public final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** Throws IllegalArgumentException. */
    public static Object read(String text) {
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
    public static String text(Object value) {
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
