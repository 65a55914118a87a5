"""Methods for the placement strategies of the modular manager, on their own classes."""

from __future__ import annotations

from typing import Any, Final

from evenkeel.harness.cases import Case, objections
from evenkeel.harness.subjects.wire import read_observation
from evenkeel.properties.catalogue import QUESTIONS
from evenkeel.properties.kit.codec import from_json
from evenkeel.reference.edition import EDITIONS
from evenkeel.report.loads import (
    DATA,
    POLICIES,
    REPORT,
    java,
    report_of,
    texts,
    weights_of,
)
from evenkeel.report.parts import (
    EXTENSIONS,
    IMPL,
    Method,
    NotSupported,
    expected_answer,
    indented,
    string,
)

Path = tuple[str | int, ...]
ATTEMPTS: Final = 20
ASKED: Final = 60
REFUSED: Final = ("refused", "broke")
IMPORTS: Final = (
    "static org.testng.Assert.assertEquals",
    *DATA,
    "java.util.ArrayList",
    "java.util.Arrays",
    "java.util.LinkedHashSet",
    "java.util.List",
    "org.apache.pulsar.broker.loadbalance.LoadData",
    f"{POLICIES}.BrokerData",
    f"{POLICIES}.BundleData",
)
BEGIN: Final = """\
ServiceConfiguration config = new ServiceConfiguration();
LoadData data = new LoadData();
"""
EXPECTED: Final = """\
Function<Double, BundleData> expected = rate -> {
    BundleData made = new BundleData(10, 1000);
    made.getLongTermData().setMsgRateIn(rate);
    return made;
};
"""


def chosen(candidates: list[str], times: int, expected: list[str | None], bundle: str) -> str:
    """Lines that ask so often, and say what must be chosen."""
    among = ", ".join(map(string, candidates))
    return f"""\
choices.clear();
for (int i = 0; i < {times}; i++) {{
    choices.add(strategy.selectBroker(new LinkedHashSet<>(List.of({among})),
            {bundle}, data, config).orElse(null));
}}
assertEquals(choices, {texts(expected)});
"""


def answer_of(one: Case) -> dict[str, Any]:
    """What must be answered. Raises `NotSupported` where that is a refusal."""
    answer = expected_answer(one)
    if answer is None or any(r["do"] in REFUSED for r in answer.get("results", ())):
        raise NotSupported(f"{one.title}: has to be refused, which is not supported.")
    return answer


def allowed(one: Case, candidates: list[str], choices: list[str | None], at: Path) -> list[str]:
    """The candidates that may each be chosen every time; empty if none may be.

    `at` is the place of the choices in the answer. Raises `NotSupported` if the choice is random.
    """
    if len(set(choices)) > 1:
        raise NotSupported(
            f"{one.title}: the choice is random, which one TestNG method cannot check."
        )
    question = QUESTIONS[one.question]
    trial = from_json(question.trial_type, one.trial)

    def right(candidate: str) -> bool:
        given = put(one.expected, ("answer", *at), [candidate] * len(choices))
        observed = read_observation(question, given)
        return not objections(one.question, EDITIONS[one.edition], trial, observed)

    return [one for one in candidates if one in choices or right(one)]


def sure(one: Case, candidates: list[str], choices: list[str | None], at: Path) -> None:
    """Raises `NotSupported` if another choice is right, too, since later results depend on it."""
    if len(allowed(one, candidates, choices, at)) > 1:
        raise NotSupported(
            f"{one.title}: the choice is open, which one TestNG method cannot check."
        )


def put(data: Any, at: Path, value: Any) -> Any:
    """JSON data with a value in the place of another."""
    if not at:
        return value
    first, rest = at[0], at[1:]
    if isinstance(data, list):
        return [put(item, rest, value) if i == first else item for i, item in enumerate(data)]
    return {key: put(item, rest, value) if key == first else item for key, item in data.items()}


