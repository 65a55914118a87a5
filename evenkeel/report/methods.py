"""Questions with counterexamples that can be written as a method on Apache Pulsar's classes."""

from __future__ import annotations

from typing import Any

from evenkeel.harness.cases import Case
from evenkeel.report.parts import (
    EXTENSIONS,
    IMPL,
    NAMING,
    Method,
    NotSupported,
    expected_answer,
    listed,
    long,
    string,
)


def hash_lookup(one: Case) -> Method:
    """`bundles.hash_lookup`: NamespaceBundles.getBundle(long), which a test of its package sees."""
    answer = expected_answer(one)
    if answer is None:
        raise NotSupported(f"{one.title}: no hash has to be refused.")
    bounds = ", ".join(long(b) for b in one.trial["boundaries"])
    found = answer["bundle"]
    upper = "closed" if found["upper_included"] else "closedOpen"
    return Method(
        NAMING,
        (
            "static org.mockito.Mockito.mock",
            "static org.testng.Assert.assertEquals",
            "com.google.common.collect.Range",
            "java.util.Optional",
        ),
        f"""
// The factory is only handed on to the bundles.
NamespaceBundles bundles = new NamespaceBundles(NamespaceName.get("public/default"),
        mock(NamespaceBundleFactory.class), Optional.empty(), new long[] {{{bounds}}});
NamespaceBundle found = bundles.getBundle({long(one.trial["hash"])});
assertEquals(found.getKeyRange(), Range.{upper}({long(found["lower"])}, {long(found["upper"])}));
""",
    )


def positions(one: Case) -> Method:
    """`splitting.positions`: NamespaceBundleSplitAlgorithm.getSplitBoundary."""
    answer, trial = expected_answer(one), one.trial
    if answer is None:
        raise NotSupported(f"{one.title}: the algorithm has to refuse, which is not supported yet.")
    lower, upper = trial["bundle"]["lower"], trial["bundle"]["upper"]
    last = upper == 2**32 - 1
    flow = trial["algorithm"] == "flow_or_qps_equally_divide"
    topics = ",\n        ".join(string(load["topic"]) for load in trial["topics"])
    given = f"new ArrayList<>({listed(long(p) for p in trial['positions'])})"
    option = f"new BundleSplitOption(service, bundle, {given})"
    stats = ""
    if flow:
        limits = trial["limits"]
        stats = "Map<String, TopicStatsImpl> stats = new HashMap<>();\n" + "".join(
            f"stats.put({string(load['topic'])}, stats({load['msg_rate_in']}, "
            f"{load['msg_rate_out']}, {load['throughput_in']}, {load['throughput_out']}));\n"
            for load in trial["topics"]
            if load["reported"]
        )
        stats = stats.replace("stats(", "statsOf.apply(new double[] {").replace("));", "}));")
        stats = (
            "Function<double[], TopicStatsImpl> statsOf = rates -> {\n"
            "    TopicStatsImpl made = new TopicStatsImpl();\n"
            "    made.msgRateIn = rates[0];\n    made.msgRateOut = rates[1];\n"
            "    made.msgThroughputIn = rates[2];\n    made.msgThroughputOut = rates[3];\n"
            "    return made;\n};\n"
        ) + stats
        option = (
            f"new FlowOrQpsEquallyDivideBundleSplitOption(service, bundle, {given}, stats,\n"
            f"        {limits['loadBalancerNamespaceBundleMaxMsgRate']}, "
            f"{limits['loadBalancerNamespaceBundleMaxBandwidthMbytes']}, "
            f"{limits['flowOrQpsDifferenceThresholdPercentage']})"
        )
    expected = listed(long(p) for p in answer["positions"])
    algorithm = f"NamespaceBundleSplitAlgorithm.of({string(trial['algorithm'])})"
    if trial["forced"] and trial["algorithm"] == "specified_positions_divide":
        algorithm = "NamespaceBundleSplitAlgorithm.SPECIFIED_POSITIONS_DIVIDE_FORCE_ALGO"
    more = (
        "java.util.HashMap",
        "java.util.Map",
        "java.util.function.Function",
        "org.apache.pulsar.common.policies.data.stats.TopicStatsImpl",
    )
    return Method(
        NAMING,
        (
            "static org.mockito.ArgumentMatchers.any",
            "static org.mockito.ArgumentMatchers.anyString",
            "static org.mockito.Mockito.mock",
            "static org.mockito.Mockito.when",
            "static org.testng.Assert.assertEquals",
            "com.google.common.collect.BoundType",
            "com.google.common.collect.Range",
            "com.google.common.hash.Hashing",
            "java.nio.charset.StandardCharsets",
            "java.util.ArrayList",
            "java.util.List",
            "java.util.concurrent.CompletableFuture",
            "org.apache.pulsar.broker.namespace.NamespaceService",
            *(more if flow else ()),
        ),
        f"""
NamespaceBundleFactory factory = mock(NamespaceBundleFactory.class);
when(factory.getLongHashCode(anyString())).thenAnswer(call -> Hashing.crc32()
        .hashString(call.getArgument(0, String.class), StandardCharsets.UTF_8).padToLong());
NamespaceBundle bundle = new NamespaceBundle(NamespaceName.get("public/default"),
        Range.range({long(lower)}, BoundType.CLOSED, {long(upper)}, BoundType.{"CLOSED" if last else "OPEN"}), factory);
NamespaceService service = mock(NamespaceService.class);
when(service.getOwnedTopicListForNamespaceBundle(any())).thenReturn(CompletableFuture.completedFuture(
        new ArrayList<>(List.of({topics}))));
{stats}List<Long> positions = {algorithm}
        .getSplitBoundary({option}).get();
assertEquals(positions == null ? List.of() : positions, {expected});
""",
    )


