"""Numbers of document 004, of Pulsar's own tests, and some that were recomputed by hand."""

from __future__ import annotations

import pytest

from evenkeel.reference.edition import BASE_EDITIONS, DOCUMENTED, PULSAR_4_0, Edition
from evenkeel.reference.throttling import bucket, counter, limiter, rates, reading, sizing
from evenkeel.reference.throttling.bucket import Bucket
from evenkeel.reference.throttling.counter import Counter
from evenkeel.reference.throttling.limiter import Limiter, Mechanism, Publishing
from evenkeel.reference.throttling.rates import DispatchRate, Limits
from evenkeel.reference.throttling.reading import Blocked, Read, Reader
from evenkeel.reference.throttling.sizing import Ledger, Position, Sizes

each_edition = pytest.mark.parametrize("edition", BASE_EDITIONS.values(), ids=BASE_EDITIONS)
SECOND = 1_000_000_000
MILLI = 1_000_000
SILENT = Publishing()


# ------------------------------------------------------------------------- period counter


def after_ticks(state: Counter, count: int, renewed: int | None = None) -> list[int]:
    """The permits available after each of `count` ends of a period."""
    found = []
    for _ in range(count):
        assert state.ends is not None
        state = counter.elapse(state, state.ends, renewed)
        found.append(counter.available(state))
    return found


def taken(rate: int, *amounts: int, carries: bool = True) -> Counter:
    """A counter from which these amounts were taken at once."""
    state = counter.new(rate, SECOND, carries)
    for amount in amounts:
        state, _ = counter.take(state, amount, 0)
    return state


@pytest.mark.parametrize(
    ("rate", "amount", "later"),
    [
        (10, 11, [9]),
        (10, 30, [0, 0, 10, 10]),
        (10, 35, [0, 0, 5, 10]),
        (10, 60, [0, 0, 0, 0, 0, 10]),
    ],
    ids=["vector 1", "vector 2", "vector 30", "five empty periods"],
)
def test_excess_is_carried_over(rate: int, amount: int, later: list[int]) -> None:
    state = taken(rate, amount)
    assert counter.available(state) == 0
    assert after_ticks(state, len(later)) == later


def test_vector_3_a_hundred_three_times() -> None:
    state = counter.new(100, SECOND)
    for _ in range(3):
        state, left = counter.take(state, 100, 0)
        assert not left
    assert state.taken == 300
    assert after_ticks(state, 3) == [0, 0, 100]


def test_vector_4_the_answer_says_whether_anything_is_left() -> None:
    state, left = counter.take(counter.new(10, SECOND), 9, 0)
    assert (left, counter.available(state)) == (True, 1)
    state, left = counter.take(state, 9, 0)
    assert (left, counter.available(state)) == (False, 0)
    assert after_ticks(state, 1) == [2]


def test_vector_5_a_lower_rate_in_the_middle_of_a_period() -> None:
    state = counter.set_rate(taken(10, 8), 5)
    assert counter.available(state) == 0
    assert after_ticks(state, 2) == [2, 5]


def test_vector_6_a_higher_rate_counts_at_once() -> None:
    assert counter.available(counter.set_rate(taken(10, 10), 25)) == 15


@pytest.mark.parametrize(("renewed", "left"), [(100, 85), (0, 0), (-7, 0), (None, 0)])
def test_vector_7_a_rate_renewed_at_the_end_of_a_period(renewed: int | None, left: int) -> None:
    assert after_ticks(taken(10, 25), 1, renewed) == [left]


def test_vector_8_permits_given_back() -> None:
    state = taken(10, -5)
    assert counter.available(state) == 15
    assert after_ticks(state, 1) == [10]


def test_vector_9_the_counter_that_forgets_refuses_instead() -> None:
    state, granted = counter.take(counter.new(3, SECOND, carries=False), 2, 0)
    assert (granted, counter.available(state)) == (True, 1)
    state, granted = counter.take(state, 2, 0)
    assert (granted, counter.available(state)) == (False, 1)
    state, granted = counter.take(state, 1, 0)
    assert (granted, counter.available(state)) == (True, 0)
    assert after_ticks(state, 1) == [3]


def test_vector_32_two_periods_worth_in_two_milliseconds() -> None:
    state = taken(10, 10)
    state = counter.elapse(state, 1999 * MILLI)
    assert counter.available(state) == 10
    state, _ = counter.take(state, 10, 1999 * MILLI)
    assert counter.available(counter.elapse(state, 2001 * MILLI)) == 10


# --------------------------------------------------------------------------- token bucket


