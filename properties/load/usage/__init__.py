"""How full a broker is (LOA-1 to LOA-7)."""

from typing import Final

from evenkeel.properties.load.usage.generator import usage_trial
from evenkeel.properties.load.usage.trial import UsageAnswer, UsageTrial, answer_usage, usage_labels
from evenkeel.properties.question import Question

USAGE: Final = Question(
    "load.usage", UsageTrial, UsageAnswer, usage_trial, answer_usage, usage_labels
)
QUESTIONS: Final = (USAGE,)
