"""Methods for the questions of bundles: names of topics, ranges, boundaries, lookups."""

from __future__ import annotations

from typing import Any, Final

from evenkeel.harness.cases import Case
from evenkeel.report.parts import NAMING, Method, NotSupported, expected_answer, long, string

ASSERTS: Final = ("static org.testng.Assert.assertEquals",)
FACTORY: Final = (
    "static org.mockito.ArgumentMatchers.anyString",
    "static org.mockito.Mockito.mock",
    "static org.mockito.Mockito.when",
    "com.google.common.hash.Hashing",
    "java.nio.charset.StandardCharsets",
)
HASHES: Final = """\
NamespaceBundleFactory factory = mock(NamespaceBundleFactory.class);
when(factory.getLongHashCode(anyString())).thenAnswer(call -> Hashing.crc32()
        .hashString(call.getArgument(0, String.class), StandardCharsets.UTF_8).padToLong());
"""
REFUSES: Final = "static org.testng.Assert.assertThrows"


def java_range(bundle: dict[str, Any]) -> str:
    """A bundle's span as Guava's Range."""
    upper = "closed" if bundle["upper_included"] else "closedOpen"
    return f"Range.{upper}({long(bundle['lower'])}, {long(bundle['upper'])})"


def refused(statement: str) -> str:
    """That a statement must be refused, and not end in an error of the machine."""
    return f"""
assertThrows(IllegalArgumentException.class, () -> {{
    {statement}
}});
"""


def topic(one: Case) -> Method:
    """`bundles.topic`: TopicName, and the CRC-32 of its full name."""
    answer, text = expected_answer(one), string(one.trial["text"])
    if answer is None:
        return Method(NAMING, (REFUSES,), refused(f"TopicName.get({text});"))
    index = -1 if answer["partition"] is None else answer["partition"]
    return Method(
        NAMING,
        ASSERTS,
        f"""
TopicName topic = TopicName.get({text});
assertEquals(topic.toString(), {string(answer["name"])});
assertEquals(topic.getDomain().value(), {string(answer["domain"])});
assertEquals(topic.getNamespace(), {string(answer["namespace"])});
assertEquals(topic.getLocalName(), {string(answer["local_name"])});
assertEquals(topic.getPartitionedTopicName(), {string(answer["base_name"])});
assertEquals(topic.getPartitionIndex(), {index});
""",
    )


def range_text(one: Case) -> Method:
    """`bundles.range`: NamespaceBundleFactory.getBundle(String, String)."""
    made = (
        "NamespaceBundleFactory factory = mock(NamespaceBundleFactory.class, CALLS_REAL_METHODS);\n"
    )
    mocks = ("static org.mockito.Mockito.CALLS_REAL_METHODS", "static org.mockito.Mockito.mock")
    call = f'factory.getBundle("public/default", {string(one.trial["text"])})'
    answer = expected_answer(one)
    if answer is None:
        return Method(NAMING, (REFUSES, *mocks), f"{made}{refused(f'{call};').lstrip()}")
    found = java_range(answer["range"])
    return Method(
        NAMING,
        (*ASSERTS, *mocks, "com.google.common.collect.Range"),
        f"{made}assertEquals({call}.getKeyRange(), {found});\n",
    )


def made_bundles(trial: dict[str, Any], namespace: str) -> str:
    """An expression that makes the bundles of stored boundaries."""
    bounds = ", ".join(long(one) for one in trial["boundaries"])
    return (
        f"new NamespaceBundles(NamespaceName.get({string(namespace)}), factory,\n"
        f"        Optional.empty(), new long[] {{{bounds}}})"
    )


def boundaries(one: Case) -> Method:
    """`bundles.boundaries`: what NamespaceBundles makes of stored boundaries."""
    answer, made = expected_answer(one), made_bundles(one.trial, "public/default")
    needs = (*FACTORY, "java.util.Optional")
    if answer is None:
        return Method(NAMING, (REFUSES, *needs), HASHES + refused(f"{made};").lstrip())
    spans = ",\n        ".join(java_range(bundle) for bundle in answer["bundles"])
    return Method(
        NAMING,
        (*ASSERTS, *needs, "com.google.common.collect.Range", "java.util.List"),
        f"""
{HASHES}NamespaceBundles bundles = {made};
assertEquals(bundles.getBundles().stream().map(NamespaceBundle::getKeyRange).toList(), List.of({spans}));
""",
    )


def topic_lookup(one: Case) -> Method:
    """`bundles.topic_lookup`: NamespaceBundles.findBundle, NamespaceBundle.includes."""
    answer = expected_answer(one)
    if answer is None:
        raise NotSupported(f"{one.title}: no topic has to be refused.")
    holders = ", ".join(java_range(bundle) for bundle in answer["holders"])
    return Method(
        NAMING,
        (
            *ASSERTS,
            *FACTORY,
            "com.google.common.collect.Range",
            "java.util.List",
            "java.util.Optional",
        ),
        f"""
{HASHES}when(factory.getTopicBundleAssignmentStrategy()).thenReturn(new ConsistentHashingTopicBundleAssigner());
NamespaceBundles bundles = {made_bundles(one.trial, one.trial["namespace"])};
TopicName topic = TopicName.get({string(one.trial["topic"])});
assertEquals(bundles.findBundle(topic).getKeyRange(), {java_range(answer["bundle"])});
assertEquals(bundles.getBundles().stream().filter(bundle -> bundle.includes(topic))
        .map(NamespaceBundle::getKeyRange).toList(), List.of({holders}));
""",
    )


def membership(one: Case) -> Method:
    """`bundles.membership`: NamespaceBundles.validateBundle."""
    lower, upper = one.trial["lower"], one.trial["upper"]
    asked = f"NamespaceBundleFactory.getRange({long(lower)}, {long(upper)})"
    made = (
        f"{HASHES}NamespaceBundles bundles = {made_bundles(one.trial, 'public/default')};\n"
        f'NamespaceBundle asked = new NamespaceBundle(NamespaceName.get("public/default"),\n'
        f"        {asked}, factory);\n"
    )
    needs = (*FACTORY, "java.util.Optional")
    if expected_answer(one) is None:
        body = refused("bundles.validateBundle(asked);").lstrip()
        return Method(NAMING, (REFUSES, *needs), made + body)
    return Method(NAMING, needs, f"{made}bundles.validateBundle(asked);\n")
