"""Any balancer, round after round: the cluster is in the harness, the decision in the subject."""

from __future__ import annotations

from evenkeel.properties.contract.rebalance import effect, relations, rest, safety
from evenkeel.properties.contract.rebalance.measures import add_up
from evenkeel.properties.contract.rebalance.narration import narrate
from evenkeel.properties.contract.rebalance.scene import tell
from evenkeel.properties.contract.rebalance.trials import (
    TALK,
    Rebalance,
    Replies,
    Seen,
    label,
    make_trial,
)
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.exempt import Exempt
from evenkeel_engine.kit.judge import monitor
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import MonitorRun

CLAUSES = (*safety.CLAUSES, *effect.CLAUSES, *rest.CLAUSES, *relations.CLAUSES)


@monitor("contract.rebalance", *CLAUSES)
def judge_rebalance(run: MonitorRun, case: Case[Rebalance, Replies]) -> None:
    """Follow all turns, and judge what was answered."""
    seen: Seen | None = safety.replay_case(run, case, TALK)
    if seen is None or seen.promises is None or seen.first is None:
        return
    first = tell(seen.first, seen.promises)
    safety.judge_safety(run, first)
    effect.judge_effect(run, first)
    rest.judge_rest(run, first)
    relations.decline_relations(run, seen.promises)
    if seen.opening is not None:
        safety.judge_opening(run, seen.opening)
    if seen.second is not None and seen.opening is not None:
        second = tell(seen.second, seen.promises)
        safety.judge_safety(run, second)
        relations.judge_promises(run, case.trial.compare, seen.promises, seen.opening)
        relations.judge_relation(run, case.trial.compare, first, second)


REBALANCE = Question(
    "contract.rebalance",
    Rebalance,
    Replies,
    make_trial,
    TALK.answer,
    label,
    simulates=True,
    exempt=Exempt(
        world=r".*",
        unrecorded="it asks any balancer; what each release's strategies do is its own table",
    ),
    talk=TALK,
    narrate=narrate,
    measure=add_up,
)
QUESTIONS = (REBALANCE,)
