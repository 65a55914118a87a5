"""How much more than its quota a limit allows (THR-49 to THR-54), and by which schedule.

A read is issued while something is left of the quota, asks for as many entries as are left, at
most, and is charged only after it was delivered. So what is delivered too much comes from batches
(an entry holds up to B units, and counts as one when it is asked for) and from reads that are under
way at once (each sees a quota that the others have not been charged to yet).

Units are messages, or entries where entries are counted. Periods are aligned unless said
otherwise: they lie between two ticks of the counter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from evenkeel.reference.throttling import counter as counters
from evenkeel.reference.throttling.counter import Counter
from evenkeel.reference.throttling.reading import ceiling
from evenkeel_engine.frame.clauses import states


@dataclass(frozen=True, slots=True)
class Setting:
    """A limit and what reads under it.

    `quota` (R) units a period; `entries` (E) of one read at most, from all other causes; `batch`
    (B) units of one entry at most; `reads` (k) under way at once at most. All at least 1.
    """

    quota: int
    entries: int
    batch: int
    reads: int

    @property
    def span(self) -> int:
        """The entries (M) of the largest read that the quota allows."""
        return min(self.entries, self.quota)


@states("THR-49", "THR-53")
def excess(setting: Setting) -> int:
    """What can be delivered beyond the quota of whole periods: M (k B − 1)."""
    return setting.span * (setting.reads * setting.batch - 1)


@states("THR-49", "THR-53")
def most_in_periods(setting: Setting, periods: int) -> int:
    """The most that n aligned periods deliver: n R + M (k B − 1)."""
    return periods * setting.quota + excess(setting)


@states("THR-50")
def most_in_window(setting: Setting, periods: int) -> int:
    """The most that a window of n periods delivers, wherever it begins."""
    return (periods + 1) * setting.quota + excess(setting)


@states("THR-58")
def most_if_forgotten(setting: Setting, periods: int) -> int:
    """The same for a counter that forgets the excess: it can happen in every period (DT1)."""
    return periods * (setting.quota + excess(setting))


@states("THR-51")
def most_bytes(quota: int, estimate: int, largest: int, entries: int, reads: int, n: int) -> int:
    """The most bytes of n aligned periods.

    A read takes the entries that the quota is estimated to hold, at least one. `estimate` and
    `largest`: bytes of one entry as estimated, and as it can be.
    """
    span = min(entries, max(1, quota // estimate))
    one_read = max([largest - 1, *(e * (largest - estimate) for e in range(2, span + 1))])
    return n * quota + one_read + (reads - 1) * span * largest


@states("THR-52")
def most_if_precise(quota: int, average: int, batch: int, reads: int, n: int) -> int:
    """The most of n aligned periods if the quota is divided by the average.

    Exact for one read at a time; for several an upper bound.
    """
    reach = max(taken + ceiling(quota - taken, average) * batch for taken in range(quota))
    return n * quota + reach - quota + (reads - 1) * ceiling(quota, average) * batch


@states("THR-54")
def most_of_bucket(setting: Setting, periods: int) -> int:
    """An upper bound for a bucket that is refilled once a period, in any window.

    A late refill brings more than one period's tokens while a debt is open; so this is more than
    the counter's bound, and not always reached.
    """
    return (periods + 2) * setting.quota + 1 + excess(setting)


# --------------------------------------------------------------------------------- running


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a schedule: `issue` n entries, `deliver` n units by read i, `charge` i, `tick`.

    `read` numbers the reads under way from 0, oldest first.
    """

    do: str
    read: int = 0
    amount: int = 0

    def __str__(self) -> str:
        if self.do == "tick":
            return "the period ends"
        if self.do == "issue":
            return f"a read of {self.amount} entries is issued"
        if self.do == "deliver":
            return f"read {self.read} delivers {self.amount}"
        return f"read {self.read} is charged"


@dataclass(frozen=True, slots=True)
class UnderWay:
    """A read: what it asked for, and what it delivered once it has."""

    entries: int
    delivered: int | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """A counter, the reads under way, and what was delivered in each period so far."""

    counter: Counter
    reads: tuple[UnderWay, ...] = ()
    periods: tuple[int, ...] = (0,)

    @property
    def delivered(self) -> int:
        """What was delivered in all."""
        return sum(self.periods)


