package evenkeel.pulsar.ownership;

import org.apache.pulsar.broker.namespace.NamespaceService;

/** The namespaces of one broker: for its heartbeat, and for the monitor of service levels. The cluster is a part of the latter until 4.0. */
final class SystemNamespaces {
    private SystemNamespaces() {
    }

    static String heartbeat(String broker) {
        return String.format(NamespaceService.HEARTBEAT_NAMESPACE_FMT_V2, broker);
    }

    static String monitor(String broker) {
        return String.format(NamespaceService.SLA_NAMESPACE_FMT, "evenkeel", broker);
    }
}