def due_modular(one: Case) -> Method:
    """`splitting.due_modular`: BundleSplitterTask.findBundlesToSplit in a first round."""
    answer, trial = expected_answer(one), one.trial
    if answer is None or len(trial["rounds"]) != 1:
        raise NotSupported(f"{one.title}: only a single round can be written as a TestNG method.")
    [view], [due], keys = trial["rounds"], answer["rounds"], trial["config"]
    number = dict.fromkeys(
        [
            "loadBalancerNamespaceBundleMaxTopics",
            "loadBalancerNamespaceBundleMaxSessions",
            "loadBalancerNamespaceBundleMaxMsgRate",
            "loadBalancerNamespaceBundleMaxBandwidthMbytes",
            "loadBalancerNamespaceMaximumBundles",
        ]
    )
    config = "".join(f"config.set{key[:1].upper()}{key[1:]}({keys[key]});\n" for key in number)
    loads = "".join(reported(load) for load in view["loads"])
    counts = "".join(
        f"when(namespaces.getBundleCount(NamespaceName.get({string(c['namespace'])})))"
        f".thenReturn({c['bundles']});\n"
        for c in view["counts"]
    )
    expected = ", ".join(f"{string(d['bundle'])}, {string(d['broker'])}" for d in due)
    return Method(
        IMPL,
        (
            "static org.mockito.Mockito.mock",
            "static org.mockito.Mockito.when",
            "static org.testng.Assert.assertEquals",
            "java.util.Map",
            "org.apache.pulsar.broker.PulsarService",
            "org.apache.pulsar.broker.ServiceConfiguration",
            "org.apache.pulsar.broker.loadbalance.LoadData",
            "org.apache.pulsar.broker.namespace.NamespaceService",
            "org.apache.pulsar.common.naming.NamespaceName",
            "org.apache.pulsar.policies.data.loadbalancer.BrokerData",
            "org.apache.pulsar.policies.data.loadbalancer.BundleData",
            "org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData",
            "org.apache.pulsar.policies.data.loadbalancer.NamespaceBundleStats",
        ),
        f"""
ServiceConfiguration config = new ServiceConfiguration();
{config}NamespaceService namespaces = mock(NamespaceService.class);
{counts}PulsarService pulsar = mock(PulsarService.class);
when(pulsar.getConfiguration()).thenReturn(config);
when(pulsar.getNamespaceService()).thenReturn(namespaces);

LoadData loadData = new LoadData();
{loads}assertEquals(new BundleSplitterTask().findBundlesToSplit(loadData, pulsar), Map.of({expected}));
""",
    )


