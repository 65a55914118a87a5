from __future__ import annotations

from typing import Final

from evenkeel.properties.bundles.boundaries.trial import BoundariesTrial, CreationTrial
from evenkeel.properties.bundles.drawing import INTEGERS, draw_boundaries, draw_hash
from evenkeel.properties.draw import Draw
from evenkeel.reference.bundles.ranges import TOP_HASH


def boundaries_trial(draw: Draw) -> BoundariesTrial:
    """Legal lists, and lists with one thing wrong."""
    boundaries = list(draw_boundaries(draw))
    fault = draw.integer(0, 8)
    index = draw.integer(0, len(boundaries) - 1)
    if fault == 1:
        del boundaries[index]
    elif fault == 2:
        boundaries.insert(index, boundaries[index])
    elif fault == 3:
        boundaries[0] = draw.pick((1, -1, 2, draw_hash(draw)))
    elif fault == 4:
        boundaries[-1] = draw.pick((TOP_HASH - 1, TOP_HASH + 1, draw_hash(draw)))
    elif fault == 5:
        boundaries.reverse()
    elif fault == 6:
        boundaries = boundaries[: draw.integer(0, 1)]
    elif fault == 7:
        boundaries[index] = draw.pick((draw_hash(draw), 2**32, 2**32 + 5, -5))
    return BoundariesTrial(tuple(boundaries))


_COUNTS: Final = (1, 2, 3, 4, 9, 64, 0, -1, 5, 7, 16, 100, 128, 1000, 65536)


def creation_trial(draw: Draw) -> CreationTrial:
    """By count, by default, and by explicit boundaries with and without faults."""
    large = draw.chance(0.02)
    count = draw.pick(_COUNTS) if large or draw.chance(0.3) else draw.integer(-1, 40)
    default = draw.pick((4, 1, 2, 16))
    if draw.chance(0.5):
        return CreationTrial(count, None, default)
    values = list(draw_boundaries(draw))
    for _ in draw.items(2, 0.3):
        values.insert(
            draw.integer(0, len(values)),
            draw.pick((draw.pick(values), 2**32, 2**33 + 1, -1, draw_hash(draw))),
        )
    if draw.chance(0.15):
        del values[draw.pick((0, len(values) - 1))]
    texts = [draw.pick((f"{value:#010x}", str(value), f"{value:#X}")) for value in values]
    texts = [text.replace("0X", "0x") for text in texts]
    if draw.chance(0.05):
        texts.append(draw.pick(INTEGERS))
    return CreationTrial(count, tuple(texts), default)
