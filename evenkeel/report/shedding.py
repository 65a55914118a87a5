"""Methods for the shedders of the modular manager, round after round, on their own classes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from evenkeel.harness.cases import Case
from evenkeel.report.loads import (
    DATA,
    POLICIES,
    REPORT,
    TRAFFIC,
    doubles,
    report_of,
    settings_of,
)
from evenkeel.report.parts import IMPL, Method, NotSupported, expected_answer, indented, string

MINUTE: Final = 60_000
GRACE: Final = "loadBalancerSheddingGracePeriodMinutes"
IMPORTS: Final = (
    "static org.testng.Assert.assertEquals",
    *DATA,
    "com.google.common.collect.ImmutableSetMultimap",
    "com.google.common.collect.Multimap",
    "com.google.common.collect.Multimaps",
    "java.util.List",
    "java.util.Map",
    "java.util.Set",
    "java.util.TreeMap",
    "org.apache.pulsar.broker.loadbalance.LoadData",
    f"{POLICIES}.BrokerData",
    f"{POLICIES}.BundleData",
    f"{POLICIES}.TimeAverageMessageData",
)
BY_LOAD: Final = """\
// Equally heavy bundles are interchangeable.
Function<Map<String, Set<String>>, Map<String, List<String>>> byLoad = all -> {
    Map<String, List<String>> made = new TreeMap<>();
    all.forEach((broker, bundles) -> made.put(broker, bundles.stream().map(bundle -> {
        TimeAverageMessageData load = data.getBundleData().get(bundle).getShortTermData();
        return (load.getMsgThroughputIn() + load.getMsgThroughputOut()) + " B/s, "
                + (load.getMsgRateIn() + load.getMsgRateOut()) + " msg/s";
    }).sorted().toList()));
    return made;
};
"""
AVERAGES: Final = """\
// Rates and throughputs of the short term, then of the long term.
Function<double[], BundleData> averages = of -> {
    BundleData made = new BundleData(10, 1000);
    made.getShortTermData().setMsgRateIn(of[0]);
    made.getShortTermData().setMsgRateOut(of[1]);
    made.getShortTermData().setMsgThroughputIn(of[2]);
    made.getShortTermData().setMsgThroughputOut(of[3]);
    made.getLongTermData().setMsgRateIn(of[4]);
    made.getLongTermData().setMsgRateOut(of[5]);
    made.getLongTermData().setMsgThroughputIn(of[6]);
    made.getLongTermData().setMsgThroughputOut(of[7]);
    return made;
};
"""


def rounds(shedder: str) -> Callable[[Case], Method]:
    """The method for counterexamples of this shedder."""

    def method(one: Case) -> Method:
        answer, trial = expected_answer(one), one.trial
        if answer is None:
            raise NotSupported(f"{one.title}: no round has to be refused.")
        joined = {entry["round"]: entry["active"] for entry in trial.get("memberships", ())}
        judged_rounds = zip(trial["rounds"], answer["rounds"], strict=True)
        body = "".join(
            round_lines(number, given, shed, trial["config"][GRACE], joined.get(number))
            for number, (given, shed) in enumerate(judged_rounds)
        )
        recent = "".join(
            f"data.getRecentlyUnloadedBundles().put({string(b['bundle'])}, {b['at']}L);\n"
            for b in trial["recently_unloaded"]
        )
        return Method(
            IMPL,
            IMPORTS,
            f"""
{REPORT}{AVERAGES}ServiceConfiguration config = new ServiceConfiguration();
{settings_of(trial["config"])}LoadData data = new LoadData();
{BY_LOAD}{recent}{shedder} shedder = new {shedder}();
{body}""",
        )

    return method


def round_lines(
    number: int, given: dict[str, Any], shed: Any, grace: int, active: list[str] | None
) -> str:
    """Lines of one round: what is reported, and what must be shed then."""
    lines = []
    if active is not None:
        lines.append(f"shedder.onActiveBrokersChange(Set.of({', '.join(map(string, active))}));")
    lines += [
        "data.getRecentlyUnloadedBundles().values()"
        f".removeIf(at -> at < {given['at'] - grace * MINUTE}L);",
        "data.getBrokerData().clear();",
        "data.getBundleData().clear();",
    ]
    for broker in given["brokers"]:
        name = string(broker["broker"])
        made = report_of(broker["resources"], [broker["traffic"][rate] for rate in TRAFFIC])
        bundles = ",\n        ".join(map(string, broker["bundles"]))
        lines.append(f"data.getBrokerData().put({name}, new BrokerData({made}));")
        lines.append(
            f"data.getBrokerData().get({name}).getLocalData().getBundles()"
            f".addAll(List.of({bundles}));"
        )
    for bundle in given["bundles"]:
        rates = [bundle[term][rate] for term in ("short_term", "long_term") for rate in TRAFFIC]
        lines.append(
            f"data.getBundleData().put({string(bundle['bundle'])},\n"
            f"        averages.apply({doubles(rates)}));"
        )
    lines += [
        "Multimap<String, String> shed =\n"
        "        ImmutableSetMultimap.copyOf(shedder.findBundlesForUnloading(data, config));",
        "assertEquals(byLoad.apply(Multimaps.asMap((ImmutableSetMultimap<String, String>) shed)),\n"
        f"        byLoad.apply({expected_map(shed)}));",
        *destinations(shed),
        f"for (String bundle : shed.values()) {{\n"
        f"    if (!Set.of({', '.join(map(string, given['failing']))}).contains(bundle)) {{\n"
        f"        data.getRecentlyUnloadedBundles().put(bundle, {given['at']}L);\n    }}\n}}",
    ]
    title = f"// Round {number + 1}, at {given['at'] / MINUTE:g} min."
    inside = indented("\n".join(lines), 4)
    return f"\n{{ {title}\n{inside}}}\n"


def name_of(bundle: Any) -> str:
    """A bundle that is shed: a name, or a name with a destination."""
    return str(bundle["bundle"] if isinstance(bundle, dict) else bundle)


def expected_map(shed: Any) -> str:
    """What must be shed, by broker."""
    entries = []
    for entry in shed:
        names = ", ".join(string(name_of(bundle)) for bundle in entry["bundles"])
        entries.append(f"Map.entry({string(entry['broker'])}, Set.of({names}))")
    return f"Map.ofEntries({', '.join(entries)})" if entries else "Map.of()"


def destinations(shed: Any) -> list[str]:
    """Where a shedder that places what it sheds must send it."""
    planned = [b["destination"] for e in shed for b in e["bundles"] if isinstance(b, dict)]
    if not planned or None in planned:
        return []
    return [
        "assertEquals(shed.values().stream().map(bundle -> "
        "shedder.selectBroker(data.getBrokerData().keySet(),\n"
        '        data.getBundleData().get(bundle), data, config).orElse("none"))'
        f".sorted().toList(),\n        List.of({', '.join(map(string, sorted(planned)))}));"
    ]
