"""The heaviest bundles in a report (LOA-50 to LOA-57)."""

from typing import Final

from evenkeel.properties.load.top_bundles.generator import top_bundles_trial
from evenkeel.properties.load.top_bundles.trial import (
    TopBundlesAnswer,
    TopBundlesTrial,
    answer_top_bundles,
    top_bundles_labels,
)
from evenkeel.properties.question import Question

TOP_BUNDLES: Final = Question(
    "load.top_bundles",
    TopBundlesTrial,
    TopBundlesAnswer,
    top_bundles_trial,
    answer_top_bundles,
    top_bundles_labels,
)
QUESTIONS: Final = (TOP_BUNDLES,)
