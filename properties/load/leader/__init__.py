"""What the leader knows of bundles and brokers (LOA-17 to LOA-22)."""

from typing import Final

from evenkeel.properties.load.leader.generator import leader_trial
from evenkeel.properties.load.leader.trial import (
    LeaderAnswer,
    LeaderTrial,
    answer_leader,
    leader_labels,
)
from evenkeel.properties.question import Question

LEADER: Final = Question(
    "load.leader",
    LeaderTrial,
    LeaderAnswer,
    leader_trial,
    answer_leader,
    leader_labels,
    commands="commands",
)
QUESTIONS: Final = (LEADER,)