def balances(state: Bucket, times: list[float], edition: Edition) -> list[int]:
    """The balance at each of these times (seconds)."""
    found = []
    for time in times:
        state, left = bucket.balance(state, round(time * SECOND), edition)
        found.append(left)
    return found


@each_edition
def test_vector_24_a_bucket_fills_up_to_its_capacity(edition: Edition) -> None:
    state = bucket.new(10, SECOND, 0, capacity=100, initial=0)
    assert balances(state, [5, 6, 10, 15], edition) == [50, 60, 100, 100]
    state, _ = bucket.balance(state, 15 * SECOND, edition)
    state = bucket.consume(state, 100)
    assert balances(state, [15, 16], edition) == [0, 10]


@each_edition
def test_vector_25_a_debt_takes_its_time(edition: Edition) -> None:
    state = bucket.new(10, SECOND, 0, capacity=100, initial=0)
    state, left = bucket.balance(state, 5 * SECOND, edition)
    state = bucket.consume(state, left + 50)
    assert balances(state, [5], edition) == [-50]
    assert bucket.wait_for(state, 1, 5 * SECOND, edition)[1] == 5_100_000_000


@each_edition
def test_vector_26_pending_consumption_goes_before_the_cut(edition: Edition) -> None:
    state = bucket.consume(bucket.new(10, SECOND, 0), 5)
    assert balances(state, [10], edition) == [10]


@each_edition
def test_small_steps_lose_no_tokens(edition: Edition) -> None:
    state = bucket.consume(bucket.new(10, SECOND, 0, resolution=1, capacity=100), 10)
    times = [step / 1000 for step in range(1, 301)]
    assert balances(state, times, edition)[149::150] == [1, 3]


@pytest.mark.parametrize("mechanism", [Mechanism.CLASSIC, Mechanism.BUCKET])
def test_vector_27_when_the_next_period_comes(mechanism: Mechanism) -> None:
    state = limiter.new(mechanism, DispatchRate(50), SILENT, PULSAR_4_0)
    late = limiter.consume(state, 50, 0, 950 * MILLI)
    _, drained = left_at(late, 950, PULSAR_4_0)
    assert drained == 0
    shortly_after = left_at(late, 1001, PULSAR_4_0)[1]
    assert shortly_after == (50 if mechanism is Mechanism.BUCKET else 0)
    assert left_at(late, 1950, PULSAR_4_0)[1] == 50


@each_edition
def test_vector_27_a_refill_needs_more_than_a_period(edition: Edition) -> None:
    state = bucket.consume(bucket.new(50, SECOND, 0, resolution=SECOND), 50)
    assert bucket.balance(state, SECOND, edition)[1] == 0
    assert bucket.balance(state, SECOND + 1, edition)[1] == 50


def left_at(state: Limiter, millis: int, edition: Edition) -> tuple[Limiter, int]:
    """The limiter at this time, and what is left of its messages."""
    state = limiter.elapse(state, millis * MILLI, SILENT)
    state, left = limiter.available(state, SILENT, millis * MILLI, edition)
    return state, left.messages


@pytest.mark.parametrize(
    ("rate", "mechanism", "edition", "periods"),
    [
        (200_000_000, Mechanism.BUCKET, PULSAR_4_0, [200_000_000, 0, 0, 0]),
        (200_000_000, Mechanism.CLASSIC, PULSAR_4_0, [200_000_000] * 4),
        (200_000_000, Mechanism.BUCKET, DOCUMENTED, [200_000_000] * 4),
        (150_000_000, Mechanism.BUCKET, PULSAR_4_0, [150_000_000] * 4),
    ],
)
def test_vector_28_a_refill_beyond_64_bits(
    rate: int, mechanism: Mechanism, edition: Edition, periods: list[int]
) -> None:
    state, found = limiter.new(mechanism, DispatchRate(rate, period=60), SILENT, edition), []
    for index in range(len(periods)):
        now = index * 60_001
        state, left = left_at(state, now, edition)
        found.append(left)
        state = limiter.consume(state, left, 0, now * MILLI)
    assert found == periods


@pytest.mark.parametrize(("mechanism", "left"), [(Mechanism.CLASSIC, 0), (Mechanism.BUCKET, 10)])
def test_vector_29_the_same_rate_again(mechanism: Mechanism, left: int) -> None:
    state = limiter.new(mechanism, DispatchRate(10), SILENT, PULSAR_4_0)
    state = limiter.consume(state, 100, 0, 0)
    state, refusal = limiter.configure(state, DispatchRate(10), SILENT, 0, PULSAR_4_0)
    assert refusal is None
    assert left_at(state, 0, PULSAR_4_0)[1] == left