def reported(load: dict[str, Any]) -> str:
    """Lines that put the report of a bundle into the leader's data."""
    broker, bundle = string(load["broker"]), string(load["bundle"])
    return (
        "{\n    NamespaceBundleStats stats = new NamespaceBundleStats();\n"
        f"    stats.topics = {load['topics']};\n"
        f"    stats.producerCount = {load['producers']};\n"
        f"    stats.consumerCount = {load['consumers']};\n"
        f"    stats.msgRateIn = {load['msg_rate_in']};\n"
        f"    stats.msgRateOut = {load['msg_rate_out']};\n"
        f"    stats.msgThroughputIn = {load['throughput_in']};\n"
        f"    stats.msgThroughputOut = {load['throughput_out']};\n"
        f"    loadData.getBrokerData().computeIfAbsent({broker}, any -> new BrokerData(new LocalBrokerData()))\n"
        f"            .getLocalData().getLastStats().put({bundle}, stats);\n"
        "    BundleData averages = new BundleData(10, 1000);\n    averages.update(stats);\n"
        f"    loadData.getBundleData().put({bundle}, averages);\n}}\n"
    )


def record(data: dict[str, Any]) -> str:
    """A record of the channel."""
    texts = [string(data[name]) if data[name] else "null" for name in ("destination", "source")]
    return (
        f"new ServiceUnitStateData(ServiceUnitState.{data['state']}, {texts[0]}, {texts[1]}, "
        f"{str(data['force']).lower()}, {data['version']}L)"
    )


def transition(one: Case) -> Method:
    """`ownership.transition`: ServiceUnitState.isValidTransition."""
    answer, trial = expected_answer(one), one.trial
    if answer is None:
        raise NotSupported(f"{one.title}: no transition has to be refused.")
    return Method(
        f"{EXTENSIONS}.channel",
        ("static org.testng.Assert.assertEquals",),
        f"""
assertEquals(ServiceUnitState.isValidTransition(ServiceUnitState.{trial["before"]},
        ServiceUnitState.{trial["after"]}, ServiceUnitState.StorageType.{trial["storage"]}), {str(answer["allowed"]).lower()});
""",
    )


def conflict(one: Case) -> Method:
    """`ownership.conflict`: ServiceUnitStateDataConflictResolver.shouldKeepLeft."""
    answer, trial = expected_answer(one), one.trial
    if answer is None:
        raise NotSupported(f"{one.title}: no record has to be refused.")

    def record_of(name: str) -> str:
        return "null" if trial[name] is None else record(trial[name])

    return Method(
        f"{EXTENSIONS}.channel",
        ("static org.testng.Assert.assertEquals",),
        f"""
ServiceUnitStateDataConflictResolver resolver = new ServiceUnitStateDataConflictResolver();
resolver.setStorageType(ServiceUnitState.StorageType.{trial["storage"]});
ServiceUnitStateData current = {record_of("current")};
ServiceUnitStateData update = {record_of("update")};
assertEquals(resolver.shouldKeepLeft(current, update), {str(not answer["accepted"]).lower()});
""",
    )


def channel(one: Case) -> Method:
    """`ownership.channel`: of a long schedule the one record that must not have been accepted."""
    current: dict[str, Any] = {}
    found: tuple[dict[str, Any], dict[str, Any]] | None = None
    for step in one.shown.observed.get("answer", {}).get("steps", []):
        for wrote in step["wrote"]:
            before, after = current.get(wrote["bundle"]), wrote["record"]
            jumps = before and after and after["version"] > before["version"] + 1
            if (
                before
                and after
                and jumps
                and before["state"] == "Owned"
                and after["state"] == "Assigning"
            ):
                found = (before, after)
            if wrote["stands"]:
                current[wrote["bundle"]] = after
    if found is None:
        raise NotSupported(
            f"{one.title}: is a schedule of several brokers in which no single record is wrongly "
            "accepted; evenkeel's adapter can run it, one TestNG method cannot."
        )
    before, after = found
    return Method(
        f"{EXTENSIONS}.channel",
        ("static org.testng.Assert.assertTrue",),
        f"""
ServiceUnitStateDataConflictResolver resolver = new ServiceUnitStateDataConflictResolver();
resolver.setStorageType(ServiceUnitState.StorageType.{one.trial["storage"]});
// The bundle was removed and assigned again: its versions began at 1 again.
ServiceUnitStateData owned = {record(before)};
// A broker that has not read the removal continues from the version before it.
ServiceUnitStateData stale = {record(after)};
assertTrue(resolver.shouldKeepLeft(owned, stale),
        "a record of the life before replaces the owner: " + owned + " -> " + stale);
""",
    )
