"""TransferShedder as a TestNG method: quiet and in debug mode it must move the same."""

from __future__ import annotations

from typing import Any

from evenkeel.drivers.counterexample import Counterexample
from evenkeel.report.parts import EXTENSIONS, Method, NotTold, listed, string

IMPORTS = (
    "static org.mockito.ArgumentMatchers.anyString",
    "static org.mockito.Mockito.mock",
    "static org.mockito.Mockito.when",
    "static org.testng.Assert.assertEquals",
    "static org.testng.Assert.assertFalse",
    "java.util.ArrayList",
    "java.util.HashMap",
    "java.util.List",
    "java.util.Map",
    "java.util.Optional",
    "java.util.Set",
    "java.util.TreeSet",
    "java.util.concurrent.CompletableFuture",
    "org.apache.commons.lang3.reflect.FieldUtils",
    "org.apache.pulsar.broker.PulsarService",
    "org.apache.pulsar.broker.ServiceConfiguration",
    f"{EXTENSIONS}.BrokerRegistry",
    f"{EXTENSIONS}.LoadManagerContext",
    f"{EXTENSIONS}.channel.ServiceUnitStateChannel",
    f"{EXTENSIONS}.data.BrokerLoadData",
    f"{EXTENSIONS}.data.BrokerLookupData",
    f"{EXTENSIONS}.data.TopBundlesLoadData",
    f"{EXTENSIONS}.models.UnloadCounter",
    f"{EXTENSIONS}.models.UnloadDecision",
    f"{EXTENSIONS}.policies.AntiAffinityGroupPolicyHelper",
    f"{EXTENSIONS}.policies.IsolationPoliciesHelper",
    f"{EXTENSIONS}.store.LoadDataStore",
    "org.apache.pulsar.broker.namespace.NamespaceService",
    "org.apache.pulsar.common.naming.NamespaceBundle",
    "org.apache.pulsar.common.naming.NamespaceBundleFactory",
    "org.apache.pulsar.policies.data.loadbalancer.NamespaceBundleStats",
)
KEYS = (
    "loadBalancerBrokerLoadTargetStd",
    "loadBalancerBrokerOverloadedThresholdPercentage",
    "loadBalancerSheddingConditionHitCountThreshold",
    "loadBalancerTransferEnabled",
    "loadBalancerMaxNumberOfBrokerSheddingPerCycle",
    "loadBalanceSheddingDelayInSeconds",
    "loadBalancerBrokerLoadDataTTLInSeconds",
    "loadBalancerSheddingBundlesWithPoliciesEnabled",
)


def java(value: Any) -> str:
    """A number or a truth as Java writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def require_plain(one: Counterexample, view: dict[str, Any]) -> None:
    """Only a first round without policies and filters is told."""
    special = view["registered"] is None or any(
        view[name] for name in ("recent_bundles", "recent_brokers", "isolated", "anti_affine")
    )
    special = special or any(
        bundle["admits"] is not None or bundle["filter_fails"]
        for report in view["reports"]
        for bundle in report["top"] or ()
    )
    if special or len(one.trial["rounds"]) != 1:
        raise NotTold(f"{one.title}: only one round without policies is told as a TestNG method.")


def report_lines(report: dict[str, Any]) -> str:
    """Lines that put a broker's report into the stores."""
    broker = string(report["broker"])
    lines = [
        "{",
        "    BrokerLoadData load = new BrokerLoadData();",
        f'    FieldUtils.writeField(load, "weightedMaxEMA", {report["load"]}, true);',
        f'    FieldUtils.writeField(load, "msgThroughputIn", {report["throughput_in"]}, true);',
        f'    FieldUtils.writeField(load, "msgThroughputOut", {report["throughput_out"]}, true);',
        f'    FieldUtils.writeField(load, "msgThroughputEMA", {report["throughput_average"]}, true);',
        '    FieldUtils.writeField(load, "updatedAt", System.currentTimeMillis(), true);',
        f"    loads.put({broker}, load);",
        f"    available.put({broker}, registered);",
        "    List<TopBundlesLoadData.BundleLoadData> top = new ArrayList<>();",
    ]
    for bundle in report["top"] or ():
        name = string(bundle["bundle"])
        lines += [
            f"    top.add(new TopBundlesLoadData.BundleLoadData({name}, "
            f"stats.apply({bundle['throughput_in']}, {bundle['throughput_out']})));",
        ]
        if bundle["owned"]:
            lines.append(f"    when(channel.isOwner({name}, {broker})).thenReturn(true);")
    lines += [
        "    TopBundlesLoadData all = new TopBundlesLoadData();",
        "    all.getTopBundlesLoadData().addAll(top);",
        f"    tops.put({broker}, all);",
        "}",
    ]
    return "\n".join(lines) + "\n"