class NotPossible(ValueError):
    """A schedule has a step that the loop would not take."""


def begin(setting: Setting, carries: bool = True) -> Run:
    """Nothing is taken, nothing under way."""
    return Run(Counter(setting.quota, 1, carries))


def step(run: Run, setting: Setting, taken: Step) -> Run:
    """One step. Raises `NotPossible`."""
    if taken.do == "tick":
        return replace(run, counter=counters.period_ends(run.counter, 1), periods=(*run.periods, 0))
    if taken.do == "issue":
        return issue(run, setting, taken.amount)
    if not 0 <= taken.read < len(run.reads):
        raise NotPossible(f"there is no read {taken.read}")
    if taken.do == "deliver":
        return deliver(run, setting, taken.read, taken.amount)
    return charge(run, taken.read)


def issue(run: Run, setting: Setting, entries: int) -> Run:
    """A read is issued while something is left, of no more entries than are left."""
    left = counters.available(run.counter)
    if len(run.reads) >= setting.reads or not 1 <= entries <= min(setting.entries, left):
        raise NotPossible(f"{entries} entries, {left} left, {len(run.reads)} reads under way")
    return replace(run, reads=(*run.reads, UnderWay(entries)))


def deliver(run: Run, setting: Setting, index: int, units: int) -> Run:
    """A read delivers between one and B units for each of its entries."""
    read = run.reads[index]
    if read.delivered is not None or not read.entries <= units <= read.entries * setting.batch:
        raise NotPossible(f"{units} units of {read.entries} entries")
    reads = (*run.reads[:index], replace(read, delivered=units), *run.reads[index + 1 :])
    return replace(run, reads=reads, periods=(*run.periods[:-1], run.periods[-1] + units))


def charge(run: Run, index: int) -> Run:
    """What a read delivered is charged, and the read is over."""
    delivered = run.reads[index].delivered
    if delivered is None:
        raise NotPossible(f"read {index} has not delivered")
    reads = (*run.reads[:index], *run.reads[index + 1 :])
    return replace(run, counter=counters.take(run.counter, delivered, 0)[0], reads=reads)


def run_schedule(setting: Setting, schedule: Sequence[Step], carries: bool = True) -> Run:
    """All steps of a schedule. Raises `NotPossible`."""
    run = begin(setting, carries)
    for taken in schedule:
        run = step(run, setting, taken)
    return run


def run_possible(setting: Setting, schedule: Sequence[Step], carries: bool = True) -> Run:
    """The steps of a schedule that are possible; the others are left out."""
    run = begin(setting, carries)
    for taken in schedule:
        try:
            run = step(run, setting, taken)
        except NotPossible:
            continue
    return run


# ------------------------------------------------------------------------------- attaining


def one_by_one(units: int) -> Iterator[Step]:
    """Single messages, each read, delivered and charged before the next."""
    for _ in range(units):
        yield from (Step("issue", 0, 1), Step("deliver", 0, 1), Step("charge", 0))


@states("THR-49")
def burst(setting: Setting) -> Iterator[Step]:
    """All reads are issued on the same quota; then all deliver full batches; then all charge."""
    yield from one_by_one(setting.quota - setting.span)
    for _ in range(setting.reads):
        yield Step("issue", 0, setting.span)
    for index in range(setting.reads):
        yield Step("deliver", index, setting.span * setting.batch)
    for _ in range(setting.reads):
        yield Step("charge", 0)


@states("THR-49")
def attaining(setting: Setting, periods: int) -> list[Step]:
    """A schedule that delivers `most_in_periods`: whole quotas first, and the burst at the end."""
    steps: list[Step] = []
    for _ in range(periods - 1):
        steps += [*one_by_one(setting.quota), Step("tick")]
    return [*steps, *burst(setting)]


@states("THR-50")
def attaining_window(setting: Setting, periods: int) -> list[Step]:
    """A schedule that delivers `most_in_window`.

    A quota just before the window's first tick, then whole quotas, and the burst just before the
    window closes: the window spans n ticks.
    """
    return attaining(setting, periods + 1)
