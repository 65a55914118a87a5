"""An extensible broker's load data (LOA-40 to LOA-48)."""

from typing import Final

from evenkeel.properties.load.report_extensible.generator import report_extensible_trial
from evenkeel.properties.load.report_extensible.trial import (
    ExtensibleReportAnswer,
    ExtensibleReportTrial,
    answer_report_extensible,
    report_extensible_labels,
)
from evenkeel.properties.question import Question

REPORT_EXTENSIBLE: Final = Question(
    "load.report_extensible",
    ExtensibleReportTrial,
    ExtensibleReportAnswer,
    report_extensible_trial,
    answer_report_extensible,
    report_extensible_labels,
    commands="commands",
)
QUESTIONS: Final = (REPORT_EXTENSIBLE,)
