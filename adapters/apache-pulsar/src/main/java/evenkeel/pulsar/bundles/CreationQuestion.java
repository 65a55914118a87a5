package evenkeel.pulsar.bundles;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Private;
import evenkeel.pulsar.Question;
import evenkeel.pulsar.standin.StandInAdmin;
import evenkeel.pulsar.standin.World;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.broker.admin.impl.NamespacesBase;
import org.apache.pulsar.common.naming.NamespaceName;
import org.apache.pulsar.common.policies.data.BundlesData;
import org.apache.pulsar.common.policies.data.ClusterData;
import org.apache.pulsar.common.policies.data.Policies;
import org.apache.pulsar.common.policies.data.TenantInfo;

/**
 * {@code bundles.creation}: {@code NamespacesBase#validatePoliciesAsync}, the step of creating a namespace that
 * settles its bundles.
 */
public final class CreationQuestion implements Question {
    private static final NamespaceName NAMESPACE = NamespaceName.get("public/default");

    private final World world;
    private final StandInAdmin admin;
    private final Method validate;

    public CreationQuestion(World world) {
        this.world = world;
        admin = new StandInAdmin(world.pulsar);
        admin.setNamespace(NAMESPACE);
        validate = Private.method(NamespacesBase.class, "validatePoliciesAsync", NamespaceName.class, Policies.class);
        // The namespace's tenant may use the one cluster; creation checks that on the way.
        world.clear();
        world.tasks.settled(world.resources.getClusterResources().createClusterAsync(World.CLUSTER,
                ClusterData.builder().serviceUrl("http://broker-1:8080").build()));
        world.tasks.settled(world.resources.getTenantResources().createTenantAsync(NAMESPACE.getTenant(),
                TenantInfo.builder().allowedClusters(Set.of(World.CLUSTER)).build()));
    }

    @Override
    @SuppressWarnings("unchecked")
    public JsonNode answer(JsonNode trial) throws Exception {
        int count = Json.small(trial, "count");
        List<String> boundaries = Json.field(trial, "boundaries").isNull() ? null : Json.texts(trial, "boundaries");
        world.config.setDefaultNumberOfNamespaceBundles(Json.small(trial, "default_count"));
        Policies policies = new Policies();
        boolean nothingAsked = count == 0 && boundaries == null;
        policies.bundles = nothingAsked ? null
                : BundlesData.builder().numBundles(count).boundaries(boundaries).build();
        world.tasks.settled((CompletableFuture<Void>) validate.invoke(admin, NAMESPACE, policies));
        ObjectNode answer = Json.object();
        answer.set("boundaries", Json.arrayOf(World.boundaries(policies.bundles)));
        return answer;
    }
}
