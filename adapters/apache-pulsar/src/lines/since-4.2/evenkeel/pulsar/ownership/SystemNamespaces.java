package evenkeel.pulsar.ownership;

import org.apache.pulsar.broker.namespace.NamespaceService;

/** The namespaces of one broker: for its heartbeat, and for the monitor of service levels. The cluster is no part of them since 4.2. */
final class SystemNamespaces {
    private SystemNamespaces() {
    }

    static String heartbeat(String broker) {
        return String.format(NamespaceService.HEARTBEAT_NAMESPACE_FMT, broker);
    }

    static String monitor(String broker) {
        return String.format(NamespaceService.SLA_NAMESPACE_FMT, broker);
    }
}
