from __future__ import annotations

from evenkeel.properties.bundles.drawing import INTEGERS, draw_hash
from evenkeel.properties.bundles.ranges.trial import RangeTrial
from evenkeel.properties.draw import Draw
from evenkeel.reference.bundles.ranges import TOP_HASH


def draw_integer_text(draw: Draw) -> str:
    """An end of a range as somebody might write it."""
    sort = draw.integer(0, 5)
    if sort <= 2:
        return f"0x{draw_hash(draw):08x}"
    if sort == 3:
        return draw.pick(INTEGERS)
    value = (
        draw.pick((2**32, 2**32 + 1, 2**36, -1, 2**63 - 1, 2**63, -(2**63)))
        if (draw.chance(0.3))
        else draw_hash(draw)
    )
    return draw.pick((str(value), f"{value:#x}", f"0{abs(value):o}", f"0x{abs(value):08X}"))


def range_trial(draw: Draw) -> RangeTrial:
    """Canonical names, other spellings, and texts that name no range."""
    if draw.chance(0.02):
        return RangeTrial(f"{TOP_HASH:#x}_{TOP_HASH:#x}")  # the last hash alone
    if draw.chance(0.4):
        ends = sorted((draw_hash(draw), draw_hash(draw)))
        return RangeTrial(f"0x{ends[0]:08x}_0x{ends[1]:08x}")
    text = "_".join(draw_integer_text(draw) for _ in draw.items(3, 0.9))
    return RangeTrial(text + "_" if draw.chance(0.1) else text)
