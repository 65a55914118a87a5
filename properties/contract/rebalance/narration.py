"""What happened in a trial, a line each round, for readers of a failure."""

from __future__ import annotations

from collections.abc import Iterator

from evenkeel.properties.contract.rebalance.trials import Rebalance, Replies, Watched, replay
from evenkeel.reference.contract.plant import Round
from evenkeel_engine.kit.codec import Json, to_json
from evenkeel_engine.kit.talk import WrongCount

MOST = 12
"""Rounds that are shown; of more, the first and the last."""


def narrate(trial: Rebalance, answer: Replies) -> list[str]:
    """The promises, then each round in which something is otherwise than in the one before."""
    try:
        seen = replay(trial, answer)
    except WrongCount as wrong:
        return [str(wrong)]
    if seen.promises is None or seen.first is None:
        return ["no promises"]
    lines = [f"promises: {list_promises(to_json(seen.promises))}", *tell_rounds(seen.first)]
    if seen.second is not None:
        lines += [f"then {trial.compare.value}:", *tell_rounds(seen.second)]
    return lines


def list_promises(promises: Json) -> str:
    """What is promised, without the features that are known."""
    kept = {name: value for name, value in promises.items() if name != "knows"}
    said = (f"{name} {value}" for name, value in kept.items() if value not in (None, False))
    return ", ".join(said)


def tell_rounds(watched: Watched) -> list[str]:
    """The rounds, those in a row in which nothing changes as one."""
    lines: list[str] = []
    before = ""
    for round_ in watched.rounds:
        serving = {node.name for node in watched.course.nodes if node.is_there(round_.now)}
        text = tell_round(round_, serving)
        if text != before:
            lines.append(f"round {round_.now}: {text}")
        before = text
    if len(lines) > MOST:
        half = MOST // 2
        lines = [*lines[:half], f"… {len(lines) - MOST} more", *lines[-half:]]
    return lines


def tell_round(round_: Round, serving: set[str]) -> str:
    """Who serves what in truth, and what is answered; of the nodes that are not up, those that may
    still be `serving` are leaving.
    """
    truth = round_.truth
    served: dict[str | None, list[str]] = {node.name: [] for node in truth.nodes}
    for unit in truth.units:
        load = "?" if unit.load is None else unit.load
        served.setdefault(unit.node, []).append(f"{unit.name}={load}{'→' * unit.moving}")
    down = {node.name for node in truth.nodes if not node.up}
    words = {name: " leaving" if name in serving else " down" for name in down}
    parts = [
        f"{name or 'unserved'}{words.get(name or '', '')}: {' '.join(units) or '-'}"
        for name, units in served.items()
        if name or units
    ]
    late = round_.turn.reported < round_.now
    seen = f" (sees round {round_.turn.reported})" if late else ""
    return f"{', '.join(parts)}{seen}{''.join(list_answers(round_))}"


def list_answers(round_: Round) -> Iterator[str]:
    """What was answered."""
    for one in round_.placings:
        yield f"; {one.turn.unit} is placed on {one.reply.node or 'none'}"
    for move in round_.reply.moves:
        yield f"; {move.unit} from {move.source or 'none'} to {move.to or 'anywhere'}"
    if round_.reply.cannot:
        yield f"; cannot: {round_.reply.cannot}"
    if round_.reply.broke:
        yield f"; broke: {round_.reply.broke}"
