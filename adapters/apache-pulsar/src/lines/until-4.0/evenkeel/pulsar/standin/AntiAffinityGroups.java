package evenkeel.pulsar.standin;

import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.broker.admin.impl.NamespacesBase;

/** The admin API's requests about anti-affinity groups, which wait for their end until 4.0. */
public abstract class AntiAffinityGroups extends NamespacesBase {
    CompletableFuture<Void> putGroup(String group) {
        internalSetNamespaceAntiAffinityGroup(group);
        return CompletableFuture.completedFuture(null);
    }

    CompletableFuture<Void> removeGroup() {
        internalRemoveNamespaceAntiAffinityGroup();
        return CompletableFuture.completedFuture(null);
    }
}
