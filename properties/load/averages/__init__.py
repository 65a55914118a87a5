"""Averages of a bundle's traffic (LOA-10 to LOA-16)."""

from typing import Final

from evenkeel.properties.load.averages.generator import bundle_averages_trial
from evenkeel.properties.load.averages.trial import (
    BundleAveragesAnswer,
    BundleAveragesTrial,
    answer_bundle_averages,
    bundle_averages_labels,
)
from evenkeel.properties.question import Question

BUNDLE_AVERAGES: Final = Question(
    "load.bundle_averages",
    BundleAveragesTrial,
    BundleAveragesAnswer,
    bundle_averages_trial,
    answer_bundle_averages,
    bundle_averages_labels,
)
QUESTIONS: Final = (BUNDLE_AVERAGES,)
