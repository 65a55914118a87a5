package evenkeel.contract;

/** A unit's way: {@code to} null is stopped and placed later, {@code from} null is started without having been served. */
public record Move(String unit, String from, String to) {
}
