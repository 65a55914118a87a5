"""Estimates: messages per entry, and entries for a number of bytes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from evenkeel.properties.throttling.trial_parts import EXACT
from evenkeel.reference.edition import Edition
from evenkeel.reference.throttling import sizing
from evenkeel.reference.throttling.sizing import OVERHEAD, Ledger, Position, Sizes
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.exempt import Exempt
from evenkeel_engine.kit.judge import answers, decision, require_equal
from evenkeel_engine.kit.observations import Broke, Refused
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import Run
from evenkeel_engine.kit.trial import require


@dataclass(frozen=True, slots=True)
class Send:
    """A consumer is sent messages in entries; every entry holds at least one."""

    messages: int
    entries: int

    def __post_init__(self) -> None:
        require(0 < self.entries < 2**31, "entries", "must be above 0 and below 2^31")
        fits = self.entries <= self.messages < 2**31
        require(fits, "messages", "must be as many as entries or more, below 2^31")


@dataclass(frozen=True, slots=True)
class AveragesTrial:
    """`throttling.averages`: how many messages per entry has a consumer been sent on average?

    Of all that it was sent, or more of what was sent lately.
    """

    sends: tuple[Send, ...]


@dataclass(frozen=True, slots=True)
class AveragesAnswer:
    """The average after each send, rounded to a whole number."""

    averages: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class EntriesForBytesTrial:
    """`throttling.entries_for_bytes`: how many entries does a read of `max_bytes` bytes request?

    A topic is stored in `ledgers`, of which the last is still written to if `writable`. The read
    begins at `position`, which may lie outside of them (ledger -1: at the earliest entry; a ledger
    after the last: at the latest). `max_bytes` -1: no limit. `publish_size` and `dispatch_size` are
    the topic's average entry sizes as published and as read, null if unknown. Without ledgers all
    of them were trimmed.
    """

    max_entries: int
    max_bytes: int
    ledgers: tuple[Ledger, ...]
    writable: bool
    position: Position
    publish_size: int | None
    dispatch_size: int | None

    def __post_init__(self) -> None:
        require(0 < self.max_entries < 2**31, "max_entries", "must be above 0 and below 2^31")
        bytes_fit = self.max_bytes == -1 or 0 < self.max_bytes < EXACT
        require(bytes_fit, "max_bytes", "must be -1, or above 0 and below 2^53")
        for index, ledger in enumerate(self.ledgers):
            require(0 <= ledger.entries < 2**31, f"ledgers[{index}]", "entries must be 0 or more")
            require(0 <= ledger.bytes < EXACT, f"ledgers[{index}]", "bytes must be 0 or more")
        inside = -1 <= self.position.ledger <= len(self.ledgers)
        require(inside, "position.ledger", "must be -1 to the number of ledgers")
        require(0 <= self.position.entry < 2**31, "position.entry", "must be 0 or more")
        for name in ("publish_size", "dispatch_size"):
            size = getattr(self, name)
            require(size is None or 0 < size < EXACT, name, "must be null or above 0")


@dataclass(frozen=True, slots=True)
class EntriesForBytesAnswer:
    """The number of entries, never less than one."""

    entries: int


STEADY = 100
"""Equal sends after which the average has adapted (THR-34)."""


def draw_send(draw: Draw, batch: int) -> Send:
    entries = draw.pick((1, 1, 2, 3, 10, 100))
    if draw.chance(0.15):
        batch = draw.pick((1, 2, 6, 1000))
    uneven = draw.integer(0, entries - 1) if draw.chance(0.2) else 0
    return Send(entries * batch + uneven, entries)


def averages_trial(draw: Draw) -> AveragesTrial:
    sends: list[Send] = []
    for _ in draw.items(3, 0.6, least=1):
        batch = draw.pick((1, 5, 6, 10, 1000)) if draw.chance(0.6) else draw.integer(1, 40)
        sends.extend(draw_send(draw, batch) for _ in draw.items(20, 0.85, least=1))
    if draw.chance(0.1):
        sends.extend([Send(draw.integer(1, 40), 1)] * STEADY)
    return AveragesTrial(tuple(sends))


def draw_ledger(draw: Draw) -> Ledger:
    if draw.chance(0.15):
        return Ledger(0, 0)
    entries = draw.pick((1, 10, 2, 100)) if draw.chance(0.6) else draw.integer(1, 1000)
    size = draw.pick((100, 1, 1000, 10_000)) if draw.chance(0.6) else draw.integer(1, 5000)
    return Ledger(entries, entries * size + (draw.integer(0, entries) if draw.chance(0.2) else 0))


def draw_position(draw: Draw, ledgers: tuple[Ledger, ...]) -> Position:
    if draw.chance(0.1):
        return Position(draw.pick((-1, len(ledgers))), draw.pick((0, 1, 5)))
    index = draw.integer(0, len(ledgers) - 1)
    entries = ledgers[index].entries
    place = draw.integer(0, 3)
    if place < 2:
        return Position(index, 0)
    return Position(index, draw.integer(0, entries) if place == 2 else max(entries - 1, 0))


def turning_points(ledgers: tuple[Ledger, ...]) -> Iterator[int]:
    total = 0
    for ledger in ledgers:
        whole = ledger.bytes + ledger.entries * OVERHEAD
        if not ledger.empty:
            yield from (total + ledger.entry_size, total + ledger.entry_size * 2)
        total += whole
        yield max(total, 1)


def entries_for_bytes_trial(draw: Draw) -> EntriesForBytesTrial:
    ledgers = tuple(draw_ledger(draw) for _ in draw.items(4, 0.6, least=1))
    if draw.chance(0.05):
        max_bytes = -1
    elif draw.chance(0.5):
        max_bytes = max(1, draw.pick(tuple(turning_points(ledgers))) + draw.pick((0, -1, 1)))
    else:
        max_bytes = draw.pick((1, 64, 164, 5000, 5 * 1024 * 1024))
    position = draw_position(draw, ledgers)
    if draw.chance(0.05):
        ledgers, position = (), Position(draw.pick((0, -1)), draw.pick((0, 5)))
    return EntriesForBytesTrial(
        max_entries=draw.pick((100, 1, 10, 1000)),
        max_bytes=max_bytes,
        ledgers=ledgers,
        writable=not draw.chance(0.2),
        position=position,
        publish_size=draw.pick((None, 100, 1, 1000)),
        dispatch_size=draw.pick((None, 100, 300)),
    )


def answer_averages(trial: AveragesTrial, edition: Edition) -> AveragesAnswer:
    del edition
    average, published = 0.0, []
    for send in trial.sends:
        average = sizing.average_after(average, send.messages, send.entries)
        published.append(sizing.published_average(average))
    return AveragesAnswer(tuple(published))


def answer_entries_for_bytes(
    trial: EntriesForBytesTrial, edition: Edition
) -> EntriesForBytesAnswer:
    sizes = Sizes(trial.publish_size, trial.dispatch_size)
    return EntriesForBytesAnswer(
        sizing.entries_for_bytes(
            trial.max_entries, trial.max_bytes, trial.ledgers, trial.position, sizes, edition
        )
    )


def averages_labels(trial: AveragesTrial) -> Iterator[str]:
    if not trial.sends:
        yield "no sends"
    exact = {(send.messages, send.entries) for send in trial.sends}
    yield "equal sends" if len(exact) <= 1 else "different sends"
    if any(send.messages % send.entries for send in trial.sends):
        yield "uneven batches"


def entries_for_bytes_labels(trial: EntriesForBytesTrial) -> Iterator[str]:
    yield ("no ledgers", "one ledger", "several ledgers")[min(len(trial.ledgers), 2)]
    if trial.max_bytes == -1:
        yield "no byte limit"
    if not 0 <= trial.position.ledger < len(trial.ledgers):
        yield "position outside"
    elif trial.position.entry > 0:
        yield "inside a ledger"
    if trial.ledgers and all(ledger.empty for ledger in trial.ledgers):
        yield "only empty ledgers"
    if trial.publish_size is None:
        yield "no publish size" if trial.dispatch_size is not None else "no sizes known"


ENOUGH: Final = 100
"""Equal sends after which the average must have adapted."""


@decision("throttling.averages", "THR-33", "THR-34", "THR-35")
def judge_averages(run: Run, case: Case[AveragesTrial, AveragesAnswer]) -> None:
    observed, sends = case.observation, case.trial.sends
    if isinstance(observed, Refused | Broke) or len(observed.averages) != len(sends):
        run.require("THR-33", False, f"{len(sends)} sends, and {observed}", "shape")
    else:
        wrong = outside(sends, observed.averages)
        run.require("THR-33", not wrong, wrong)
        follows(run, sends, observed.averages[-1:])
        remembers(run, sends, observed.averages)
    require_equal(run, case, "THR-35", what="averages")


def outside(sends: Sequence[Send], averages: Sequence[int]) -> str:
    """The error of the first average that is outside the range of the sends; empty if there is
    none.
    """
    least, most = math.inf, 0.0
    for send, average in zip(sends, averages, strict=True):
        each = send.messages / send.entries
        least, most = min(least, each), max(most, each)
        if not math.floor(least) <= average <= math.ceil(most):
            return f"the average is {average}, but {least} to {most} were sent"
    return ""


def follows(run: Run, sends: Sequence[Send], last: Sequence[int]) -> None:
    """Check that after enough equal sends the average is at most one away, or a ten-thousandth of
    the largest, or that of all sends or of all entries (THR-34).
    """
    steady = sends[-ENOUGH:]
    if len(steady) == ENOUGH and len(set(steady)) == 1:
        each = steady[0].messages / steady[0].entries
        by_send = fmean(send.messages / send.entries for send in sends)
        by_entry = sum(send.messages for send in sends) / sum(send.entries for send in sends)
        why = f"{each} were sent {ENOUGH} times, and the average is {last[0]}"
        most = max(1.0, *(send.messages / send.entries / REST for send in sends))
        near = (abs(last[0] - right) <= most for right in (each, by_send, by_entry))
        run.require("THR-34", any(near), why)


REST: Final = 10_000
"""What is left of an earlier average by then: a part of this many, or less."""

FAR: Final = 20
"""Messages per entry from which an average of several sends differs from the last one."""


def remembers(run: Run, sends: Sequence[Send], averages: Sequence[int]) -> None:
    """Check that an average is not the last send alone, where that is twice all earlier ones, or
    half of them, with no more entries than they (THR-34).
    """
    entries, least, most = 0, math.inf, 0.0
    for send, average in zip(sends, averages, strict=True):
        each = send.messages / send.entries
        higher = each >= FAR and each >= 2 * most
        lower = least >= FAR and 2 * each <= least
        if (higher or lower) and 0 < entries >= send.entries:
            why = f"{each} were sent last, {least} to {most} before, and the average is {average}"
            run.require("THR-34", abs(average - each) >= 1 / 2, why, "forgotten")
        entries, least, most = entries + send.entries, min(least, each), max(most, each)


@decision("throttling.entries_for_bytes", "THR-36", "THR-37", "THR-38")
def judge_entries_for_bytes(
    run: Run, case: Case[EntriesForBytesTrial, EntriesForBytesAnswer]
) -> None:
    observed, trial = case.observation, case.trial
    if isinstance(observed, Refused | Broke):
        answers(run, case, "THR-36")
    elif trial.max_bytes == -1:
        right = observed.entries == trial.max_entries
        run.require("THR-36", right, "there is no byte limit", "unlimited")
    else:
        judge_division(run, trial, observed.entries)
    require_equal(run, case, "THR-38", what="entries")


def judge_division(run: Run, trial: EntriesForBytesTrial, entries: int) -> None:
    """Check that bytes are divided by the average size, rounded either way; one entry if it is
    unknown.
    """
    most_entries, size = trial.max_entries, trial.publish_size or trial.dispatch_size
    fits = 1 <= entries <= most_entries
    why = "" if fits else f"{entries} entries, where 1 to {most_entries} may be requested"
    run.require("THR-36", fits, why)
    least = 1 if size is None else max(1, min(most_entries, trial.max_bytes // size))
    most = 1 if size is None else max(1, min(most_entries, -(-trial.max_bytes // size)))
    if least <= entries <= most:
        run.require("THR-37", True)
    else:
        why = f"{entries} entries for {trial.max_bytes} bytes of {size} each"
        run.require("THR-37", False, why, "too many" if entries > most else "too few")


AVERAGES: Final = Question(
    "throttling.averages",
    AveragesTrial,
    AveragesAnswer,
    averages_trial,
    answer_averages,
    averages_labels,
    one_decision=True,
    exempt=Exempt(world=r"sends\[\]\.entries"),
)

ENTRIES_FOR_BYTES: Final = Question(
    "throttling.entries_for_bytes",
    EntriesForBytesTrial,
    EntriesForBytesAnswer,
    entries_for_bytes_trial,
    answer_entries_for_bytes,
    entries_for_bytes_labels,
    exempt=Exempt(world=r"position\.ledger"),
)

QUESTIONS: Final = (AVERAGES, ENTRIES_FOR_BYTES)
