"""TransferShedder as a TestNG method: what a round moves; the same in debug mode."""

from __future__ import annotations

from typing import Any, Final

from evenkeel.harness.cases import Case
from evenkeel.report.parts import (
    EXTENSIONS,
    Method,
    NotSupported,
    expected_answer,
    indented,
    string,
)

IMPORTS = (
    "static org.mockito.ArgumentMatchers.anyString",
    "static org.mockito.Mockito.mock",
    "static org.mockito.Mockito.when",
    "static org.testng.Assert.assertEquals",
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


MINUTE: Final = 60_000


def java(value: Any) -> str:
    """A number or a truth as Java writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def require_plain(one: Case, view: dict[str, Any]) -> None:
    """Only a first round without policies and filters is supported."""
    special = view["registered"] is None or any(
        view[name] for name in ("recent_bundles", "recent_brokers", "isolated", "anti_affine")
    )
    special = special or any(
        bundle["admits"] is not None or bundle["filter_fails"]
        for report in view["reports"]
        for bundle in report["top"] or ()
    )
    if special or len(one.trial["rounds"]) != 1:
        raise NotSupported(
            f"{one.title}: only one round without policies can be written as a TestNG method."
        )
    limit = 1000 * one.trial["config"]["loadBalancerBrokerLoadDataTTLInSeconds"]
    ages = [view["now"] - report["updated_at"] for report in view["reports"]]
    if any(age and abs(age - limit) < MINUTE for age in ages):
        raise NotSupported(
            f"{one.title}: the class looks at the clock, so such an age cannot be tested."
        )


def report_lines(report: dict[str, Any], now: int) -> str:
    """Lines that put a broker's report into the stores."""
    broker, old = string(report["broker"]), now - report["updated_at"]
    age = f" - {old}L" if old else ""
    lines = [
        "{",
        "    BrokerLoadData load = new BrokerLoadData();",
        f'    FieldUtils.writeField(load, "weightedMaxEMA", {report["load"]}, true);',
        f'    FieldUtils.writeField(load, "msgThroughputIn", {report["throughput_in"]}, true);',
        f'    FieldUtils.writeField(load, "msgThroughputOut", {report["throughput_out"]}, true);',
        f'    FieldUtils.writeField(load, "msgThroughputEMA", {report["throughput_average"]}, true);',
        f'    FieldUtils.writeField(load, "updatedAt", System.currentTimeMillis(){age}, true);',
        f"    loads.put({broker}, load);",
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
    if report["top"] is not None:
        lines += [
            "    TopBundlesLoadData all = new TopBundlesLoadData();",
            "    all.getTopBundlesLoadData().addAll(top);",
            f"    tops.put({broker}, all);",
        ]
    lines.append("}")
    return "\n".join(lines) + "\n"


def cluster(view: dict[str, Any]) -> str:
    """Lines that make what the brokers reported."""
    registered = ", ".join(string(broker) for broker in view["registered"])
    reports = "".join(report_lines(report, view["now"]) for report in view["reports"])
    return f"""
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
for (String broker : List.<String>of({registered})) {{
    available.put(broker, registered);
}}
{reports}"""


def configured(keys: dict[str, Any]) -> str:
    """Lines that make the configuration."""
    return "ServiceConfiguration config = new ServiceConfiguration();\n" + "".join(
        f"config.set{key[:1].upper()}{key[1:]}({java(keys[key])});\n" for key in KEYS
    )


SHEDDER: Final = """\
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
"""


def transfer_debug(one: Case) -> Method:
    """`shedding.transfer_debug`: what is moved with the debug log on, and without."""
    [view, *_] = one.trial["rounds"]
    require_plain(one, view)
    setup = f"{configured(one.trial['config'])}config.setLoadBalancerDebugModeEnabled(debug);\n"
    return Method(
        f"{EXTENSIONS}.scheduler",
        (*IMPORTS, "static org.testng.Assert.assertFalse", "java.util.function.BiFunction"),
        f"""{cluster(view)}
List<Set<String>> moved = new ArrayList<>();
for (boolean debug : new boolean[] {{false, true}}) {{
{indented(setup + SHEDDER, 4)}    Set<String> moves = new TreeSet<>();
    for (UnloadDecision decision : shedder.findBundlesForUnloading(context, new HashMap<>(), new HashMap<>())) {{
        moves.add(decision.getUnload().serviceUnit() + " from " + decision.getUnload().sourceBroker());
    }}
    moved.add(moves);
}}
assertFalse(moved.get(0).isEmpty());
assertEquals(moved.get(1), moved.get(0), "debug mode, which is for logging, changes what is moved");
""",
    )


def require_order(one: Case, view: dict[str, Any]) -> None:
    """Equals may be moved in any order, which one method cannot check. Raises `NotSupported`."""
    loads = [report["load"] for report in view["reports"]]
    sizes = [
        [bundle["throughput_in"] + bundle["throughput_out"] for bundle in report["top"] or ()]
        for report in view["reports"]
    ]
    if any(len(set(values)) < len(values) for values in (loads, *sizes)):
        raise NotSupported(f"{one.title}: the order of equals is open.")


def transfer(one: Case) -> Method:
    """`shedding.transfer`: what one round moves, and to which broker."""
    [view, *_] = one.trial["rounds"]
    require_plain(one, view)
    require_order(one, view)
    answer = expected_answer(one)
    if answer is None:
        raise NotSupported(f"{one.title}: has to be refused, which is not supported.")
    expected = ", ".join(
        string(f"{move['bundle']} from {move['source']} to {move['destination'] or 'any'}")
        for move in answer["rounds"][0]["moves"]
    )
    debug = java(one.trial["config"]["loadBalancerDebugModeEnabled"])
    return Method(
        f"{EXTENSIONS}.scheduler",
        (
            *IMPORTS,
            "java.util.function.BiFunction",
            f"{EXTENSIONS}.models.Unload",
        ),
        f"""{cluster(view)}
{configured(one.trial["config"])}config.setLoadBalancerDebugModeEnabled({debug});
{SHEDDER}
List<String> moves = new ArrayList<>();
for (UnloadDecision decision : shedder.findBundlesForUnloading(context, new HashMap<>(), new HashMap<>())) {{
    Unload unload = decision.getUnload();
    moves.add(unload.serviceUnit() + " from " + unload.sourceBroker() + " to " + unload.destBroker().orElse("any"));
}}
assertEquals(new TreeSet<>(moves), new TreeSet<>(List.<String>of({expected})));
""",
    )