def message_rate(one: Case) -> Method:
    """`placement.least_long_term_message_rate`: LeastLongTermMessageRate.selectBroker."""
    trial, expected = one.trial, answer_of(one)["choices"]
    right = allowed(one, trial["candidates"], expected, ("choices",))
    brokers = ""
    for broker in trial["brokers"]:
        name, given = string(broker["name"]), broker["report"]
        brokers += (
            f"data.getBrokerData().put({name}, new BrokerData({report_of(given['resources'])}));\n"
        )
        for side in ("In", "Out"):
            rate = java(given[f"rate_{side.lower()}"])
            brokers += (
                f"data.getBrokerData().get({name}).getTimeAverageData()"
                f".setLongTermMsgRate{side}({rate});\n"
            )
        for number, rate in enumerate(given["preallocated"]):
            brokers += (
                f"data.getBrokerData().get({name}).getPreallocatedBundleData()"
                f'.put("bundle-{number}", expected.apply({java(float(rate))}));\n'
            )
    if any(broker["report"]["preallocated"] for broker in trial["brokers"]):
        brokers = EXPECTED + brokers
    asks = chosen(trial["candidates"], trial["times"], expected, "new BundleData(10, 1000)")
    if len(right) > 1:
        asks = asks[: asks.index("assertEquals")] + (
            f'assertTrue({texts(right)}.containsAll(choices), choices + " are not all right");\n'
        )
    return Method(
        IMPL,
        ("static org.testng.Assert.assertTrue", *IMPORTS),
        f"""
{REPORT}{BEGIN}config.setLoadBalancerBrokerOverloadedThresholdPercentage({trial["threshold"]});
{weights_of(trial["weights"])}{brokers}LeastLongTermMessageRate strategy = new LeastLongTermMessageRate();
List<String> choices = new ArrayList<>();
{asks}""",
    )


def round_robin(one: Case) -> Method:
    """`placement.round_robin`: RoundRobinBrokerSelector.selectBroker."""
    results = answer_of(one)["results"]
    asks = "".join(
        chosen(ask["candidates"], ask["times"], result["choices"], "new BundleData(10, 1000)")
        for ask, result in zip(one.trial["asks"], results, strict=True)
    )
    needs = tuple(name for name in IMPORTS if name not in DATA and not name.endswith("BrokerData"))
    return Method(
        IMPL,
        (
            *needs,
            "java.util.concurrent.atomic.AtomicInteger",
            "org.apache.commons.lang3.reflect.FieldUtils",
            "org.apache.pulsar.broker.ServiceConfiguration",
        ),
        f"""
{BEGIN}RoundRobinBrokerSelector strategy = new RoundRobinBrokerSelector();
((AtomicInteger) FieldUtils.readField(strategy, "count", true)).set({one.trial["counter"]});
List<String> choices = new ArrayList<>();
{asks}""",
    )


def usage_modular(one: Case) -> Method:
    """`placement.least_resource_usage_modular`: LeastResourceUsageWithWeight.selectBroker."""
    trial, lines = one.trial, ""
    results = answer_of(one)["results"]
    for index, (command, result) in enumerate(zip(trial["commands"], results, strict=True)):
        match command["do"]:
            case "report":
                name, given = string(command["broker"]), command["report"]
                rates = (given["rate_in"], given["rate_out"], 0.0, 0.0)
                made = report_of(given["resources"], rates)
                lines += f"data.getBrokerData().put({name}, new BrokerData({made}));\n"
                for number in range(given["bundles"]):
                    lines += (
                        f"data.getBrokerData().get({name}).getLocalData().getBundles()"
                        f'.add("tenant/namespace/{number}");\n'
                    )
            case "active":
                among = ", ".join(map(string, command["brokers"]))
                lines += f"strategy.onActiveBrokersChange(new LinkedHashSet<>(List.of({among})));\n"
            case "ask":
                candidates, expected = command["candidates"], result["choices"]
                sure(one, candidates, expected, ("results", index, "choices"))
                bundle = "new BundleData(10, 1000)"
                lines += chosen(candidates, command["times"], expected, bundle)
    config = trial["config"]
    return Method(
        IMPL,
        IMPORTS,
        f"""
{REPORT}{BEGIN}config.setLoadBalancerAverageResourceUsageDifferenceThresholdPercentage({config["difference"]});
config.setLoadBalancerHistoryResourcePercentage({java(config["history"])});
{weights_of(config["weights"])}LeastResourceUsageWithWeight strategy = new LeastResourceUsageWithWeight();
List<String> choices = new ArrayList<>();
{lines}""",
    )


