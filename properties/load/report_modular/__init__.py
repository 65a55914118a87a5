"""A modular broker's reports (LOA-32 to LOA-39)."""

from typing import Final

from evenkeel.properties.load.report_modular.generator import report_modular_trial
from evenkeel.properties.load.report_modular.trial import (
    ModularReportAnswer,
    ModularReportTrial,
    answer_report_modular,
    report_modular_labels,
)
from evenkeel.properties.question import Question

REPORT_MODULAR: Final = Question(
    "load.report_modular",
    ModularReportTrial,
    ModularReportAnswer,
    report_modular_trial,
    answer_report_modular,
    report_modular_labels,
    commands="commands",
)
QUESTIONS: Final = (REPORT_MODULAR,)
