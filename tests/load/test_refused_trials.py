"""Trials that could not exist, or that no subject could hold, are refused."""

import pytest

from evenkeel.properties.load.history import Active, Look
from evenkeel.properties.load.leader import Publish
from evenkeel.properties.load.report_modular import Check
from evenkeel.properties.load.top_bundles import TopBundlesTrial
from evenkeel.reference.load.history import Seen
from evenkeel.reference.load.leader import BundleSample
from evenkeel.reference.load.statistics import BundleStatistics
from evenkeel.reference.load.top_bundles import TopRules
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.load.usage import Resources
from evenkeel_engine.kit.trial import BadTrial


def statistics(bundle: str, topics: int = 0) -> BundleStatistics:
    return BundleStatistics(bundle, Traffic(), topics, 0, 0, 0)


@pytest.mark.parametrize(
    "bundle",
    ["x", "t/n/0", "t/n%/0x00000000_0x40000000", "t/n/0x40000000_0x40000000", "pulsar/h\n:80/x"],
)
def test_bundles_have_full_names(bundle: str) -> None:
    with pytest.raises(BadTrial, match="full name"):
        Publish("b", (BundleSample(bundle, Traffic(), 0),))
    with pytest.raises(BadTrial, match="full name"):
        Check(0, Resources(), (statistics(bundle),), False, True, False)
    with pytest.raises(BadTrial, match="full name"):
        TopBundlesTrial((statistics(bundle),), TopRules(1, False, (), ()))


def test_policies_are_those_of_namespaces() -> None:
    for isolated, grouped in ((("t/n.*",), ()), ((), ("x",))):
        with pytest.raises(BadTrial, match="namespace's name"):
            TopBundlesTrial((), TopRules(1, False, isolated, grouped))


def test_sums_fit_32_bits() -> None:
    """Each name and number is valid; a report has their sum."""
    bundles = [
        statistics(f"t/n/0x{index:08x}_0x{index + 1:08x}", topics=2**24) for index in range(128)
    ]
    Check(0, Resources(), tuple(bundles[:127]), False, True, False)
    with pytest.raises(BadTrial, match="topics together"):
        Check(0, Resources(), tuple(bundles), False, True, False)


def test_histories_limit_bundles_and_require_names() -> None:
    with pytest.raises(BadTrial, match="bundles"):
        Look((Seen("b", 1.0, 10_001, 1.0),))
    for name in ("", "\ud800"):
        with pytest.raises(BadTrial, match="broker"):
            Look((Seen(name, 1.0, 1, 1.0),))
        with pytest.raises(BadTrial, match="broker"):
            Active((name,))


def test_the_message_names_the_duplicate() -> None:
    """And its field; the first duplicate."""
    with pytest.raises(BadTrial) as refused:
        Active(("b", "a", "c", "a", "b"))
    assert str(refused.value) == "brokers: must not name a twice"
