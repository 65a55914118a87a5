package evenkeel.junit;

/**
 * A node as it is reported.
 *
 * @param capacity divides its load where a balancer measures usage
 * @param limit the load that it carries at most; null: any
 * @param up a node that is not takes nothing: it is leaving, and serves what it has for four rounds more, or it is down
 */
public record NodeView(String name, long capacity, Long limit, String zone, boolean up) {
}
