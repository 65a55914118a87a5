package evenkeel.pulsar.standin;

import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.broker.admin.impl.NamespacesBase;

/** The admin API's requests about anti-affinity groups, which return futures since 4.2. */
public abstract class AntiAffinityGroups extends NamespacesBase {
    CompletableFuture<Void> putGroup(String group) {
        return internalSetNamespaceAntiAffinityGroupAsync(group);
    }

    CompletableFuture<Void> removeGroup() {
        return internalRemoveNamespaceAntiAffinityGroupAsync();
    }
}
