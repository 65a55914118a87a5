"""What questions of load, shedding and placement have in common, and methods of their own."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Final

from evenkeel.harness.cases import Case
from evenkeel.report.parts import IMPL, Method, NotSupported, expected_answer, string

RESOURCES: Final = ("cpu", "memory", "direct_memory", "bandwidth_in", "bandwidth_out")
TRAFFIC: Final = ("msg_rate_in", "msg_rate_out", "throughput_in", "throughput_out")
POLICIES: Final = "org.apache.pulsar.policies.data.loadbalancer"
DATA: Final = (
    "java.util.function.Function",
    "org.apache.pulsar.broker.ServiceConfiguration",
    f"{POLICIES}.LocalBrokerData",
    f"{POLICIES}.ResourceUsage",
)
REPORT: Final = """\
// Usage and limit of processor, memory, direct memory, bandwidth in and out, then rates and throughputs.
Function<double[], LocalBrokerData> report = of -> {
    LocalBrokerData made = new LocalBrokerData();
    made.setCpu(new ResourceUsage(of[0], of[1]));
    made.setMemory(new ResourceUsage(of[2], of[3]));
    made.setDirectMemory(new ResourceUsage(of[4], of[5]));
    made.setBandwidthIn(new ResourceUsage(of[6], of[7]));
    made.setBandwidthOut(new ResourceUsage(of[8], of[9]));
    made.setMsgRateIn(of[10]);
    made.setMsgRateOut(of[11]);
    made.setMsgThroughputIn(of[12]);
    made.setMsgThroughputOut(of[13]);
    return made;
};
"""
WEIGHTS: Final = {
    "cpu": "CPU",
    "memory": "Memory",
    "direct_memory": "DirectMemory",
    "bandwidth_in": "BandwidthIn",
    "bandwidth_out": "BandwidthOut",
}


def java(value: Any) -> str:
    """A number or a truth as Java writes it."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "Double.NaN"
    return str(value).lower() if isinstance(value, bool) else str(value)


def doubles(values: Iterable[Any]) -> str:
    """A Java array of doubles."""
    return f"new double[] {{{', '.join(java(value) for value in values)}}}"


def report_of(resources: dict[str, Any], traffic: Iterable[Any] = (0.0, 0.0, 0.0, 0.0)) -> str:
    """An expression that makes a broker's report, by `REPORT`."""
    usages = [resources[name][part] for name in RESOURCES for part in ("usage", "limit")]
    return f"report.apply({doubles([*usages, *traffic])})"


def weights_of(weights: dict[str, float]) -> str:
    """Lines that set the weights of resources."""
    return "".join(
        f"config.setLoadBalancer{WEIGHTS[name]}ResourceWeight({java(weights[name])});\n"
        for name in RESOURCES
    )


def settings_of(config: dict[str, Any]) -> str:
    """Lines that set keys of the configuration."""
    return "".join(
        f"config.set{key[:1].upper()}{key[1:].replace('Cpu', 'CPU')}({java(value)});\n"
        for key, value in config.items()
    )


def texts(values: Iterable[str | None]) -> str:
    """A Java list, in which nulls may be."""
    given = ("(String) null" if one is None else string(one) for one in values)
    return f"Arrays.asList({', '.join(given)})"


def usage(one: Case) -> Method:
    """`load.usage`: LocalBrokerData's figures, and BrokerLoadData's."""
    answer, trial = expected_answer(one), one.trial
    if answer is None:
        raise NotSupported(f"{one.title}: no usage has to be refused.")
    local = {
        "unweighted": "made.getMaxResourceUsage()",
        "weighted": "made.getMaxResourceUsageWithWeight(config.getLoadBalancerCPUResourceWeight(),\n"
        "        config.getLoadBalancerDirectMemoryResourceWeight(),\n"
        "        config.getLoadBalancerBandwidthInResourceWeight(),\n"
        "        config.getLoadBalancerBandwidthOutResourceWeight())",
    }
    getters = {name: f"made.get{java_name(name)}().percentUsage()" for name in RESOURCES}
    asserts = "".join(
        f"assertEquals({call}, {java(answer[name])}, 1e-6);\n"
        for name, call in {**getters, **local}.items()
        if answer[name] is not None
    )
    return Method(
        IMPL,
        ("static org.testng.Assert.assertEquals", *DATA),
        f"""
{REPORT}ServiceConfiguration config = new ServiceConfiguration();
{weights_of(trial["weights"])}config.setLoadBalancerBandwithInResourceWeight({java(trial["misspelt_in"])});
config.setLoadBalancerBandwithOutResourceWeight({java(trial["misspelt_out"])});
LocalBrokerData made = {report_of(trial)};
{asserts}""",
    )


def java_name(name: str) -> str:
    """The name of a resource in getters."""
    return "".join(part.capitalize() for part in name.split("_"))
