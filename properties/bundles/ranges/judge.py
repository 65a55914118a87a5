"""BUN-7 to BUN-9: which texts name ranges of hashes."""

from __future__ import annotations

from typing import TypeAlias

from evenkeel.properties.bundles.ranges.trial import RangeAnswer, RangeTrial
from evenkeel.properties.clause import Case
from evenkeel.properties.judging.judge import decision, must_be
from evenkeel.properties.judging.run import Run
from evenkeel.properties.observations import Broke, Refused, Span
from evenkeel.reference.bundles.ranges import TOP_HASH
from evenkeel.reference.java_text import decode

Ends: TypeAlias = tuple[int, int]


def hex_name(number: int) -> str:
    """A boundary as Pulsar writes it: eight hexadecimal digits at least."""
    return f"{number % 2**64:#010x}"


def strict(text: str) -> Ends | Refused:
    """The range that a text names where only two ends inside the hash space do (BUN-8)."""
    ends = [decode(piece) for piece in text.split("_")]
    if len(ends) != 2:
        return Refused("not two pieces")
    lower, upper = ends
    if lower is None or upper is None:
        return Refused("an end is no integer")
    if min(lower, upper) < 0 or max(lower, upper) > TOP_HASH:
        return Refused("an end is outside the hash space")
    return not_empty(lower, upper)


def lenient(text: str) -> Ends | Refused | Broke:
    """The range that the first two pieces name, whatever comes after (BUN-9)."""
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
def range_(run: Run, case: Case[RangeTrial, RangeAnswer]) -> None:
    text, is_lenient = case.trial.text, case.edition.lenient_range_texts
    named = lenient(text) if is_lenient else strict(text)
    if isinstance(named, Refused | Broke):
        must_be(
            run, case, "BUN-9" if is_lenient else "BUN-8", named, lambda: f"range text {text!r}"
        )
        return
    if named[0] == named[1] and not is_lenient and isinstance(case.observation, Refused):
        return  # whether the last hash alone is a range, no document says
    name = f"{hex_name(named[0])}_{hex_name(named[1])}"
    clause = "BUN-7" if text == name else "BUN-9"
    if clause == "BUN-7" or is_lenient:  # the documents leave other spellings open
        right = RangeAnswer(Span(*named, named[1] == TOP_HASH), name)
        must_be(run, case, clause, right, lambda: f"{text} names a range")
