from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from evenkeel.properties.bundles.crafted import VARIANTS, topic_with_hash
from evenkeel.properties.bundles.drawing import draw_hash
from evenkeel.properties.bundles.topics.trial import TopicTrial
from evenkeel.properties.draw import Draw

_SPELLED: Final = ("persistent", "non-persistent", "PERSISTENT", "Non-Persistent", "http", "")
_DOMAINS: Final = (*_SPELLED, "per\u017fistent", "PERS\u0130STENT")
_GOOD: Final = ("x", "public", "t", "a-b", "a.b", "a=b", "a:b", "a_b")
_PIECES: Final = (*_GOOD, "", "a b", "ü", "a/b", "%2F")
_LOCAL_ENDS: Final = (
    "",
    "-partition-0",
    "-partition-7",
    "-partition-2147483647",
    "-partition-2147483648",
    "-partition-01",
    "-partition--1",
    "-partition-+1",
    "-partition-",
    "-partition-0-partition-3",
    "-partition-3x",
    "-partition-\u0663",
    "-partition-1\u0660",
    "-partition-\U0001d7d9",
)
_LOCALS: Final = (
    "x",
    "my-topic",
    "a/b",
    " ",
    "",
    "\t",
    "\u00a0",
    "\u2003\x1f",
    "\x85",
    "ünï",
    "日本",
    "😀",
    "a b",
    "://",
)


def draw_text(draw: Draw, items: Sequence[str]) -> str:
    """One of the texts, or a few letters."""
    if draw.chance(0.5):
        return draw.pick(items)
    return "".join(draw.pick("abcxyz019") for _ in draw.items(8, least=1))


def topic_trial(draw: Draw) -> TopicTrial:
    """Short, complete, legacy and malformed names; every sort of partition ending."""
    sort = draw.integer(0, 4)
    local = draw_text(draw, _LOCALS) + (draw.pick(_LOCAL_ENDS) if draw.chance(0.5) else "")
    if sort == 0:
        return TopicTrial(local)
    if sort == 1:
        return TopicTrial(topic_with_hash(draw_hash(draw), variant=draw.integer(0, VARIANTS - 1)))
    pieces = [draw_text(draw, _PIECES), draw_text(draw, _PIECES), local]
    if sort == 2:
        text = "/".join(pieces[draw.integer(0, 1) :])
        return TopicTrial("/" + text if draw.chance(0.2) else text)
    if draw.chance(0.15):
        pieces.insert(1, draw_text(draw, _PIECES))
    if draw.chance(0.1):
        pieces.pop()
    return TopicTrial(f"{draw.pick(_DOMAINS)}://{'/'.join(pieces)}")
