"""What changes nothing: asking again, another order, other units of load, other names (CON-22 to
CON-25).
"""

from __future__ import annotations

from evenkeel.properties.contract.rebalance.rest import end_scene, find_late, judge_evenness
from evenkeel.properties.contract.rebalance.scene import Story
from evenkeel.properties.contract.rebalance.trials import Compare, may_compare
from evenkeel.reference.contract.plant import Round
from evenkeel.reference.contract.promises import Promises
from evenkeel.reference.contract.turn import Reply
from evenkeel_engine.kit.run import MonitorRun

CLAUSES = ("CON-22", "CON-23", "CON-24", "CON-25")
CLAUSE_OF = {
    Compare.AGAIN: "CON-22",
    Compare.LISTED: "CON-23",
    Compare.SCALED: "CON-24",
    Compare.RENAMED: "CON-25",
}


def decline_relations(run: MonitorRun, promises: Promises) -> None:
    """What the balancer does not promise."""
    for compare, clause in CLAUSE_OF.items():
        if not may_compare(compare, promises):
            run.decline(clause)


def judge_promises(run: MonitorRun, compare: Compare, first: Promises, opening: Reply) -> None:
    """A new balancer that is asked the same promises the same."""
    if compare is Compare.AGAIN:
        text = "it promises something else when it is asked again"
        run.require("CON-22", opening.promises == first, text, "promises")


def judge_relation(run: MonitorRun, compare: Compare, first: Story, second: Story) -> None:
    """Judge what a balancer did in the second cluster by what it did in the first."""
    clause = CLAUSE_OF[compare]
    if compare is Compare.RENAMED:
        found, other = find_unrest(first), find_unrest(second)
        text = f"under the one names: {found or 'at rest'}; under the others: {other or 'at rest'}"
        run.require(clause, bool(found) == bool(other), text)
        return
    for one, two in zip(first.rounds, second.rounds, strict=False):
        if describe_answer(one) != describe_answer(two):
            text = f"round {one.now}: {describe_answer(one)}; {compare.value}: "
            run.require(clause, False, f"{text}{describe_answer(two)}")
            return
    run.require(clause, True)


def describe_answer(round_: Round) -> str:
    """What was answered in a round, in an order of its own."""
    moves = sorted(
        f"{one.unit} from {one.source or 'none'} to {one.to or 'anywhere'}"
        for one in round_.reply.moves
    )
    placed = sorted(f"{one.turn.unit} on {one.reply.node or 'no node'}" for one in round_.placings)
    return ", ".join((*placed, *moves)) or "nothing moves"


def find_unrest(story: Story) -> str:
    """Why a cluster is not at rest and even as promised; empty if it is."""
    late = find_late(story)
    if late is not None and story.promises.rests_within is not None:
        return f"units still move in round {late}"
    if story.promises.evenness is None or end_scene(story) is None:
        return ""
    run = MonitorRun(frozenset())
    judge_evenness(run, story)
    return "uneven" if run.findings.is_violated else ""
