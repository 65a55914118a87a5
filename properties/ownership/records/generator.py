"""Trials of the records: any two states; two records, mostly one version apart."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.draw import Draw
from evenkeel.properties.ownership.records.trial import (
    ConflictTrial,
    RecordData,
    TransitionTrial,
)
from evenkeel.reference.ownership.records import FOLLOWERS, State, Storage


def transition_trial(draw: Draw) -> TransitionTrial:
    return TransitionTrial(
        draw.pick(tuple(Storage)), draw.pick(tuple(State)), draw.pick(tuple(State))
    )


# --------------------------------------------------------------------------------- conflict

TEXTS: Final = ("b0", "b1", None, "", " ", "b2")
EDGES: Final = (2**63 - 1, -(2**63), 2**63 - 2, -(2**63) + 1)


def draw_record(draw: Draw, version: int) -> RecordData:
    state = draw.pick(tuple(State))
    destination, source = draw.pick(TEXTS), draw.pick(TEXTS)
    if state is not State.FREE and not any(n and n.strip() for n in (destination, source)):
        destination = "b0"
    return RecordData(state, destination, source, version, draw.chance(0.15))


def conflict_trial(draw: Draw) -> ConflictTrial:
    storage = draw.pick(tuple(Storage))
    if draw.chance(0.04):  # an owned bundle whose record names no owner
        ends = draw.pick((State.SPLITTING, State.RELEASING))
        ownerless = RecordData(State.OWNED, None, "b1", 1)
        return ConflictTrial(storage, ownerless, RecordData(ends, None, draw.pick(("b1", "b0")), 2))
    before = draw.pick(EDGES) if draw.chance(0.1) else draw.integer(1, 4)
    current = draw_record(draw, before) if not draw.chance(0.15) else None
    if draw.chance(0.05):
        return ConflictTrial(storage, current, None)
    step = draw.pick((1, 1, 1, 0, 2, -1))
    after = before + step if current is not None else draw.integer(0, 3)
    after = (after + 2**63) % 2**64 - 2**63
    update = draw_record(draw, after)
    if current is not None and draw.chance(0.6):
        update = draw_follower(draw, storage, current, update)
    return ConflictTrial(storage, current, update)


def draw_follower(
    draw: Draw, storage: Storage, current: RecordData, update: RecordData
) -> RecordData:
    followers = sorted(FOLLOWERS[storage][current.state], key=lambda state: state.value)
    state = draw.pick(followers)
    pair = draw.pick(
        (
            (current.destination, current.source),
            (None, current.destination),
            (update.destination, current.destination),
            (update.destination, update.source),
        )
    )
    if not any(text and text.strip() for text in pair):
        pair = (None, "b0")
    return RecordData(state, *pair, update.version, update.force)
