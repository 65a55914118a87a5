package evenkeel.pulsar.standin;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.broker.admin.impl.NamespacesBase;
import org.apache.pulsar.common.naming.NamespaceName;
import org.apache.pulsar.common.policies.data.PolicyName;
import org.apache.pulsar.common.policies.data.PolicyOperation;

/** The admin API's namespace resource without HTTP: nobody is asked who is calling. */
public class StandInAdmin extends AntiAffinityGroups {
    private final PulsarService pulsar;

    public StandInAdmin(PulsarService pulsar) {
        this.pulsar = pulsar;
    }

    /** The namespace that the next request is about. */
    public void setNamespace(NamespaceName namespace) {
        namespaceName = namespace;
    }

    @Override
    protected PulsarService pulsar() {
        return pulsar;
    }

    @Override
    public String clientAppId() {
        return "evenkeel";
    }

    @Override
    public boolean isRequestHttps() {
        return false;
    }

    @Override
    public CompletableFuture<Void> validateSuperUserAccessAsync() {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void validateNamespacePolicyOperation(NamespaceName namespace, PolicyName policy,
                                                 PolicyOperation operation) {
        // Everybody may do everything.
    }

    /** {@link NamespacesBase#internalSplitNamespaceBundleAsync}, which is protected. */
    public CompletableFuture<Void> split(String bundle, boolean unload, String algorithm,
                                         java.util.List<Long> positions) {
        return internalSplitNamespaceBundleAsync(bundle, false, unload, algorithm, positions);
    }

    /** Sets the anti-affinity group, or removes it if there is none to set. */
    public CompletableFuture<Void> setGroup(Optional<String> group) {
        return group.isPresent() ? putGroup(group.get()) : removeGroup();
    }
}