def usage_extensible(one: Case) -> Method:
    """`placement.least_resource_usage_extensible`: LeastResourceUsageWithWeight.select."""
    trial, expected = one.trial, answer_of(one)["choices"]
    names = [candidate["name"] for candidate in trial["candidates"]]
    right = allowed(one, names, expected, ("choices",))
    loads = ""
    for number, candidate in enumerate(trial["candidates"], 1):
        if candidate["usage"] is not None:
            loads += (
                f"BrokerLoadData load{number} = new BrokerLoadData();\n"
                f'FieldUtils.writeField(load{number}, "weightedMaxEMA", {candidate["usage"]}, true);\n'
                f"when(store.get({string(candidate['name'])})).thenReturn(Optional.of(load{number}));\n"
            )
    return Method(
        f"{EXTENSIONS}.strategy",
        (
            "static org.mockito.ArgumentMatchers.anyString",
            "static org.mockito.Mockito.mock",
            "static org.mockito.Mockito.when",
            "static org.testng.Assert.assertTrue",
            "java.util.Arrays",
            "java.util.LinkedHashSet",
            "java.util.List",
            "java.util.Optional",
            "java.util.Set",
            "java.util.TreeSet",
            "org.apache.commons.lang3.reflect.FieldUtils",
            "org.apache.pulsar.broker.ServiceConfiguration",
            f"{EXTENSIONS}.LoadManagerContext",
            f"{EXTENSIONS}.data.BrokerLoadData",
            f"{EXTENSIONS}.store.LoadDataStore",
            "org.apache.pulsar.common.naming.NamespaceBundle",
        ),
        f"""
ServiceConfiguration config = new ServiceConfiguration();
config.setLoadBalancerAverageResourceUsageDifferenceThresholdPercentage({trial["difference"]});
LoadDataStore<BrokerLoadData> store = mock(LoadDataStore.class);
when(store.get(anyString())).thenReturn(Optional.empty());
{loads}LoadManagerContext context = mock(LoadManagerContext.class);
when(context.brokerConfiguration()).thenReturn(config);
when(context.brokerLoadDataStore()).thenReturn(store);
LeastResourceUsageWithWeight strategy = new LeastResourceUsageWithWeight();
NamespaceBundle bundle = mock(NamespaceBundle.class);
Set<String> chosen = new TreeSet<>();
// It draws among the best, so it is asked often.
for (int i = 0; i < {ASKED}; i++) {{
    Set<String> candidates = new LinkedHashSet<>(List.of({", ".join(map(string, names))}));
    chosen.add(strategy.select(candidates, bundle, context).orElse("none"));
}}
assertTrue({texts(right or ["none"])}.containsAll(chosen), chosen + " are not all right");
""",
    )


def avg_shedder(one: Case) -> Method:
    """`placement.avg_shedder`: AvgShedder.selectBroker, and what it remembers by bundle."""
    if EDITIONS[one.edition].plans_end_with_round:
        raise NotSupported(
            f"{one.title}: since 5.0.1 AvgShedder keeps its plan in records of a private class, "
            "which only a round of shedding makes."
        )
    names = {bundle["name"]: f"bundle{n}" for n, bundle in enumerate(one.trial["bundles"], 1)}
    lines = ""
    for bundle in one.trial["bundles"]:
        lines += f"BundleData {names[bundle['name']]} = new BundleData(10, 1000);\n"
        lines += statistics(names[bundle["name"]], bundle["statistics"])
    results = answer_of(one)["results"]
    for index, (command, result) in enumerate(zip(one.trial["commands"], results, strict=True)):
        bundle = names[command["bundle"]]
        match command["do"]:
            case "plan":
                lines += f"plan.put({bundle}, {string(command['broker'])});\n"
            case "update":
                lines += statistics(bundle, command["statistics"])
            case "place":
                candidates, expected = command["candidates"], result["choices"]
                sure(one, candidates, expected, ("results", index, "choices"))
                lines += chosen(candidates, 1, expected, bundle)
    body = f"""\
AvgShedder strategy = new AvgShedder();
// What a round of shedding plans: a broker for each bundle.
@SuppressWarnings("unchecked")
Map<BundleData, String> plan = (Map<BundleData, String>) FieldUtils.readField(strategy, "bundleBrokerMap", true);
{lines}"""
    return Method(
        IMPL,
        (
            *(n for n in IMPORTS if n not in DATA and not n.endswith("BrokerData")),
            "java.util.Map",
            "org.apache.commons.lang3.reflect.FieldUtils",
            "org.apache.pulsar.broker.ServiceConfiguration",
        ),
        f"""
{BEGIN}List<String> choices = new ArrayList<>();
// What was not planned is placed at random: by chance that may be as planned, but not so often.
for (int attempt = 0; attempt < {ATTEMPTS}; attempt++) {{
{indented(body, 4)}}}
""",
    )


def statistics(bundle: str, given: dict[str, Any]) -> str:
    """Lines that set a bundle's statistics."""
    return (
        f"{bundle}.getShortTermData().setMsgRateIn({float(given['rate'])});\n"
        f"{bundle}.getShortTermData().setMsgThroughputIn({float(given['throughput'])});\n"
        f"{bundle}.setTopics({given['topics']});\n"
    )
