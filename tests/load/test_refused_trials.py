"""Trials whose numbers are valid each, but not together, are refused."""

import pytest

from evenkeel.properties.load.report_modular import Check
from evenkeel.reference.load.statistics import BundleStatistics
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.load.usage import Resources
from evenkeel_engine.kit.trial import BadTrial


def test_sums_fit_32_bits() -> None:
    """Each name and number is valid; a report has their sum."""
    bundles = [
        BundleStatistics(f"t/n/0x{index:08x}_0x{index + 1:08x}", Traffic(), 2**24, 0, 0, 0)
        for index in range(128)
    ]
    Check(0, Resources(), tuple(bundles[:127]), False, True, False)
    with pytest.raises(BadTrial, match="topics together"):
        Check(0, Resources(), tuple(bundles), False, True, False)
