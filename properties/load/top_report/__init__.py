"""When the heaviest bundles are published (LOA-58 to LOA-63)."""

from typing import Final

from evenkeel.properties.load.top_report.generator import top_report_trial
from evenkeel.properties.load.top_report.trial import (
    TopReportAnswer,
    TopReportTrial,
    answer_top_report,
    top_report_labels,
)
from evenkeel.properties.question import Question

TOP_REPORT: Final = Question(
    "load.top_report",
    TopReportTrial,
    TopReportAnswer,
    top_report_trial,
    answer_top_report,
    top_report_labels,
    commands="commands",
)
QUESTIONS: Final = (TOP_REPORT,)
