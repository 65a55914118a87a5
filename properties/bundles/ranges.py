"""Hash ranges and their names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from evenkeel.properties.bundles.trial_parts import INTEGERS, draw_hash
from evenkeel.reference.bundles import ranges
from evenkeel.reference.bundles.ranges import TOP_HASH
from evenkeel.reference.edition import Edition
from evenkeel.reference.java_text import decode
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.judge import decision, require_equal
from evenkeel_engine.kit.observations import Broke, Refused, Span
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import Run


@dataclass(frozen=True, slots=True)
class RangeTrial:
    """`bundles.range`: which hash range does this text name? Integers: see `bundles.creation`."""

    text: str


@dataclass(frozen=True, slots=True)
class RangeAnswer:
    """The range, and its canonical name `0x%08x_0x%08x`."""

    range: Span
    name: str


def draw_integer_text(draw: Draw) -> str:
    """An end of a range in one of many spellings."""
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


def answer_range(trial: RangeTrial, edition: Edition) -> RangeAnswer:
    lower, upper = ranges.parse_range(trial.text, edition)
    return RangeAnswer(Span(lower, upper, upper == TOP_HASH), ranges.range_name(lower, upper))


def range_labels(trial: RangeTrial) -> Iterator[str]:
    pieces = trial.text.count("_") + 1
    yield f"{pieces} piece{'s' if pieces > 1 else ''}"


Ends: TypeAlias = tuple[int, int]


def hex_name(number: int) -> str:
    """A boundary in Pulsar's form: eight hexadecimal digits at least."""
    return f"{number % 2**64:#010x}"


def strict(text: str) -> Ends | Refused:
    """The range of a text that must name two ends inside the hash space (BUN-8)."""
    if len(ends := [decode(piece) for piece in text.split("_")]) != 2:
        return Refused("not two pieces")
    lower, upper = ends
    if lower is None or upper is None:
        return Refused("an end is no integer")
    if min(lower, upper) < 0 or max(lower, upper) > TOP_HASH:
        return Refused("an end is outside the hash space")
    return not_empty(lower, upper)


def parse_leniently(text: str) -> Ends | Refused | Broke:
    """The range of the first two pieces; the rest is ignored (BUN-9)."""
    if "_" not in text:
        return Refused("no underscore")
    pieces = text.rstrip("_").split("_")
    if pieces == [""]:
        return Broke("no piece")
    lower = decode(pieces[0])
    if lower is None:
        return Refused("the first piece is no integer")
    if len(pieces) < 2:
        return Broke("no second piece")
    upper = decode(pieces[1])
    return Refused("the second piece is no integer") if upper is None else not_empty(lower, upper)


def not_empty(lower: int, upper: int) -> Ends | Refused:
    """These ends, if a hash lies between them; the last range holds its upper end."""
    if upper - lower >= (0 if upper == TOP_HASH else 1):
        return lower, upper
    return Refused("it holds no hash")


@decision("bundles.range", "BUN-7", "BUN-8", "BUN-9")
def judge_range_(run: Run, case: Case[RangeTrial, RangeAnswer]) -> None:
    text, is_lenient = case.trial.text, case.edition.lenient_range_texts
    named = parse_leniently(text) if is_lenient else strict(text)
    if isinstance(named, Refused | Broke):
        require_equal(
            run, case, "BUN-9" if is_lenient else "BUN-8", named, lambda: f"range text {text!r}"
        )
        return
    if named[0] == named[1] and not is_lenient and isinstance(case.observation, Refused):
        return  # whether the last hash alone is a range, no document says
    name = f"{hex_name(named[0])}_{hex_name(named[1])}"
    clause = "BUN-7" if text == name else "BUN-9"
    if clause == "BUN-7" or is_lenient:
        right = RangeAnswer(Span(*named, named[1] == TOP_HASH), name)
        require_equal(run, case, clause, right, lambda: f"{text} names a range")
    elif isinstance(case.observation, RangeAnswer):  # what other spellings name is left open
        found = case.observation.range
        name = f"{hex_name(found.lower)}_{hex_name(found.upper)}"
        right = RangeAnswer(replace(found, upper_included=found.upper == TOP_HASH), name)
        require_equal(run, case, "BUN-7", right, lambda: f"the range that {text} is taken for")


RANGE: Final = Question(
    "bundles.range", RangeTrial, RangeAnswer, range_trial, answer_range, range_labels
)

QUESTIONS: Final = (RANGE,)
