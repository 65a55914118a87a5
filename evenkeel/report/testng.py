"""A counterexample as one TestNG method on Apache Pulsar's own classes, without evenkeel.

The method asserts what is right, so it fails as long as the defect is there. Mockito stands in for
services around a class, where there are any; Pulsar's own tests do the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from evenkeel.harness.cases import Case
from evenkeel.report import bundles, loads, methods, placement, shedding, throttling
from evenkeel.report.parts import Method, NotTold, indented, wrapped
from evenkeel.report.transfer import transfer, transfer_debug

LICENCE: Final = (
    "// Apache-2.0. Made by `evenkeel report`; needs Apache Pulsar, TestNG and Mockito only.\n"
)
METHODS: Final[dict[str, Callable[[Case], Method]]] = {
    "bundles.boundaries": bundles.boundaries,
    "bundles.hash_lookup": methods.hash_lookup,
    "bundles.membership": bundles.membership,
    "bundles.range": bundles.range_text,
    "bundles.topic": bundles.topic,
    "bundles.topic_lookup": bundles.topic_lookup,
    "load.usage": loads.usage,
    "placement.avg_shedder": placement.avg_shedder,
    "placement.least_long_term_message_rate": placement.message_rate,
    "placement.least_resource_usage_extensible": placement.usage_extensible,
    "placement.least_resource_usage_modular": placement.usage_modular,
    "placement.round_robin": placement.round_robin,
    "shedding.avg": shedding.rounds("AvgShedder"),
    "shedding.overload": shedding.rounds("OverloadShedder"),
    "shedding.threshold": shedding.rounds("ThresholdShedder"),
    "shedding.uniform": shedding.rounds("UniformLoadShedder"),
    "splitting.positions": methods.positions,
    "splitting.due_modular": methods.due_modular,
    "shedding.transfer": transfer,
    "shedding.transfer_debug": transfer_debug,
    "ownership.channel": methods.channel,
    "ownership.conflict": methods.conflict,
    "ownership.transition": methods.transition,
    "throttling.bucket": throttling.bucket,
    "throttling.counter": throttling.counter,
    "throttling.quota": throttling.quota,
}
"""By question."""
WHY_NOT: Final = {
    "ownership.locks": "a trial says which answer of the store comes before which; "
    "LocalMemoryMetadataStore answers when its executor likes, and knows no sessions",
    "balancing.loop": "a whole cluster has a part in it",
    "throttling.loop": "a dispatcher with its ledger and consumers has a part in it",
}
"""Where a class alone cannot show it."""


@dataclass(frozen=True, slots=True)
class JavaTest:
    """A Java file."""

    package: str
    name: str
    method: str
    text: str

    @property
    def path(self) -> str:
        """Where it belongs, below src/test/java."""
        return f"{self.package.replace('.', '/')}/{self.name}.java"


def test_of(one: Case) -> JavaTest:
    """The test of a counterexample. Raises `NotTold`."""
    if not one.is_violation:
        raise NotTold(f"{one.title}: is an example of what is right, there is no defect to report.")
    return told(one)


def told(one: Case) -> JavaTest:
    """A test that asserts what is expected, whether or not somebody answers otherwise."""
    if one.question not in METHODS:
        why = WHY_NOT.get(one.question, "")
        raise NotTold(
            f"{one.question} cannot be told as a TestNG method{why and f' ({why})'}; these can: "
            f"{', '.join(METHODS)}. It can be replayed: evenkeel replay ID --subject CMD."
        )
    if "broke" in (one.expected or {}):
        raise NotTold(f"{one.title}: nobody is asked to break.")
    method = METHODS[one.question](one)
    words = re.findall(r"[A-Za-z0-9]+", one.title)
    camel = "".join(word[:1].upper() + word[1:] for word in words)
    if camel[:1].isdigit():  # no name of Java begins with one
        camel = f"Case{camel}"
    imports = sorted({"org.testng.annotations.Test", *method.imports})
    static = [f"import static {name[7:]};" for name in imports if name.startswith("static ")]
    plain = [f"import {name};" for name in imports if not name.startswith("static ")]
    says = "\n".join(f"     * {line}" for line in wrapped(f"{one.title}. {one.note('effect')}"))
    text = (
        f"{LICENCE}package {method.package};\n\n"
        + "\n".join([*static, "", *plain])
        + f"\n\npublic class {camel}Test {{\n\n    /**\n{says}\n     */\n"
        f"    @Test\n    public void test{camel}() throws Exception {{\n"
        + indented(method.body, 8)
        + "    }\n}\n"
    )
    return JavaTest(method.package, f"{camel}Test", f"test{camel}", text)