@each_edition
@pytest.mark.parametrize("mechanism", [Mechanism.CLASSIC, Mechanism.BUCKET])
def test_vector_8_a_limiter_charges_nothing_for_nothing(
    mechanism: Mechanism, edition: Edition
) -> None:
    state = limiter.new(mechanism, DispatchRate(10, 10), SILENT, edition)
    for amount in (0, -1):
        state = limiter.consume(state, amount, amount, 0)
    assert limiter.available(state, SILENT, 0, edition)[1] == Limits(10, 10)


# -------------------------------------------------------------------------------- reading


def reader(permits: int = 1000, average: int = 1, precise: bool = False) -> Reader:
    """A shared dispatcher with the configuration that ships."""
    return Reader(permits, 100, 5 * 1024 * 1024, average, precise, True, True, False)


@pytest.mark.parametrize(
    ("dispatcher", "shipped", "documented"),
    [
        (reader(), 10, 10),
        (reader(average=6, precise=True), 10, 2),
        (reader(permits=10, average=6, precise=True), 2, 2),
    ],
)
def test_vector_16_precise_mode(dispatcher: Reader, shipped: int, documented: int) -> None:
    left = [Limits(10, -1)]
    for edition, entries in ((PULSAR_4_0, shipped), (DOCUMENTED, documented)):
        assert reading.read_limits(dispatcher, left, edition) == Read(entries, 5 * 1024 * 1024)


@each_edition
def test_vector_17_all_levels_at_once(edition: Edition) -> None:
    levels = [Limits(7, -1), Limits(3, 1000), Limits(5, 400)]
    assert reading.read_limits(reader(), levels, edition) == Read(3, 400)
    levels[1] = Limits(0, 1000)
    assert reading.read_limits(reader(), levels, edition) == Blocked(1000)


@each_edition
def test_vector_18_both_dimensions_at_once(edition: Edition) -> None:
    assert reading.read_limits(reader(), [Limits(5, 0)], edition) == Blocked(1000)
    assert reading.read_limits(reader(), [Limits(-1, 1)], edition) == Read(100, 1)


# ------------------------------------------------------------------------------- estimates


@pytest.mark.parametrize(
    ("max_bytes", "sizes", "entries"),
    [
        (1000, Sizes(300, None), 3),
        (200, Sizes(300, None), 1),
        (1000, Sizes(None, 300), 3),
        (1000, Sizes(None, None), 1),
        (1000, Sizes(100, 10_000), 10),
    ],
)
def test_vector_19_bytes_by_the_average_size(max_bytes: int, sizes: Sizes, entries: int) -> None:
    ledgers = (Ledger(10, 100_000),)
    args = (100, max_bytes, ledgers, Position(0, 0), sizes)
    assert sizing.entries_for_bytes(*args, DOCUMENTED) == entries


@pytest.mark.parametrize(
    ("max_bytes", "entries"),
    [(1, 1), (64, 1), (163, 1), (164, 1), (328, 2), (1000, 6), (1640, 10), (5000, 30), (-1, 100)],
)
def test_vector_20_bytes_by_the_ledgers(max_bytes: int, entries: int) -> None:
    args = (100, max_bytes, (Ledger(10, 1000),), Position(0, 0), Sizes(None, None))
    assert sizing.entries_for_bytes(*args, PULSAR_4_0) == entries


def test_vector_21_the_average_follows_slowly() -> None:
    average, seen = 0.0, []
    for messages in (1, 10, 10, 10, 10, 10):
        average = sizing.average_after(average, messages, 1)
        seen.append(average)
    assert seen == pytest.approx([1, 1.9, 2.71, 3.439, 4.0951, 4.68559])
    assert [sizing.published_average(average) for average in seen] == [1, 2, 3, 3, 4, 5]


# -------------------------------------------------------------------------------- policies


NOTHING = DispatchRate()


@pytest.mark.parametrize(
    ("topic", "namespace", "broker", "effective"),
    [
        (DispatchRate(5), DispatchRate(-1, 100), DispatchRate(1, 1), DispatchRate(5)),
        (None, NOTHING, DispatchRate(7), DispatchRate(7)),
        (DispatchRate(0, 0), DispatchRate(4), NOTHING, DispatchRate(4)),
    ],
)
def test_vector_22_one_policy_whole(
    topic: DispatchRate | None,
    namespace: DispatchRate | None,
    broker: DispatchRate,
    effective: DispatchRate,
) -> None:
    assert rates.effective((topic, namespace), broker, PULSAR_4_0) == effective
