package evenkeel.junit;

/**
 * A node as it is reported.
 *
 * @param capacity divides its load where a balancer measures usage
 * @param limit the load that it carries at most; null: any
 * @param up a node that is not is leaving: it serves what it has for four rounds more, and takes nothing
 */
public record NodeView(String name, long capacity, Long limit, String zone, boolean up) {
}
