"""Trials that could not exist, or whose answer would depend on a dialect, are refused."""

from typing import Any

import pytest

from evenkeel.properties.placement.candidates.trials import (
    CandidatesTrial,
    ClusterBroker,
    FiltersTrial,
    Grouped,
    RegisteredBroker,
)
from evenkeel.properties.placement.policy import StoredPolicyTrial
from evenkeel.properties.placement.preallocation import BundleRate, PreallocationTrial, Reports
from evenkeel.reference.placement.candidates import BrokerReport, PlacementConfig
from evenkeel.reference.placement.filters import Registration
from evenkeel.reference.placement.isolation import IsolationPolicy
from evenkeel_engine.kit.trial import BadTrial

BUNDLE = "t/n/0x00000000_0xffffffff"


def candidates(*versions: str, broker: str = "h:1", **changes: Any) -> CandidatesTrial:
    brokers = [
        ClusterBroker(f"{place}{broker}", BrokerReport(version=version), (), None)
        for place, version in enumerate(versions or ("4.0.8",))
    ]
    trial: dict[str, Any] = {"groups": (), "policies": (), "bundle": BUNDLE, **changes}
    config = PlacementConfig(manager="m")
    return CandidatesTrial(
        config, False, tuple(brokers), **trial, persistent=True, prefers=(), prefers_then=()
    )


def filters(*versions: str, **changes: Any) -> FiltersTrial:
    brokers = [
        RegisteredBroker(f"h:{place}", Registration(version=version), (), None)
        for place, version in enumerate(versions or ("4.0.8",))
    ]
    trial: dict[str, Any] = {"groups": (), "policies": (), "bundle": BUNDLE, **changes}
    config = PlacementConfig(manager="m")
    return FiltersTrial(
        config, False, tuple(brokers), **trial, persistent=True, excluded=(), prefers=()
    )


@pytest.mark.parametrize("trial", [candidates, filters])
@pytest.mark.parametrize(
    "expression",
    ["h{", "h{,3}", "[z-a]", "(h", "h)", r"\Qh\E", "(?i)h", r"\p{Alpha}", "[[h]", "x" * 201],
)
def test_expressions_outside_the_common_dialect_are_refused(trial: Any, expression: str) -> None:
    for policy in (
        IsolationPolicy((expression,), ("h",)),
        IsolationPolicy(("t/n",), (expression,)),
        IsolationPolicy(("t/n",), ("h",), (expression,)),
    ):
        with pytest.raises(BadTrial, match="policies"):
            trial(policies=(policy,))


@pytest.mark.parametrize(
    "expression", ["host-[34]", "host-.*", "host-1:8080", r"h\d\.example", "(a|b)", "[a-z]"]
)
def test_plain_expressions_are_accepted(expression: str) -> None:
    candidates(policies=(IsolationPolicy(("t/n",), (expression,)),))
    StoredPolicyTrial(("t/n",), (expression,), ())


def test_a_policy_that_is_set_may_be_unreadable_but_not_long() -> None:
    StoredPolicyTrial(("(t/n",), ("[z-a]",), ("(" * 200,))
    with pytest.raises(BadTrial, match="200 characters"):
        StoredPolicyTrial((), ("(" * 500,), ())


@pytest.mark.parametrize("trial", [candidates, filters])
def test_numbers_beyond_32_bits_are_refused(trial: Any) -> None:
    trial(policies=(IsolationPolicy(("t/n",), ("h",), least=-(2**31)),))
    with pytest.raises(BadTrial, match="least"):
        trial(policies=(IsolationPolicy(("t/n",), ("h",), least=2**31),))


@pytest.mark.parametrize("trial", [candidates, filters])
def test_versions_have_an_order_and_are_not_long(trial: Any) -> None:
    with pytest.raises(BadTrial, match="order"):
        trial("4.0.8-9", "4.0.8-10", "4.0.8-1a")
    with pytest.raises(BadTrial, match="100 characters"):
        trial("4.0.8-" + "9" * 6000)


@pytest.mark.parametrize("broker", ["h", "x/h:1", "h h:1", "h\r:1", "\ud800:1", ":", "h:x"])
def test_brokers_are_named_host_and_port(broker: str) -> None:
    with pytest.raises(BadTrial, match="broker"):
        candidates(broker=broker)
    with pytest.raises(BadTrial):
        PreallocationTrial(False, (broker,), (), ())
    with pytest.raises(BadTrial):
        PreallocationTrial(False, (), (), (Reports(broker, ()),))


@pytest.mark.parametrize(
    "bundle",
    [
        "a/b/c",
        "a//0x00000000_0xffffffff",
        "a/b c/0x00000000_0xffffffff",
        "a/b/0x00000000_0xFFFFFFFF",
        "a/b/0x80000000_0x80000000",
        "a/b/0x80000000_0x40000000",
        "a/cluster/b/0x00000000_0xffffffff",
    ],
)
def test_bundles_have_full_names_without_clusters(bundle: str) -> None:
    for trial in (candidates, filters):
        with pytest.raises(BadTrial, match="bundle"):
            trial(bundle=bundle)
    with pytest.raises(BadTrial, match="bundle"):
        PreallocationTrial(False, (), (BundleRate(bundle, 1),), ())


def test_groups_are_those_of_namespaces() -> None:
    with pytest.raises(BadTrial, match="groups"):
        candidates(groups=(Grouped("namespace", "group"),))
