package evenkeel.helix;

import evenkeel.contract.View;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.helix.controller.dataproviders.ResourceControllerDataProvider;
import org.apache.helix.controller.rebalancer.waged.WagedRebalancer;
import org.apache.helix.model.BuiltInStateModelDefinitions;
import org.apache.helix.model.ClusterConfig;
import org.apache.helix.model.IdealState;
import org.apache.helix.model.InstanceConfig;
import org.apache.helix.model.LiveInstance;
import org.apache.helix.model.ResourceConfig;

/** A view as what a controller reads from ZooKeeper: one resource, whose partitions are the units, with one replica. */
final class Cluster {
    static final String RESOURCE = "units";
    static final String STATE = "ONLINE";
    private static final String MODEL = BuiltInStateModelDefinitions.OnlineOffline.name();
    private static final String LOAD = "load";
    /** What a capacity of 1 is, and what all loads are together at most: nothing is ever full. */
    private static final int OF_CAPACITY = 10_000_000;

    private Cluster() {
    }

    /** The controller's cache, without its reading. These are the nodes that are configured; those that are up are live. */
    static ResourceControllerDataProvider cache(View view, List<View.Node> configured) throws IOException {
        ResourceControllerDataProvider cache = new ResourceControllerDataProvider("cluster");
        cache.setClusterConfig(config());
        cache.setInstanceConfigMap(configured.stream().map(Cluster::instance)
                .collect(Collectors.toMap(InstanceConfig::getInstanceName, Function.identity())));
        cache.setLiveInstances(view.up().stream().map(Cluster::live).toList());
        cache.setIdealStates(List.of(ideal(view)));
        cache.setResourceConfigMap(Map.of(RESOURCE, loads(view)));
        cache.setStateModelDefMap(Map.of(MODEL, BuiltInStateModelDefinitions.OnlineOffline.getStateModelDefinition()));
        return cache;
    }

    private static ClusterConfig config() {
        ClusterConfig config = new ClusterConfig("cluster");
        config.setTopologyAwareEnabled(false);
        config.setInstanceCapacityKeys(List.of(LOAD));
        config.setDefaultInstanceCapacityMap(Map.of(LOAD, OF_CAPACITY));
        config.setDefaultPartitionWeightMap(Map.of(LOAD, 1));
        return config;
    }

    private static InstanceConfig instance(View.Node node) {
        InstanceConfig instance = new InstanceConfig(node.name());
        instance.setInstanceCapacityMap(Map.of(LOAD, (int) Math.round(node.capacity() * OF_CAPACITY)));
        return instance;
    }

    private static LiveInstance live(String node) {
        LiveInstance live = new LiveInstance(node);
        live.setSessionId("session-" + node);
        return live;
    }

    private static IdealState ideal(View view) {
        IdealState ideal = new IdealState(RESOURCE);
        ideal.setStateModelDefRef(MODEL);
        ideal.setReplicas("1");
        ideal.setNumPartitions(view.units().size());
        ideal.setRebalanceMode(IdealState.RebalanceMode.FULL_AUTO);
        ideal.setRebalancerClassName(WagedRebalancer.class.getName());
        view.units().forEach(unit -> ideal.setPreferenceList(unit.name(), List.of()));
        return ideal;
    }

    /** Helix counts in integers of 32 bits: larger loads are all divided by the same number. */
    private static ResourceConfig loads(View view) throws IOException {
        double total = view.units().stream().mapToDouble(View.Unit::load).sum();
        double divisor = Math.max(1, total / OF_CAPACITY);
        Map<String, Map<String, Integer>> loads = new HashMap<>();
        loads.put(ResourceConfig.DEFAULT_PARTITION_KEY, Map.of(LOAD, 1));
        view.units().forEach(unit -> loads.put(unit.name(), Map.of(LOAD, (int) (unit.load() / divisor))));
        ResourceConfig config = new ResourceConfig(RESOURCE);
        config.setPartitionCapacityMap(loads);
        return config;
    }
}