def transfer_debug(one: Counterexample) -> Method:
    """`shedding.transfer_debug`: what is moved with the debug log on, and without."""
    [view, *_] = one.trial["rounds"]
    require_plain(one, view)
    keys = one.trial["config"]
    config = "".join(
        f"    config.set{key[:1].upper()}{key[1:]}({java(keys[key])});\n" for key in KEYS
    )
    names = listed(string(broker) for broker in view["registered"])
    reports = "".join(report_lines(report) for report in view["reports"])
    return Method(
        f"{EXTENSIONS}.scheduler",
        (*IMPORTS, "java.util.function.BiFunction"),
        f"""
BiFunction<Double, Double, NamespaceBundleStats> stats = (in, out) -> {{
    NamespaceBundleStats made = new NamespaceBundleStats();
    made.msgThroughputIn = in;
    made.msgThroughputOut = out;
    return made;
}};
Map<String, BrokerLoadData> loads = new HashMap<>();
Map<String, TopBundlesLoadData> tops = new HashMap<>();
Map<String, BrokerLookupData> available = new HashMap<>();
BrokerLookupData registered = mock(BrokerLookupData.class);
ServiceUnitStateChannel channel = mock(ServiceUnitStateChannel.class);
{reports}available.keySet().retainAll({names});

List<Set<String>> moved = new ArrayList<>();
for (boolean debug : new boolean[] {{false, true}}) {{
    ServiceConfiguration config = new ServiceConfiguration();
{config}    config.setLoadBalancerDebugModeEnabled(debug);
    LoadDataStore<BrokerLoadData> loadStore = mock(LoadDataStore.class);
    when(loadStore.entrySet()).thenReturn(loads.entrySet());
    when(loadStore.size()).thenReturn(loads.size());
    when(loadStore.get(anyString())).thenAnswer(call -> Optional.ofNullable(loads.get(call.getArgument(0))));
    LoadDataStore<TopBundlesLoadData> topStore = mock(LoadDataStore.class);
    when(topStore.get(anyString())).thenAnswer(call -> Optional.ofNullable(tops.get(call.getArgument(0))));
    BrokerRegistry registry = mock(BrokerRegistry.class);
    when(registry.getAvailableBrokerLookupDataAsync()).thenReturn(CompletableFuture.completedFuture(available));
    LoadManagerContext context = mock(LoadManagerContext.class);
    when(context.brokerConfiguration()).thenReturn(config);
    when(context.brokerRegistry()).thenReturn(registry);
    when(context.brokerLoadDataStore()).thenReturn(loadStore);
    when(context.topBundleLoadDataStore()).thenReturn(topStore);
    PulsarService pulsar = mock(PulsarService.class);
    when(pulsar.getConfiguration()).thenReturn(config);
    NamespaceBundleFactory factory = mock(NamespaceBundleFactory.class);
    NamespaceBundle unit = mock(NamespaceBundle.class);
    when(factory.getBundle(anyString(), anyString())).thenReturn(unit);
    NamespaceService namespaces = mock(NamespaceService.class);
    when(namespaces.getNamespaceBundleFactory()).thenReturn(factory);
    when(pulsar.getNamespaceService()).thenReturn(namespaces);
    TransferShedder shedder = new TransferShedder(new UnloadCounter());
    FieldUtils.writeField(shedder, "pulsar", pulsar, true);
    FieldUtils.writeField(shedder, "channel", channel, true);
    FieldUtils.writeField(shedder, "brokerFilterPipeline", List.of(), true);
    FieldUtils.writeField(shedder, "isolationPoliciesHelper", mock(IsolationPoliciesHelper.class), true);
    FieldUtils.writeField(
            shedder, "antiAffinityGroupPolicyHelper", mock(AntiAffinityGroupPolicyHelper.class), true);
    Set<String> moves = new TreeSet<>();
    for (UnloadDecision decision : shedder.findBundlesForUnloading(context, new HashMap<>(), new HashMap<>())) {{
        moves.add(decision.getUnload().serviceUnit() + " from " + decision.getUnload().sourceBroker());
    }}
    moved.add(moves);
}}
assertFalse(moved.get(0).isEmpty());
assertEquals(moved.get(1), moved.get(0), "debug mode, which is for logging, changes what is moved");
""",
    )
