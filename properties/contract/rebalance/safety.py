"""What no balancer may do, whatever it promises (CON-1 to CON-8)."""

from __future__ import annotations

from collections import Counter
from typing import Any

from evenkeel.properties.contract.rebalance.scene import Scene, Story, show_scene
from evenkeel.properties.contract.rebalance.trials import Replies
from evenkeel.reference.contract.plant import Round
from evenkeel.reference.contract.turn import Reply
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.judge import answers
from evenkeel_engine.kit.observations import Broke, Refused
from evenkeel_engine.kit.run import MonitorRun
from evenkeel_engine.kit.talk import Talk, WrongCount

CLAUSES = ("CON-1", "CON-2", "CON-3", "CON-4", "CON-5", "CON-6", "CON-7", "CON-8")


def judge_safety(run: MonitorRun, story: Story) -> None:
    """Judge each round by what the balancer was shown, and what became of unserved units."""
    ordered: dict[str, int] = {}
    for scene, round_ in zip(story.scenes, story.rounds, strict=True):
        judge_answers(run, round_)
        judge_moves(run, scene, round_)
        judge_repeated(run, scene, round_, ordered)
        judge_destinations(run, scene, round_)
        for placing in round_.placings:
            judge_placing(run, show_scene(placing.turn), placing.reply.node)
    judge_unserved(run, story)


def replay_case(run: MonitorRun, case: Case[Any, Replies], talk: Talk[Any, Any, Any, Any]) -> Any:
    """What happened, from what was answered; None if there is no answer to follow (CON-1)."""
    observed = case.observation
    if not answers(run, case, "CON-1") or isinstance(observed, Refused | Broke):
        return None
    try:
        seen = talk.replay(case.trial, observed)
    except WrongCount as wrong:
        run.require("CON-1", False, str(wrong), "shape")
        return None
    if seen.promises is None:
        judge_opening(run, observed.replies[0])
        return None
    return seen


def judge_opening(run: MonitorRun, reply: Reply) -> None:
    """The turn `open` is answered by promises."""
    why = reply.broke or reply.cannot or "no promises"
    answered = reply.promises is not None
    run.require("CON-1", answered, f"the turn `open` is answered by: {why}", "open")


def judge_answers(run: MonitorRun, round_: Round) -> None:
    """Every turn is answered."""
    for reply in (*(one.reply for one in round_.placings), round_.reply):
        broke = reply.broke
        run.require("CON-1", not broke, f"round {round_.now}: broke: {broke}", "broke")


def judge_moves(run: MonitorRun, scene: Scene, round_: Round) -> None:
    """Only units that may move, from where they are, once."""
    times = Counter(move.unit for move in round_.reply.moves) if round_.reply.moves else {}
    for move in round_.reply.moves:
        unit, at = scene.units.get(move.unit), f"round {round_.now}: {move.unit}"
        if unit is None:
            run.require("CON-2", False, f"{at} is to move; it is not listed", "unknown")
            continue
        why = "on its way" if unit.moving else "pinned"
        run.require("CON-2", unit.movable, f"{at} is to move; it is {why}", why)
        source = f"is to leave {move.source}; it is reported on {unit.node}"
        run.require("CON-3", move.source == unit.node, f"{at} {source}")
        run.require("CON-4", times[move.unit] == 1, f"{at} is to move {times[move.unit]} times")


def judge_repeated(run: MonitorRun, scene: Scene, round_: Round, ordered: dict[str, int]) -> None:
    """No unit moves again before a report that is younger than its last order, whatever came of
    that: the balancer cannot know it yet.
    """
    for move in round_.reply.moves:
        before = ordered.get(move.unit)
        if before is not None:
            younger = round_.turn.reported > before
            said = f"ordered in round {before}, again in round {round_.now}"
            report = f"by the report of round {round_.turn.reported}"
            run.require("CON-5", younger, f"{move.unit} is {said}, {report}")
    ordered |= {move.unit: round_.now for move in round_.reply.moves if move.unit in scene.units}


def judge_destinations(run: MonitorRun, scene: Scene, round_: Round) -> None:
    """A destination is another node that is up, and may serve all that it is given."""
    moves = [move for move in round_.reply.moves if move.unit in scene.units]
    if not moves:
        return
    where = scene.where
    where |= {move.unit: move.to for move in moves}
    for move in moves:
        if move.to is None:
            continue
        text = f"round {round_.now}: {move.unit} is to go to {move.to}"
        listed = "is not up" if move.to in scene.nodes else "is not listed"
        at = scene.units[move.unit].node
        reason = "where it is" if move.to == at else f"which {listed}"
        up = scene.is_up(move.to) and move.to != at
        run.require("CON-6", up, f"{text}, {reason}", "no destination")
        if up:
            run.require(
                "CON-7", scene.may_serve(move.unit, move.to, where), f"{text}, which may not"
            )


def judge_placing(run: MonitorRun, scene: Scene, node: str | None) -> None:
    """The same of a unit that is placed."""
    name = scene.turn.unit or ""
    if node is None:
        return
    text = f"round {scene.turn.round}: {name} is placed on {node}"
    run.require("CON-6", scene.is_up(node), f"{text}, which is not up", "placed")
    if scene.is_up(node):
        fits = scene.may_serve(name, node, scene.served)
        run.require("CON-7", fits, f"{text}, which may not serve it", "placed")


def judge_unserved(run: MonitorRun, story: Story) -> None:
    """In the end a unit is served, if a node may serve it."""
    last = story.rounds[-story.quiet :]
    if len(last) < story.quiet or len(story.rounds) <= story.last_event + story.quiet:
        return
    if last[-1].reply.broke:
        return  # it may end before the bound
    scene = show_scene(last[-1].truth)
    idle = ([u.name for u in one.truth.units if u.node is None and not u.moving] for one in last)
    unserved = set.intersection(*map(set, idle))
    for name in scene.units:
        able = next((one for one in scene.nodes if scene.fits(name, one, scene.served)), None)
        if able is not None:
            said = f"no node serves {name} for the last {len(last)} rounds"
            run.require("CON-8", name not in unserved, f"{said}; {able} may")
