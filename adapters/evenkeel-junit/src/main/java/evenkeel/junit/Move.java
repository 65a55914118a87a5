package evenkeel.junit;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** A unit is to leave {@code from}: null for a unit that no node serves. {@code to} null: it is placed afterwards. */
public record Move(String unit, String from, String to) {
    public Move {
        Objects.requireNonNull(unit, "the unit of a move");
    }

    Map<String, Object> toJson() {
        Map<String, Object> made = new LinkedHashMap<>();
        made.put("unit", unit);
        made.put("from", from);
        made.put("to", to);
        return made;
    }
}
