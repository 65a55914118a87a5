package evenkeel.junit;

/**
 * A unit of load as it is reported.
 *
 * @param node serves it; null: none does
 * @param load null where none is reported
 * @param moving it is on its way, and may not be moved
 * @param since the round in which its last move arrived, -1000 if the balancer has not moved it
 * @param zone the zone in which it must be served; empty: any
 * @param group no node serves two units of one; empty: none
 */
public record UnitView(
        String name, String node, Long load, boolean movable, boolean moving, long since, String zone, String group) {
}
